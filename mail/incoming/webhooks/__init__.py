"""Emails that providers post over HTTP: one module for each provider, and a line in `registry`.

The provider must post the raw email, not its parts. Nothing here depends on a web framework.
"""
