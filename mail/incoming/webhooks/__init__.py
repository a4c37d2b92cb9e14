"""Mail that a provider posts to us over HTTP, one module for each provider.

Each has `Settings` and a function `received(headers, body, settings, …)`, which knows no web framework. It
raises Unsigned for a request that does not prove where it comes from, and NotUnderstood for one that holds no
mail. The provider must be told to send the raw mail, not its parts.
"""
