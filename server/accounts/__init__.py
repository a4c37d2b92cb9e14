"""Who people are: names, addresses, logins, and how many strangers may become players."""
