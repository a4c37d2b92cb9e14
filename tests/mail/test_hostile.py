"""Mails made to break a reader: none may raise, and none may take long."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mail.quoting import split
from mail.reading import read

SAMPLES = [path.read_bytes() for path in sorted((Path(__file__).parent.parent / "mails" / "in").glob("*.eml"))]
HEAD = b"From: ann@example.org\nSubject: move\n"
MEGABYTES = 5_000_000


def nested(depth: int) -> bytes:
    levels = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth))
    return HEAD + levels + b"Content-Type: text/plain\n\nc4\n"


def html(body: bytes) -> bytes:
    return HEAD + b"Content-Type: text/html; charset=utf-8\n\n" + body


def multipart(body: bytes) -> bytes:
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + body


HOSTILE = {
    "multiparts in each other": nested(1000),
    "multiparts with one boundary": HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" * 20_000,
    "many parts": multipart(b"--b\n\nx\n" * 50_000),
    "many parts of HTML": multipart(b"--b\nContent-Type: text/html\n\n<p>x\n" * 20_000),
    "almost boundaries": multipart(b"--bx" * 1_000_000),
    "almost boundaries on lines": nested(10) + b"--b0x\n" * 800_000,
    "an endless header": b"From: ann@example.org\nX: " + b"y" * MEGABYTES,
    "a header of many lines": b"From: ann@example.org\nX: y" + b"\n y" * 1_000_000,
    "many headers": b"a:\n" * 1_000_000 + HEAD,
    "many recipients": b"To: a@b.org\n" * 100_000 + HEAD + b"\nc4\n",
    "many addresses": b"To: " + b"a@b.org, " * 20_000 + b"\n" + HEAD + b"\nc4\n",
    "many senders": b"From: a@b.org\n" * 100_000 + b"\nc4\n",
    "brackets in From": b"From: " + b"(" * 5_000 + b"a@b.org\n\nc4\n",
    "quotes in From": b"From: " + b'"\\' * 50_000 + b"a@b.org\n\nc4\n",
    "encoded words": b"Subject: " + b"=?utf-8?q?a?= " * 20_000 + b"\n" + HEAD + b"\nc4\n",
    "half encoded words": b"Subject: " + b"=?utf-8?q?" * 50_000 + b"\n" + HEAD + b"\nc4\n",
    "references": b"References: " + b"<a@b> " * 100_000 + b"\n" + HEAD + b"\nc4\n",
    "half references": b"References: " + b"<" * 100_000 + b"\n" + HEAD + b"\nc4\n",
    "parameters": b"Content-Type: text/plain" + b"; " * 50_000 + b"\n" + HEAD + b"\nc4\n",
    "quoted parameters": b"Content-Type: multipart/mixed" + b';boundary="' * 10_000 + b"\n" + HEAD + b"\nc4\n",
    "blanks in a parameter": b"Content-Type: text/plain; charset" + b" " * 100_000 + b"\n" + HEAD + b"\nc4\n",
    "one line": HEAD + b"\n" + b"x" * MEGABYTES,
    "empty lines": HEAD + b"\n" + b"\n" * MEGABYTES,
    "blanks": HEAD + b"\n" + b" " * MEGABYTES,
    "lines of blanks": HEAD + b"\n" + (b" " * 900 + b"\n") * 5_000,
    "colons": HEAD + b"\n" + b"a:" * 500_000,
    "lines with colons": HEAD + b"\n" + b"On 2.3.2026 a@b.org wrote:\n" * 50_000,
    "labels": HEAD + b"\n" + b"From: a@b.org 2026\n" * 50_000,
    "quotes": HEAD + b"\n" + b">" * MEGABYTES,
    "lines of quotes": HEAD + b"\n" + b"> x\n" * 500_000,
    "dashes": HEAD + b"\n" + b"-" * MEGABYTES,
    "half sentinels": HEAD + b"\n" + b"##-" * 500_000,
    "what a library looks for": HEAD + b"\n" + (b"Am " + b"schrieb " * 36 + b"\n") * 500,
    "flowed": HEAD + b"Content-Type: text/plain; format=flowed\n\n" + b"x \n" * 500_000,
    "flowed quotes": HEAD + b"Content-Type: text/plain; format=flowed\n\n" + b"> " * 500_000,
    "base64": HEAD + b"Content-Transfer-Encoding: base64\n\n" + b"=" * MEGABYTES,
    "quoted-printable": HEAD + b"Content-Transfer-Encoding: quoted-printable\n\n" + b"=" * MEGABYTES,
    "utf-7": HEAD + b"Content-Type: text/plain; charset=utf-7\n\n" + b"+AGE-" * 500_000,
    "punycode": HEAD + b"Content-Type: text/plain; charset=punycode\n\n" + b"a-" + b"9" * 500_000,
    "deep HTML": html(b"<div>" * 100_000 + b"c4"),
    "deep quotes in HTML": html(b"<blockquote>x" * 100_000),
    "wide quotes in HTML": html(b"<blockquote>x</blockquote>" * 100_000),
    "tables in tables": html(b"<table><tr><td>" * 50_000),
    "cells": html(b"<table><tr>" + b"<td>x" * 100_000),
    "lists in lists": html(b"<ul><li>" * 50_000),
    "rules in HTML": html(b"<hr>" * 500_000),
    "a long style": html(b'<blockquote style="' + b"border:none " * 50_000 + b'border-left">c4'),
    "attributes": html(b"<p " + b"a=b " * 500_000 + b">c4"),
    "classes": html(b'<p class="' + b"a " * 500_000 + b'">c4'),
    "angle brackets": html(b"<" * MEGABYTES),
    "comments": html(b"<!--" * 500_000),
    "entities": html(b"&amp;" * 500_000),
    "a report on many": HEAD
    + b"Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n"
    + b"Final-Recipient: rfc822; a@b.org\nAction: failed\nStatus: 5.1.1\n\n" * 50_000,
    "many reports": HEAD
    + b"Content-Type: multipart/report; boundary=b\n\n"
    + (b"--b\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; a@b.org\nAction: failed\n\n")
    * 5_000,
    "a report of addresses": b"From: mailer-daemon@b.org\nX-Failed-Recipients: "
    + b"a@b.org," * 50_000
    + b"\n\n"
    + b"<a@b.org>:\n" * 50_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_mail_takes_long(name: str) -> None:
    before = time.process_time()
    reading = read(HOSTILE[name], own="play@games.example", sent=["x" * 50 + "\n" + "y z " * 10_000])
    assert time.process_time() - before < 5
    assert len(reading.raw_text) <= 64_000


@pytest.mark.parametrize("mail_from", [None, "", "a@b.org"])
@pytest.mark.parametrize("raw", [b"", b"\n", b"\0", b"\r", b":", b"\xff\xfe", b"From:", b"\n\n\n\n", b" \n \n"])
def test_next_to_nothing_is_read_as_nothing(raw: bytes, mail_from: str | None) -> None:
    reading = read(raw, mail_from=mail_from)
    assert (reading.sender, reading.message_id, reading.recipients) == ("", "", ())


@given(st.binary(max_size=2000))
def test_any_bytes_can_be_read(raw: bytes) -> None:
    assert read(raw).kind in ("reply", "auto", "list", "bounce", "loop")


@settings(max_examples=400)
@given(
    sample=st.sampled_from(SAMPLES),
    other=st.sampled_from(SAMPLES),
    cuts=st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=12)), max_size=6),
    join=st.floats(0, 1),
)
def test_damaged_mails_can_be_read(
    sample: bytes, other: bytes, cuts: list[tuple[float, bytes]], join: float
) -> None:
    for where, what in cuts:
        place = int(where * len(sample))
        sample = sample[:place] + what + sample[place + len(what) :]
    place = int(join * len(sample))
    reading = read(
        sample[:place] + other[place:], own="play@games.example", sent=["one line of a mail of ours"]
    )
    reading.text.encode()
    reading.raw_text.encode()
    f"{reading.sender}{reading.sender_name}{reading.message_id}{reading.subject}{reading.recipients}".encode()


@given(st.text(st.sampled_from("ab:@> \n-_#*1.2")), st.text(st.sampled_from("ab:@> \n-_#*1.2")))
def test_no_line_is_lost_or_invented(text: str, ours: str) -> None:
    written = split(text, [ours])
    parted = f"{written.text}\n{written.below}\n{written.rest}".split()
    assert sorted(parted) == sorted(text.split())
