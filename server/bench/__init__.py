"""Benchmarks, as commands: they print measurements of this machine without judging them."""
