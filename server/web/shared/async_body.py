"""Responses that are sent in pieces over time, without a thread that waits for them."""

from collections.abc import AsyncIterator
from typing import Protocol

ASYNC_BODY = "nabu.async_body"
"""The key in the WSGI environment of a list; a view appends the `AsyncBody` that follows its response."""


class AsyncBody(Protocol):
    """The pieces of a response, read in the event loop of the server."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...

    def close(self) -> None:
        """Release what the response uses; called once, at the end."""
