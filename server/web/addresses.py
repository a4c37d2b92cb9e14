"""Addresses of our pages, for programs and people elsewhere."""

from typing import Any

from flask import url_for

from server.web.visits import services


def address(endpoint: str, **values: Any) -> str:
    """Where a page is, from anywhere."""
    return services().settings.base_url + url_for(endpoint, **values)
