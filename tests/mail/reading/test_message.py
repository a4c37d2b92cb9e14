"""Emails shaped like those of real programs, each with its expected reading."""

from __future__ import annotations

import pytest

from mail.reading.author import Author
from mail.reading.message import Reading, needs_sent_texts, read
from mail.reading.quoting import SENTINEL, Written
from tests.support.folders import MAILS

SENT = (MAILS / "sent.txt").read_text()
NAMES = sorted(path.stem for path in (MAILS / "in").glob("*.eml"))


def written_down(reading: Reading) -> str:
    """Return a reading in the format of tests/mails/out."""
    lines = [f"kind: {reading.kind}", f"sender: {reading.sender}"]
    for bounce in reading.bounces:
        hardness = "hard" if bounce.hard else "soft"
        lines.append(f"bounce: {bounce.address} {bounce.status or '-'} {hardness}")
    return "\n".join([*lines, "", reading.text]).rstrip("\n") + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sent", [(), (SENT,)], ids=["unknown", "known"])
def test_reading_of_sample_emails(name: str, sent: tuple[str, ...]) -> None:
    """The result is the same with and without the text that the server sent."""
    raw = (MAILS / "in" / f"{name}.eml").read_bytes()
    expected = (MAILS / "out" / f"{name}.txt").read_text().rstrip("\n") + "\n"
    assert written_down(read(raw, own="play@games.example", sent=sent)) == expected
    assert written_down(read(raw.replace(b"\n", b"\r\n"), own="play@games.example", sent=sent)) == expected


def test_every_expected_reading_has_its_email() -> None:
    assert sorted(path.stem for path in (MAILS / "out").glob("*.txt")) == NAMES


def test_every_field_of_an_email_is_read() -> None:
    raw = (
        b"From: =?utf-8?q?J=C3=B6rg_=22the_axe=22?= <Joerg@Example.ORG>\n"
        b"To: Nabu <play+b@games.example>, ann@example.org\nCc: play+c@games.example, not an address\n"
        b"Delivered-To: play+A@games.example\nX-Original-To: play+b@games.example\n"
        b"Subject: =?utf-8?b?w5Y=?=\n  Nibble\nMessage-ID:  <m1@example.org> (comment)\n"
        b"In-Reply-To: <17.2@games.example>\nReferences: <17@games.example>\n\t<17.2@games.example> junk <\n\n"
        b"c4\n-- \nJ\n"
    )
    assert read(raw) == Reading(
        kind="reply",
        why="",
        author=Author("joerg@example.org", 'Jörg "the axe"'),
        message_id="m1@example.org",
        subject="Ö Nibble",
        recipients=(
            "play+a@games.example",
            "play+b@games.example",
            "ann@example.org",
            "play+c@games.example",
        ),
        answers=("17.2@games.example", "17@games.example"),
        raw_text="c4\n-- \nJ\n",
        written=Written("c4", rest="--\nJ", ended_by="a signature"),
    )


@pytest.mark.parametrize("name", ["References", "In-Reply-To"])
def test_answered_email_is_named_by_either_field(name: str) -> None:
    assert read(f"{name}: <17.2@games.example>\n\nc4\n".encode()).answers == ("17.2@games.example",)


def test_only_the_last_hundred_ids_of_a_thread_are_read() -> None:
    ids = [f"{number}@games.example" for number in range(150)]
    raw = f"From: ann@example.org\nReferences: {' '.join(f'<{each}>' for each in ids)}\n\nc4\n"
    assert read(raw.encode()).answers == tuple(reversed(ids[50:]))


QUOTE = f"> {SENTINEL}\n>\n> Ben played d5.\n> It is your move.\n"


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        (f"c4\n{QUOTE}", False),
        (f"c4\n{SENTINEL}\nBen played d5.\n\n{'It is your move. ' * 4}", False),
        (f"c4\n{SENTINEL}\nBen played d5.\n\nd5", True),
        ("c4\n\n> Ben played d5.\n> It is your move.\n> d5", True),
        (QUOTE, True),
        (f"> {SENTINEL}", True),
        ("", True),
        (f"c4\n{QUOTE}\nd5", True),
        (f"{QUOTE}\nd5", True),
        ("> Ben played d5.\nd5", True),
        ("c4\n> Ben played d5.\nd5", True),
        ("c4\n> Ben played d5.\nd5\n> It is your move.", True),
        ("c4", False),
    ],
)
def test_sent_texts_are_needed_if_a_quote_may_be_in_the_text(text: str, needed: bool) -> None:
    """To render them takes time, so an email that is clear is read without."""
    assert needs_sent_texts(read(f"From: ben@example.org\n\n{text}".encode())) == needed


