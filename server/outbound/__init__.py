"""Mails out: written, handed to the relay, and what became of them."""
