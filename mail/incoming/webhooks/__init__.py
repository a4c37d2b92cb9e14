"""Emails that providers post to us over HTTP: one module for each provider, and a line in `registry`.

The provider must post the raw email, not its parts. Nothing here knows a web framework.
"""
