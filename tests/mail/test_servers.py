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
def test_the_parts(url: str, server: Server) -> None:
    assert read_server(url, PORTS, "wrong") == server


@pytest.mark.parametrize(
    "url",
    ["", "mail.example.org", "imap://a:hush@b", "smtp://", "smtp://a:hush@b:port", "smtp://b?x", "smtp://[b"],
)
def test_what_is_no_address_of_a_server_is_not_shown(url: str) -> None:
    with pytest.raises(ValueError, match=r"\Awrong\Z"):
        read_server(url, PORTS, "wrong")


@pytest.mark.parametrize(("host", "here"), [("localhost", True), ("[::1]", True), ("mail.example.org", False)])
def test_whether_it_is_on_this_machine(host: str, here: bool) -> None:
    assert read_server(f"smtp://{host}", PORTS, "wrong").is_here is here
