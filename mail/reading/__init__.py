"""Reading of raw emails: the author, whether a person or a machine wrote it, and the person's text."""
