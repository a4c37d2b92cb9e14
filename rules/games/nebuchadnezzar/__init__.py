"""Nebuchadnezzar."""
