"""Who people are: names, addresses, logins, and how much is mailed to whom."""
