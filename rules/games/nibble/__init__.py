"""Nibble."""
