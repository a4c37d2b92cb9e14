"""Emails in: stored, sorted, read, carried out and answered, one by one."""
