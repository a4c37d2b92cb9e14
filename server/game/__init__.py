"""A game as people play it: the one door for moves, what is behind it, and what each person may see."""
