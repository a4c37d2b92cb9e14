"""Statements that are compiled once for each database, and sessions that run them."""
