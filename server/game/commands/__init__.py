"""What a command is, what may stand behind its word, and how a mail is read as commands."""
