"""What the worker does when it is due."""
