"""The demo: a complete server on one machine, with a mailbox page that shows every email."""
