"""The pages on a real port."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from flask import Flask

from server.web.serving import Pages
from server.web.webhooks import LARGEST_REQUEST
from tests.mail.mailservers import await_port
from tests.ports import free_ports


@pytest.fixture
def port(app: Flask) -> Iterator[int]:
    """Where the pages are served."""
    [port] = free_ports(1)
    pages = Pages(app, "127.0.0.1", port)
    pages.start()
    await_port(port)
    yield port
    pages.stop()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_request_that_is_far_too_large_is_not_even_taken(port: int) -> None:
    head = f"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {LARGEST_REQUEST + 1}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
        client.sendall(head.encode())
        assert client.recv(12) == b"HTTP/1.1 413"
