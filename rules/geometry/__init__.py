"""Boards without pieces: places, their names, and their neighbours."""
