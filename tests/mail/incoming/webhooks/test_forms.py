"""Forms as bodies of requests: read correctly, in little memory."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.incoming.webhooks.errors import NoMail
from mail.incoming.webhooks.forms import form
from tests.support.mail.webhook_requests import Request, multipart, urlencoded

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
BOTH = pytest.mark.parametrize("encoded", [urlencoded, multipart])
Encoded = Callable[[dict[str, str | bytes]], Request]


@pytest.mark.slow
@BOTH
@given(
    fields=st.dictionaries(st.from_regex(r"[a-z-]{1,9}", fullmatch=True), st.binary(max_size=99), min_size=1)
)
def test_form_returns_the_fields_that_were_encoded(encoded: Encoded, fields: dict[str, bytes]) -> None:
    assert dict(form(*encoded(dict(fields)))) == fields


@BOTH
def test_form_uses_little_more_memory_than_its_body(encoded: Encoded) -> None:
    content = b"\xff" * 1_000_000
    request = encoded({"body": content})
    tracemalloc.start()
    try:
        fields = form(*request)
        assert fields["body"] == content
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 5 * len(request[1]) + 10_000_000


def test_escapes_are_decoded_across_pieces() -> None:
    chance = random.Random(4)
    text = bytes(chance.choices(b"%%4f1gG+x", k=400_000))
    assert form(FORM, b"a=" + text)["a"] == unquote_to_bytes(text.replace(b"+", b" "))


def test_first_of_several_fields_with_one_name_counts() -> None:
    assert dict(form(FORM, b"a=1&%61=2&b&c=%26")) == {"a": b"1", "b": b"", "c": b"&"}
    headers, body = multipart({"a": "1", "b": "2"})
    assert dict(form(headers, body.replace(b'"b"', b'"a"'))) == {"a": b"1"}


def test_field_with_too_long_a_name_is_ignored() -> None:
    assert dict(form(FORM, b"%61" * 5000 + b"=1&b=2")) == {"b": b"2"}
    headers, body = multipart({"a": "1", "b": "2"})
    long = body.replace(b'name="a"', b'name="a"; x="' + b"x" * 2000 + b'"')
    assert dict(form(headers, long)) == {"b": b"2"}


@pytest.mark.parametrize(("length", "read"), [(1000, True), (1001, False)])
def test_field_name_may_have_a_thousand_bytes(length: int, read: bool) -> None:
    assert list(form(FORM, b"a" * length + b"=1&b=2")) == ["a" * length] * read + ["b"]


def test_form_may_have_two_hundred_fields() -> None:
    many: dict[str, str | bytes] = {f"n{number}": b"%d" % number for number in range(201)}
    assert dict(form(*urlencoded(many))) == dict(list(many.items())[:200])
    del many["n200"], many["n199"]  # the end of the form counts as one
    assert dict(form(*multipart(many))) == many
    with pytest.raises(NoMail, match="does not end, or has too many fields"):
        form(*multipart(many | {"n199": b"199"}))


def test_body_that_is_no_complete_form_is_refused() -> None:
    headers, body = multipart({"a": "1"})
    for end in (len(body) - len(b"--\r\n"), body.index(b"1"), 0):
        with pytest.raises(NoMail, match="does not end"):
            form(headers, body[:end])
    for kind in ({}, {"Content-Type": "text/plain"}, {"Content-Type": "multipart/form-data"}):
        with pytest.raises(NoMail, match="not a form but"):
            form(kind, body)
