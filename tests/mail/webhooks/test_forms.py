"""Forms and documents: each byte as it was posted, and nothing that breaks the reader."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.webhooks.errors import NotUnderstood
from mail.webhooks.forms import document, field, form, header, text_at, texts_at
from tests.mail.webhooks.forms import multipart, urlencoded


@given(st.binary(max_size=200).filter(lambda value: b"--xYzZY" not in value))
def test_each_byte_of_a_field_comes_through(value: bytes) -> None:
    for posted in (urlencoded, multipart):
        assert form(*posted({"a": "1", "email": value, "b": "ö"})) == {
            "a": b"1",
            "email": value,
            "b": "ö".encode(),
        }


def test_of_fields_with_one_name_the_first_counts() -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert form(headers, b"a=1&a=2&b&=3") == {"a": b"1", "b": b"", "": b"3"}


@pytest.mark.parametrize(
    "content_type",
    ["multipart/form-data; boundary=xYzZY", 'Multipart/Form-Data; charset=utf-8; boundary="xYzZY"'],
)
def test_a_form_has_headers_in_any_case(content_type: str) -> None:
    body = (
        b"--xYzZY\r\ncontent-type: text/plain\r\n"
        b'CONTENT-DISPOSITION: form-data; filename="x"; name="email"\r\n\r\nc4\r\n'
        b"--xYzZY\r\nContent-Type: text/plain\r\n\r\nno name\r\n--xYzZY--"
    )
    assert form({"content-type": content_type}, body) == {"email": b"c4"}


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("text/plain", b"a=1"),
        ("", b"a=1"),
        ("multipart/form-data", b"--x--"),
        ("multipart/form-data; boundary=x", b""),
        ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'),
        ("multipart/form-data; boundary=x", b"--x\r\n\r\n\r\n" * 300 + b"--x--"),
    ],
)
def test_what_is_no_form_is_not_understood(content_type: str, body: bytes) -> None:
    with pytest.raises(NotUnderstood):
        form({"Content-Type": content_type}, body)


@pytest.mark.parametrize("body", [b"", b"[]", b"1", b"{", b"\xff", b'{"a":' * 100_000, b"NaN"])
def test_what_is_no_document_is_not_understood(body: bytes) -> None:
    with pytest.raises(NotUnderstood):
        document(body)


def test_what_is_missing_in_a_form_or_document_is_told() -> None:
    with pytest.raises(NotUnderstood, match="field email is missing"):
        field({}, "email")
    within = document(b'{"a": {"b": "x", "c": ["y", "z"], "d": [], "e": [1], "f": 1}}')
    assert (text_at(within, "a", "b"), texts_at(within, "a", "c")) == ("x", ["y", "z"])
    for path in (("a",), ("a", "f"), ("a", "x"), ("x",), ("a", "b", "c")):
        with pytest.raises(NotUnderstood):
            text_at(within, *path)
    for path in (("a", "b"), ("a", "d"), ("a", "e"), ("x",)):
        with pytest.raises(NotUnderstood):
            texts_at(within, *path)


def test_a_header_has_a_name_in_any_case() -> None:
    assert header({"x-SIGNATURE": "1"}, "X-Signature") == "1"
    assert header({}, "X-Signature") == ""


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/x-www-form-urlencoded", b"&" * 5_000_000),
        ("application/x-www-form-urlencoded", b"%" * 2_000_000),
        ("multipart/form-data; boundary=x", b"--x" * 1_000_000),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition:" + b"; name=" * 500_000),
        ("multipart/form-data; " + "boundary" * 100_000, b""),
    ],
    ids=["fields", "escapes", "boundaries", "names", "parameters"],
)
def test_forms_made_to_be_slow_are_not(content_type: str, body: bytes) -> None:
    begin = time.process_time()
    with suppress(NotUnderstood):
        form({"Content-Type": content_type}, body)
    assert time.process_time() - begin < 20
