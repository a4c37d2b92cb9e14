"""Our own mails: composed, signed and handed to the relay."""
