"""Simulated tournaments, with players who manipulate."""
