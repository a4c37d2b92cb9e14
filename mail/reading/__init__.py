"""Reading of incoming emails: the author, whether a person or a program wrote them, and the person's text."""
