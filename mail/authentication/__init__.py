"""Who certainly sent a mail: what servers say about it, and what can be checked here."""
