"""Nardshir."""
