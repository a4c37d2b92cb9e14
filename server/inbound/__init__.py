"""Incoming emails: each is stored, read, carried out and answered."""
