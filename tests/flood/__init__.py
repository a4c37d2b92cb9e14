"""Floods by one hostile client, and the time that others wait meanwhile."""
