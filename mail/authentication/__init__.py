"""Checks of the sender of an email, by the results of mail servers and by Nabu itself."""
