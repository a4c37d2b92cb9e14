"""The checks of `nabu doctor`: this machine, the database, mail, the DNS, and the web pages."""
