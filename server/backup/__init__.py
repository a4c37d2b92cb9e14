"""Backups: the complete database in one file, which can be checked, encrypted and restored."""
