"""The author of an email: read once, and empty if uncertain."""

from __future__ import annotations

import time
from random import Random

import pytest

from mail.fields import split
from mail.reading.author import Author, author_of
from mail.reading.message import read
from tests.support.mail import from_fields


def author(head: bytes) -> Author:
    return author_of(split(head + b"\r\nTo: play@games.example\r\n\r\nc4\r\n")[0])


@pytest.mark.parametrize("form", from_fields.HONEST)
def test_one_address_in_a_usual_form_is_the_author(form: bytes) -> None:
    assert author(b"From: " + form % b"Ann@Example.org").address == "ann@example.org"


@pytest.mark.parametrize(
    ("value", "address", "name"),
    [
        ('"Lee, Ann" <ann@example.org>', "ann@example.org", "Lee, Ann"),
        ("=?utf-8?q?J=C3=B6rg_=22x=22?= <j@example.org>", "j@example.org", 'Jörg "x"'),
        ('"=?utf-8?q?J=C3=B6rg?=" <j@example.org>', "j@example.org", "Jörg"),
        ("ann@example.org (Ann)", "ann@example.org", ""),
        ("ann@example.org <ann@example.org>", "ann@example.org", "ann@example.org"),
        ("Jörg <jörg@bücher.example>", "jörg@xn--bcher-kva.example", "Jörg"),
        ("jörg@BÜCHER.example", "", ""),
        ("ann@xn--bcher-kva.example", "ann@xn--bcher-kva.example", ""),
        ("Ann\r\n =?utf-8?q?Lee?=\r\n\t<ann@example.org>", "ann@example.org", "Ann Lee"),
    ],
)
def test_author_has_name_and_address(value: str, address: str, name: str) -> None:
    found = author(f"From: {value}".encode())
    assert (found.address, found.name) == (address, name)


@pytest.mark.parametrize(
    "head",
    [
        b"X: y",
        b"From:",
        b"From: Ann",
        b"From: <>",
        b"From: a@x.org, b@x.org",
        b"From: a@x.org; b@x.org",
        b"From: a@x.org\r\nFrom: a@x.org",
        b"From: a@x.org\r\nfrom : a@x.org",
        b"From : a@x.org",
        b"From: players: a@x.org;",
        b"From: <b@x.org:a@x.org>",
        b"From: <@x.org:a@x.org>",
        b"From: b@x.org <a@x.org>",
        b"From: \"b\"@x.org <a@x.org>",
        b"From: <a@x.org> Ann",
        b"From: <a@x.org> <a@x.org>",
        b"From: <<a@x.org>>",
        b"From: a@x.org (Ann",
        b"From: a@x.org Ann)",
        b"From: a@x.org (Ann (b))",
        b"From: \"Ann <a@x.org>",
        b"From: Ann\\ <a@x.org>",
        b"From: a(x)@x.org",
        b"From: =?utf-8?q?a=40x.org?=",
        b"From: <=?utf-8?q?a?=@x.org>",
        b"From: =?utf-8?q?a?=@x.org",
        b"From: Ann <a@x.org\r\n .org>",
        b"From: \xa0<a@x.org>",
        b"From: J\xf6rg <a@x.org>",
        b"From: \xc2\xa0a@x.org",
        b"From: <\xc2\xa0a@x.org>",
        b"From: a@\xef\xbd\x98.org",
        b"From: a@x\xe3\x80\x82org",
        b"From: \xe2\x84\xaaarl@x.org",
        b"From: a@x.org\xe2\x80\xa8",
        b"From: Ann\x07 <a@x.org>",
        b"From: a@x.org\0",
        b"X: \0\r\nFrom: a@x.org",
        b"no field\r\nFrom: a@x.org",
        b"From: a@x.org\rTo: b@x.org",
        b"X: " + b"y" * 130_000 + b"\r\nFrom: a@x.org",
        b"From: " + b"Ann " * 1500 + b"<a@x.org>",
    ],
)  # fmt: skip
def test_ambiguous_from_gives_no_author_and_a_reason(head: bytes) -> None:
    found = author(head)
    assert (found.address, found.domain, found.name) == ("", "", "")
    assert found.why.endswith(".")


@pytest.mark.parametrize("head", [b"X: y", b"From:", b"From: Ann"])
def test_reason_names_a_missing_address(head: bytes) -> None:
    assert author(head).why == "There is no email address in From."


ONCE = [
    "Sender", "Reply-To", "Message-ID", "In-Reply-To", "References", "Subject", "Date", "MIME-Version",
    "Content-Type", "Content-Transfer-Encoding", "Content-ID", "Content-Description", "Content-Disposition",
]  # fmt: skip


@pytest.mark.parametrize("name", ONCE)
def test_repeated_header_field_gives_no_author(name: str) -> None:
    twice = f"{name}: x\r\nFrom: ann@example.org\r\n{name.upper()}: x".encode()
    assert author(twice) == Author(why=f"It has more than one field {name}.")
    assert author(f"{name}: x\r\nFrom: ann@example.org".encode()).address == "ann@example.org"


def test_some_fields_may_occur_several_times() -> None:
    assert (
        author(b"From: ann@example.org\r\nTo: a@x.org\r\nCc: b@x.org\r\nCc: c@x.org").address
        == "ann@example.org"
    )


@pytest.mark.slow
def test_checked_author_is_the_one_that_other_programs_read() -> None:
    random = Random(20261120)
    for number in range(10_000):
        raw = from_fields.mail(random)
        sender, verdict = from_fields.judged(raw)
        assert from_fields.fault(raw, sender, verdict) == "", raw
        # Reading the complete email takes longer, and gives the same author.
        assert number % 10 or read(raw).author == sender, raw


@pytest.mark.parametrize(
    "piece", [b"(", b'"', b"<", b"\\", b'"\\', b",", b"<>", b"()", b"=?utf-8?q?a?= ", b" "]
)
def test_long_from_is_read_fast(piece: bytes) -> None:
    begin = time.process_time()
    author(b"From: " + piece * 60_000)
    assert time.process_time() - begin < 5
