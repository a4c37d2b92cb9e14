"""The IP address of a visitor behind trusted proxies."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from flask import Flask

from mail.incoming.peers import Networks, is_address, within

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

_MOST_PROXIES = 10
"""The longest chain of proxies. Entries further left in the header were not written by a trusted proxy."""


def look_behind(app: Flask, proxies: Networks) -> None:
    """Set `request.remote_addr` to the client of the first trusted proxy; ignore headers of other clients."""
    inner: Wsgi = app.wsgi_app

    def outer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        peer, forwarded = environ.get("REMOTE_ADDR", ""), environ.get("HTTP_X_FORWARDED_FOR", "")
        environ["REMOTE_ADDR"] = asking(peer, forwarded, partial(within, networks=proxies))
        return inner(environ, start)

    app.wsgi_app = outer  # type: ignore[assignment, method-assign]  # as Flask says


def asking(peer: str, forwarded: str, own: Callable[[str], bool]) -> str:
    """Return the client's IP address: each `own` proxy has appended its client to the header `forwarded`."""
    for named in reversed(forwarded.rsplit(",", _MOST_PROXIES)[-_MOST_PROXIES:]):
        if not own(peer) or not is_address(named.strip()):
            break
        peer = named.strip()
    return peer
