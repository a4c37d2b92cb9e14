"""Checks of an email's sender, by the results of mail servers and by Nabu itself."""
