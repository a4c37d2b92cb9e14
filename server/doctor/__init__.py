"""The doctor: whether everything is as Nabu needs it, on this machine and in the world."""
