"""Nelaxtam."""
