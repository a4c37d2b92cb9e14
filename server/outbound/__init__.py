"""Outgoing email: render it, hand it to the relay, and process the outcomes."""
