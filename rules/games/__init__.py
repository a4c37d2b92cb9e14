"""The games: a folder for each kind, with the same file names in all."""
