"""The IP address of a visitor behind trusted and other proxies."""

from __future__ import annotations

from functools import partial

import pytest
from flask import Flask, request

from mail.incoming.peers import read_networks, within
from server.web.connections import asking, look_behind

OURS = read_networks("127.0.0.0/8, ::1, 10.0.0.7")


@pytest.mark.parametrize(
    ("peer", "forwarded", "found"),
    [
        ("127.0.0.1", "192.0.2.7", "192.0.2.7"),
        ("127.0.0.1", "192.0.2.66, 192.0.2.7", "192.0.2.7"),
        ("127.0.0.1", "192.0.2.66,192.0.2.7 , 10.0.0.7", "192.0.2.7"),
        ("::ffff:127.0.0.1", "2001:db8::1", "2001:db8::1"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "192.0.2.66, unknown", "127.0.0.1"),
        ("127.0.0.1", "192.0.2.66, 10.0.0.7:80", "127.0.0.1"),
        ("127.0.0.1", ",".join(["192.0.2.66", *["127.0.0.1"] * 10]), "127.0.0.1"),
        ("127.0.0.1", "1," * 8000, "127.0.0.1"),
        ("192.0.2.1", "192.0.2.66", "192.0.2.1"),
        ("10.0.0.8", "192.0.2.66", "10.0.0.8"),
        ("", "192.0.2.66", ""),
    ],
)
def test_only_trusted_proxies_name_the_visitor(peer: str, forwarded: str, found: str) -> None:
    assert asking(peer, forwarded, partial(within, networks=OURS)) == found


def test_without_proxies_no_forwarded_address_is_trusted() -> None:
    assert asking("127.0.0.1", "192.0.2.66", lambda peer: False) == "127.0.0.1"


def test_application_sees_the_visitors_address() -> None:
    app = Flask(__name__)
    app.add_url_rule("/", view_func=lambda: request.remote_addr or "")
    look_behind(app, OURS)
    headers = {"X-Forwarded-For": "192.0.2.66, 192.0.2.7"}
    assert app.test_client().get("/", headers=headers).text == "192.0.2.7"
    elsewhere = {"REMOTE_ADDR": "192.0.2.1"}
    assert app.test_client().get("/", headers=headers, environ_base=elsewhere).text == "192.0.2.1"
