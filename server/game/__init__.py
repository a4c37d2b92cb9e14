"""Games as people play them: moves, challenges, messages, ratings and views."""
