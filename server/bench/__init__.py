"""Measurements, as commands: they print what this machine does, and judge nothing."""
