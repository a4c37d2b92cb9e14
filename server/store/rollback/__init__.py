"""Databases that have lost their most recent data: older ones are refused, and no number is used twice."""
