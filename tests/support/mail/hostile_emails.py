"""Emails made to break a reader, named after their excesses.

`python -m tests.support.mail.hostile_emails` reads each and prints, as JSON, the processor time and memory
used; with a FOLDER, it writes them there, for `nabu bench read`.
"""

from __future__ import annotations

import base64
import json
import resource
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from mail.authentication.authenticating import Trust, authenticate
from mail.authentication.checks.wire import parse
from mail.reading.author import Author
from mail.reading.message import read, reread

HEAD = b"From: ann@example.org\nSubject: move\n"
MEGABYTES = 5_000_000


def nested(depth: int) -> bytes:
    levels = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth))
    return HEAD + levels + b"Content-Type: text/plain\n\nc4\n"


def html(body: bytes) -> bytes:
    return HEAD + b"Content-Type: text/html; charset=utf-8\n\n" + body


def multipart(body: bytes) -> bytes:
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + body


def text(body: bytes) -> bytes:
    return HEAD + b"Content-Type: text/plain; charset=utf-8\n\n" + body


def signed(names: bytes, fields: bytes, body: bytes) -> bytes:
    """Return an email with eight signatures that have the right hash of the body."""
    digest = base64.b64encode(parse(b"From: a@b.org\n\n" + body).body_hash(relaxed=True))
    signature = (
        b"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=b.org; s=s; h=from:%s; bh=%s; b=%s\n"
        % (names, digest, b"eHh4" * 300)
    )
    return signature * 8 + fields + b"From: a@b.org\n\n" + body


def opaque(game_type: bytes, count: int) -> bytes:
    """Return an email signed with S/MIME, with so many pieces of text, or certificates."""
    pieces = b"\x24\x80" + b"\x04\x01c" * count + b"\0\0" if game_type == b"text" else b"\x04\x02c4"
    others = b"\xa0\x80" + b"\5\0" * count + b"\0\0" if game_type == b"others" else b""
    oid = bytes.fromhex("06092a864886f70d0107")
    content = b"0\x80" + oid + b"\x01\xa0\x80" + pieces + b"\0\0\0\0"
    data = b"0\x80" + oid + b"\x02\xa0\x80" + b"0\x80\2\1\x011\0" + content + others + b"1\0" + b"\0\0" * 3
    head = b"Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\n"
    return HEAD + head + base64.encodebytes(data)


HOSTILE = {
    "signed in pieces": opaque(b"text", 49_900),
    "signed with many certificates": opaque(b"others", 74_900),
    "armour in armour": text(b"-----BEGIN PGP SIGNED MESSAGE-----\n\n" * 100_000),
    "armour without an end": text(b"-----BEGIN PGP MESSAGE-----\n" + b"A: b\n" * 500_000),
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
    "words that a library searches": HEAD + b"\n" + (b"Am " + b"schrieb " * 36 + b"\n") * 500,
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
    "a table with a tall cell beside a wide one": html(
        b"<table><tr><td>" + b"x" * 125_000 + b"</td><td>" + b"<br>" * 31_000
    ),
    "a table of many columns": html(b"<table>" + (b"<tr>" + b"<td>" * 120) * 490),
    "margins": html(b'<div style="margin-top:999999999em">x</div>' * 5_000),
    "few rules in HTML": html(b"<hr>" * 60_000),
    "wide rules in HTML": HEAD
    + b"Content-Type: text/html; charset=utf-16\n\n"
    + ("<hr>" * 60_000).encode("utf-16"),
    "many attributes": html(b"<p " + b"".join(b"a%x " % number for number in range(40_000)) + b">c4"),
    "open elements, and others closed": html(b"<b>" * 40_000 + b"</p>" * 30_000),
    "no more open than are read, and others closed": html(b"<b>" * 290 + b"</p>" * 60_000),
    "breaks in a quote": html(b"<blockquote>" + b"<br>" * 60_000),
    "empty quotes in HTML": html(b"<blockquote></blockquote>" * 10_000),
    "styles of quotes": html((b'<blockquote style="' + b"border:none " * 41 + b'border-left">') * 500),
    "styles of blanks": html((b'<p style="display' + b" " * 480 + b'">') * 500),
    "lines of preformatted text": html(b"<pre>" + b"\n" * 240_000),
    "items": html(b"<li>" * 60_000),
    "lines of underscores": text((b"_" * 399 + b"\n") * 160),
    "shorter lines of underscores": text((b"_" * 127 + b"\n") * 500),
    "a label of underscores": text((b"a" + b"_" * 398 + b"\n") * 160),
    "lines of stars": text((b"*" * 399 + b"\n") * 160),
    "lines between dashes": text((b"--" + b" x--" * 99 + b"x wrote:\n") * 160),
    "emphasis": text(b"*" + b"a*" * 31_000 + b"b"),
    "words in two scripts": text(
        "\n".join(" ".join(f"\u0430{number}" for number in range(250)) for _ in range(60)).encode()
    ),
    "letters that are many": text(("\ufdfa" * 300 + "\n").encode() * 70),
    "marks over a letter": text("\u0315\u0300".encode() * 15_000),
    "as many headers as are read": b"a:\n" * 42_000 + HEAD + b"\nc4\n",
    "lines with colons at their ends": text((b"c4 " * 41 + b":\n") * 500),
    "lines with addresses, and colons at their ends": text((b"c@ " * 41 + b":\n") * 500),
    "items with colons at their ends": html(b"<li>a b:" * 8000),
    "items with endings that a library searches": html(b"<li>a b wrote:" * 8000),
    "lines that introduce": text(b"On 2026-01-01 2026-01-01 wrote:\n" * 500),
    "lines between quoted ones": text(b"> x\ny wrote:\n" * 250),
    "marks over an address": (b"To: a" + "\u0315\u0300".encode() * 3_000 + b"@b.org\n") * 10 + HEAD + b"\nc4",
    "an endless domain": b"From: a@" + "\u00e4".encode() * 9_000 + b".org\n\nc4",
    "domains of other scripts": (b"To: a@" + "\u0915\u200d".encode() * 40 + b".org\n") * 500 + HEAD + b"\nc4",
    "reports of many recipients": HEAD
    + b"Content-Type: multipart/report; boundary=b\n\n"
    + (
        b"--b\nContent-Type: message/delivery-status\n\n"
        + b"".join(b"Final-Recipient:;a%d@b.c\n\n" % number for number in range(400))
    )
    * 100,
    "reports without an address": HEAD
    + b"Content-Type: multipart/report; boundary=b\n\n"
    + (b"--b\nContent-Type: message/delivery-status\n\n" + b"Final-Recipient:;a@@b\n\n" * 400) * 100,
    "one text within others": nested(10).removesuffix(b"c4\n") + b"x\n" * 2_400_000,
    "a line of carriage returns": HEAD + b"\n" + b"\r" * MEGABYTES,
    "signatures of many fields": signed(b":".join([b"x"] * 3_000), b"x: \t \t\n" * 6_000, b" \n" * 2_400_000),
    "signatures over blanks": signed(b"x", b"", b"x \t y\n" * 700_000),
    "what servers found": b"Authentication-Results: mx.us; " + b"(" * 60_000 + b"\n" + HEAD + b"\nc4",
    "seals": b"".join(
        b"ARC-Seal: i=%d; a=rsa-sha256; d=b.org; s=s; cv=%s; b=eHh4\n"
        b"ARC-Message-Signature: i=%d; a=rsa-sha256; d=b.org; s=s; h=from:%s; bh=aa; b=aa\n"
        b"ARC-Authentication-Results: i=%d; x; %s\n"
        % (number, b"pass" if number > 1 else b"none", number, b"x:" * 2_000, number, b"dmarc=pass " * 300)
        for number in range(1, 11)
    )
    + HEAD
    + b"\nc4",
}

