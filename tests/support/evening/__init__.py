"""An evening with many people: the people, the server they use, their games, and checks afterwards."""
