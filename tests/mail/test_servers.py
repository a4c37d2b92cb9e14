"""Addresses of mail servers."""

from __future__ import annotations

import pytest

from mail.servers import Server, read_server

PORTS = {"smtp": 25, "smtps": 465}


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail.example.org", Server("smtp", "mail.example.org", 25, "", "", "")),
        ("smtps://mail.example.org:2465/", Server("smtps", "mail.example.org", 2465, "", "", "/")),
        ("smtps://a%40b:p%2Fw@[::1]/X,Y", Server("smtps", "::1", 465, "a@b", "p/w", "/X,Y")),
    ],
)
def test_server_url_is_split_into_parts(url: str, server: Server) -> None:
    assert read_server(url, PORTS, "wrong") == server


@pytest.mark.parametrize(
    "url",
    ["", "mail.example.org", "imap://a:hush@b", "smtp://", "smtp://a:hush@b:port", "smtp://b?x", "smtp://[b"],
)
def test_invalid_server_url_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(ValueError, match=r"\Awrong\Z"):
        read_server(url, PORTS, "wrong")


@pytest.mark.parametrize(("host", "here"), [("localhost", True), ("[::1]", True), ("mail.example.org", False)])
def test_server_on_this_machine_is_recognized(host: str, here: bool) -> None:
    assert read_server(f"smtp://{host}", PORTS, "wrong").is_here is here
