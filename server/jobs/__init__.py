"""The background jobs of the worker."""
