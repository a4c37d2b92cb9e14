"""A game whose players use the API."""

from tests.support.web.api_client import table

__all__ = ["table"]
