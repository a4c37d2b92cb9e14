"""Mail that a provider posts to us over HTTP, one module for each provider.

Each has an `Agreement`, by which we know that a request is the provider's, and a function
`received(headers, body, agreement, …)`, which knows no web framework. It raises Unsigned for a request that
does not prove where it comes from, and NoMail for one that holds no mail. The provider must be told to send
the raw mail, not its parts.
"""