_KEY = (
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDuylp+eJRIi5tVq12LB3Hq/36/a7ltiNOJGFzBPjmnAQRHj5h0I9/cWk84Z1gcKNyYEf5z"
    "iEY2ZMCHr8fAqo1edgY4YBImMrHaJy5K/hBB4NSolL4s0Y5UQDzo1Xnl0tLywm0IQC1bY/94xBI+DFsMjPQVbOJh6gjbbn0EjPon0wIDAQAB"
)
_OURS = ["x" * 50 + "\n" + "y z " * 10_000, "\n".join(f"line {number} of ours" for number in range(2000))]


def measure() -> dict[str, tuple[float, float]]:
    """Return for each email the seconds of processor time and the megabytes of memory that reading it took."""
    return {name: _spent(lambda raw=raw: _read(raw)) for name, raw in HOSTILE.items()}  # type: ignore[misc]


def _read(raw: bytes) -> None:
    """Do everything that Nabu does with an email before it acts for its author."""
    reading = read(raw, own="play@games.example")
    assert len(reading.raw_text) <= 64_000
    reread(reading, _OURS)
    trust = Trust(frozenset({"mx.us"}), frozenset({"b.org"}))
    now = datetime(2026, 3, 1, tzinfo=UTC)
    authenticate(raw, Author("ann@b.org"), now=now, trust=trust, lookup=_lookup, peer="192.0.2.1")


def _lookup(name: str, _kind: str) -> list[str]:
    if "_domainkey" in name:
        return [f"v=DKIM1; p={_KEY}"]
    return ["v=DMARC1; p=reject"] if "_dmarc" in name else ["v=spf1 " + "include:%{l}.b.org " * 3000 + "-all"]


def _spent(work: Callable[[], None]) -> tuple[float, float]:
    Path("/proc/self/clear_refs").write_text("5")  # reset the peak
    before, began = _peak(), time.process_time()
    work()
    return time.process_time() - began, _peak() - before


def _peak() -> float:
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def write(folder: Path) -> None:
    """Write each email as a file."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, raw in HOSTILE.items():
        (folder / f"{name}.eml").write_bytes(raw)


def main() -> None:
    """Measure within limits far above the necessary ones, so that an error cannot exhaust the machine."""
    resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))
    resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
    print(json.dumps(measure()))  # noqa: T201 - the output of the command


if __name__ == "__main__":
    if sys.argv[1:]:
        write(Path(sys.argv[1]))
    else:
        main()
