"""The bytes of an email that a signature covers."""

from __future__ import annotations

import time

import pytest

from mail.authentication.checks.wire import Malformed, parse, picked
from mail.fields import Field


def test_fields_and_body_are_the_same_with_lf_and_crlf_line_ends() -> None:
    for end in (b"\n", b"\r\n"):
        wire = parse(end.join([b"", b"From: Ann", b"\t<a@b.org>", b"X : 1", b"", b"c4"]))
        assert wire.fields == (Field("from", b"From: Ann\r\n\t<a@b.org>"), Field("x", b"X : 1"))
        assert wire.fields[0].value == "Ann\t<a@b.org>"
        assert wire.body == b"c4"


@pytest.mark.parametrize(
    "raw",
    [
        b"X: a\rFrom: b@c.org\r\n\r\n",
        b"X: a\r\r\nFrom: b@c.org\r\n\r\n",
        b"X: a\r\nno field\r\nFrom: b@c.org\r\n\r\n",
        b"X: a\r\nFrom\r\n : b@c.org\r\n\r\n",
        b"From x Mon Mar 2 15:04:05\r\n From: b@c.org\r\n\r\n",
        b" X: a\r\nFrom: b@c.org\r\n\r\n",
        b"X: a\0\r\nFrom: b@c.org\r\n\r\n",
        b"X\x0b: a\r\nFrom: b@c.org\r\n\r\n",
        b"X" * 200_000,
    ],
)
def test_ambiguous_header_is_malformed(raw: bytes) -> None:
    with pytest.raises(Malformed):
        parse(raw)


# From RFC 6376, 3.4.5, and RFC 6376, 3.4.3 and 3.4.4 for empty bodies.
@pytest.mark.parametrize(
    ("body", "relaxed", "simple"),
    [
        (b" C \r\nD \t E\r\n\r\n\r\n", b" C\r\nD E\r\n", b" C \r\nD \t E\r\n"),
        (b"", b"", b"\r\n"),
        (b"\r\n\r\n", b"", b"\r\n"),
        (b" \t\r\n \r\n", b"", b" \t\r\n \r\n"),
        (b"a", b"a\r\n", b"a\r\n"),
        (b"a \t", b"a\r\n", b"a \t\r\n"),
        (b"a\tb\r \r\n", b"a b\r\r\n", b"a\tb\r \r\n"),
    ],
)
def test_bodies_are_canonicalised_as_in_the_standard(body: bytes, relaxed: bytes, simple: bytes) -> None:
    wire = parse(b"From: a@b.org\r\n\r\n" + body)
    assert (wire.canonical_body(True), wire.canonical_body(False)) == (relaxed, simple)


def test_header_fields_are_canonicalised_as_in_the_standard() -> None:
    wire = parse(b"A: X\r\nB : Y\t\r\n\tZ  \r\n\r\n")
    assert [field.canonical(True) for field in wire.fields] == [b"a:X", b"b:Y Z"]
    assert [field.canonical(False) for field in wire.fields] == [b"A: X", b"B : Y\t\r\n\tZ  "]


def test_picked_takes_the_lowest_unused_field_of_a_name() -> None:
    fields = parse(b"A: 1\r\nB: 2\r\nA: 3\r\n\r\n").fields
    assert [field.raw for field in picked(fields, ["a", "c", "a", "b", "a"])] == [b"A: 3", b"A: 1", b"B: 2"]


@pytest.mark.parametrize(
    "body", [b" " * 5_000_000 + b"x", b"\r\n" * 2_500_000 + b"x", b" \r\n" * 1_700_000, b"\t" * 5_000_000]
)
def test_crafted_bodies_are_not_slow(body: bytes) -> None:
    wire = parse(b"From: a@b.org\r\n\r\n" + body)
    begin = time.process_time()
    wire.body_hash(True)
    wire.body_hash(False)
    assert time.process_time() - begin < 10
