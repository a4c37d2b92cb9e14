"""The games: a folder for each, with the same file names in all."""
