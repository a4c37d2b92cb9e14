"""Moves, hints and reports by computer players, and a separate process that computes them."""
