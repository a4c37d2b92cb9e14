"""An evening with many people: who they are, the house they meet in, what they play, and what is left of it."""
