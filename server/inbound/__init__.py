"""Emails in: stored, told apart, read, carried out and answered, one by one."""
