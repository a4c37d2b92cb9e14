"""A raw mail read: who it is from, whether a person wrote it, and what that person wrote."""
