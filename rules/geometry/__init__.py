"""Boards without pieces: places, their names, and what is next to what."""
