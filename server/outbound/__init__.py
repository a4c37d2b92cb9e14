"""Outgoing emails: they are rendered and given to the relay, and its answers are processed."""
