"""Mails as they arrive after something went wrong on the way: lines and bytes damaged at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

Lines = list[tuple[str, bool]]
"""Lines of a text, each with whether it is the writer's own."""

_MARKS = ("> ", ">", ">> ", "| ", "* ", "    ", "\t", "\u200b", "\ufeff", "-- ", "On ", "1. ")
_INSERTS = ("", "--", "Sent from my iPhone", "________________________________", "Ann wrote:", "> ", "say", "0")
_BYTES = (
    b"\0",
    b"\xff",
    b"\n",
    b"\n\n",
    b"=",
    b"=\n",
    b"--",
    b">",
    b":",
    b";",
    b"\r",
    b"\xc3",
    b'"',
    b"<",
    b"&",
    b"=00",
    b"+2AA-",
    b"=?utf-7?q?+2AA-?=",
    b"&#0;",
    b"&#xd800;",
    b"<table><tr><td>",
    b"</blockquote>",
    b"<!--",
)
_FIELDS = (
    b"From: eve@example.com\n",
    b"From: eve@example.com, ",
    b"Subject: stop\n",
    b"Content-Type: text/html; charset=utf-7\n",
    b"Content-Type: multipart/mixed; boundary=x\n",
    b"Content-Transfer-Encoding: base64\n",
    b"Auto-Submitted: auto-replied\n",
    b"References: <x@example.org>\n",
    b"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=s; h=from; bh=; b=\n",
    b"Authentication-Results: mx; dmarc=pass\n",
)


def damaged_lines(lines: Lines, random: Random) -> Lines:
    """The lines with a few of them lost, doubled, moved, marked or broken; each keeps whose it is."""
    lines = list(lines)
    for _ in range(random.randint(1, 5)):
        if lines:
            random.choice(_LINE_DAMAGES)(lines, random.randrange(len(lines)), random)
    return lines


def damaged_bytes(raw: bytes, others: Sequence[bytes], random: Random) -> bytes:
    """The mail with bytes changed, lost, doubled or inserted, or with the end of another."""
    for _ in range(random.randint(1, 6)):
        place = random.randrange(len(raw) + 1)
        match random.randrange(8):
            case 0:
                raw = raw[:place] + random.choice(_BYTES) + raw[place + random.randrange(2) :]
            case 1:
                raw = raw[:place] + random.randbytes(random.randint(1, 8)) + raw[place:]
            case 2:
                raw = raw[:place] + raw[place + random.randint(1, 200) :]
            case 3:
                raw = raw[:place] + raw[max(0, place - random.randint(1, 2000)) :]
            case 4:
                other = random.choice(others)
                raw = raw[:place] + other[random.randrange(len(other)) :]
            case 5:
                raw = raw[:place]
            case 6:
                # A line of its own, at the top or after another of the header.
                lines = raw[: raw.find(b"\n\n") + 1].splitlines(keepends=True)
                above = sum(map(len, lines[: random.randint(0, len(lines))]))
                raw = raw[:above] + random.choice(_FIELDS) + raw[above:]
            case _:
                raw = raw.replace(*random.choice(_RELABELLED))
    return raw


def _lose(lines: Lines, place: int, random: Random) -> None:
    del lines[place : place + random.randint(1, 10)]


def _double(lines: Lines, place: int, random: Random) -> None:
    lines[place:place] = lines[place : place + random.randint(1, 10)]


def _move(lines: Lines, place: int, random: Random) -> None:
    moved = lines[place : place + random.randint(1, 10)]
    del lines[place : place + len(moved)]
    target = random.randint(0, len(lines))
    lines[target:target] = moved


def _mark(lines: Lines, place: int, random: Random) -> None:
    mark = random.choice(_MARKS)
    for number in range(place, min(len(lines), place + random.randint(1, 20))):
        lines[number] = (mark + lines[number][0], lines[number][1])


def _unmark(lines: Lines, place: int, random: Random) -> None:
    for number in range(place, min(len(lines), place + random.randint(1, 20))):
        lines[number] = (lines[number][0].lstrip("> "), lines[number][1])


def _break(lines: Lines, place: int, random: Random) -> None:
    text, own = lines[place]
    at = random.randint(0, len(text))
    lines[place : place + 1] = [(text[:at], own), (text[at:], own)]


def _insert(lines: Lines, place: int, random: Random) -> None:
    # Whatever comes in on the way is no more the writer's than the quote.
    lines.insert(place, (random.choice(_INSERTS), False))


_LINE_DAMAGES: tuple[Callable[[Lines, int, Random], None], ...] = (
    _lose,
    _double,
    _move,
    _mark,
    _unmark,
    _break,
    _insert,
)
_RELABELLED = (
    (b"utf-8", b"utf-16"),
    (b"utf-8", b"iso-2022-kr"),
    (b"utf-8", b"utf-7"),
    (b"utf-8", b"hz-gb-2312"),
    (b"utf-8", b"unknown-8bit"),
    (b"<div", b"<table><tr><td"),
    (b"</", b"<"),
    (b"<br>", b"<hr>"),
    (b"<p", b"<blockquote"),
    (b"style=", b"style=display:none;"),
    (b"quoted-printable", b"base64"),
    (b"base64", b"quoted-printable"),
    (b"text/plain", b"text/html"),
    (b"text/html", b"text/plain"),
    (b"multipart/alternative", b"multipart/mixed"),
    (b"charset", b"boundary"),
    (b"\n> ", b"\n"),
    (b"##-", b""),
    (b"Content-Type", b"Content-Typ"),
    (b"From:", b"From: <"),
)
