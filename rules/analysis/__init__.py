"""Requests to computer players for moves, hints and game reports, and a separate process that answers them."""