@pytest.mark.parametrize(
    ("header", "message_id"),
    [
        ("<[4f2b]@outlook.com>", "[4f2b]@outlook.com"),
        ("m1@example.org", "m1@example.org"),
        ("<m1@exa mple.org>", "m1@example.org"),
        ("<>", ""),
        ("", ""),
        ("x" * 2000, "x" * 500),
    ],
)
def test_any_message_id_can_be_read(header: str, message_id: str) -> None:
    assert read(f"Message-ID: {header}\n\nc4\n".encode()).message_id == message_id


@pytest.mark.parametrize(
    ("plain", "text"),
    [
        ("", "d5"),
        (" \n", "d5"),
        ("\ufeff\u200b\u00a0", "d5"),
        ("&nbsp;\n&#8203;", "d5"),
        ("Your program does not show HTML.", "d5"),
        ("x" * 496 + "html", "d5"),
        ("x" * 497 + "html", "x" * 497 + "html"),
        ("c4", "c4"),
    ],
)
def test_html_is_read_if_the_plain_text_is_empty_or_a_note(plain: str, text: str) -> None:
    head = "Message-ID: <m1@example.org>\nContent-Type: multipart/alternative; boundary=b\n\n"
    parts = f"--b\n\n{plain}\n--b\nContent-Type: text/html\n\n<p>d5</p>\n--b--\n"
    assert read((head + parts).encode()).raw_text.strip() == text


@pytest.mark.parametrize(
    ("plain", "html", "text"),
    [
        ("i1 i9", "<p><s>i1</s> i9</p>", "i9"),
        ("i1 i9", "<p><strike>i1</strike> i9</p>", "i9"),
        ("i1 i9", '<p><span style="text-decoration: line-through">i1</span> i9</p>', "i9"),
        ("i1 i9", '<p><span style="text-decoration-line:line-through">i1</span> i9</p>', "i9"),
        ("c4", "<p><del>c4</del></p>", ""),
        # Nothing of the person's is struck out, so the plain text is read.
        ("c4", "<p>d5</p><blockquote><p><s>a1</s></p></blockquote>", "c4"),
        ("c4", "<p><s> </s>d5</p>", "c4"),
        ("c4", "<p>d5, and no line-through</p>", "c4"),
        ("c4", "<p>d5</p><small>it is a <span>detail</span></small>", "c4"),
        ("~~i1~~ i9", "<p>~~i1~~ i9</p>", "i9"),
        ("~~c4~~", "", ""),
        ("~ ~~ c4", "", "~ ~~ c4"),
    ],
)
def test_struck_out_text_is_not_read(plain: str, html: str, text: str) -> None:
    head = "Message-ID: <m1@example.org>\nContent-Type: multipart/alternative; boundary=b\n\n"
    parts = f"--b\n\n{plain}\n--b\nContent-Type: text/html\n\n{html}\n--b--\n"
    assert read((head + parts).encode()).text == text


@pytest.mark.parametrize(("kind", "text"), [("alternative", "c4"), ("mixed", "c4\nd5")])
def test_first_of_two_alternatives_is_read_and_both_texts_of_a_mixed_email(kind: str, text: str) -> None:
    head = f"Message-ID: <m1@example.org>\nContent-Type: multipart/{kind}; boundary=b\n\n"
    assert read(f"{head}--b\n\nc4\n--b\n\nd5\n--b--\n".encode()).text == text


def test_markdown_and_attached_text_are_read() -> None:
    assert read(b"Content-Type: text/markdown\n\nc4\n").text == "c4"
    head = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n"
    attached = b"\n--b\nContent-Disposition: attachment; filename=a.txt\n\nc4\n--b--\n"
    assert read(head + attached).text == "c4"
    assert read(head + b"d5" + attached).text == "d5"
