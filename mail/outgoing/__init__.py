"""Outgoing emails: composed, signed and sent to the relay."""
