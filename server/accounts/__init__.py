"""Players' accounts: names, addresses, logins, and limits for sign-ups."""
