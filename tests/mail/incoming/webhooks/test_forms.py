"""Forms as bodies of requests: read as they are meant, in little memory."""

from __future__ import annotations

import random
import tracemalloc
from urllib.parse import unquote_to_bytes

import pytest

from mail.incoming.webhooks.forms import form
from tests.mail.incoming.webhooks.forms import Request, multipart, urlencoded


@pytest.mark.parametrize("encoding", [urlencoded, multipart])
def test_a_form_takes_no_more_memory_than_some_copies_of_it(encoding: object) -> None:
    assert callable(encoding)
    content = b"\xff" * 1_000_000
    request: Request = encoding({"body": content})
    tracemalloc.start()
    try:
        fields = form(*request)
        assert fields["body"] == content
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 5 * len(request[1]) + 10_000_000


def test_escapes_are_read_wherever_a_text_is_cut() -> None:
    chance = random.Random(4)
    text = bytes(chance.choices(b"%%4f1gG+x", k=400_000))
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert form(headers, b"a=" + text)["a"] == unquote_to_bytes(text.replace(b"+", b" "))


def test_of_several_fields_with_one_name_the_first_counts() -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    fields = form(headers, b"a=1&%61=2&b&c=%26")
    assert dict(fields) == {"a": b"1", "b": b"", "c": b"&"}


def test_a_name_that_is_no_name_is_no_field() -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert dict(form(headers, b"%61" * 5000 + b"=1&b=2")) == {"b": b"2"}
    headers, body = multipart({"a": "1", "b": "2"})
    long = body.replace(b'name="a"', b'name="a"; x="' + b"x" * 2000 + b'"')
    assert dict(form(headers, long)) == {"b": b"2"}
