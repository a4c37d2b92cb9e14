"""Outgoing emails: the standard library must read back every value, and nothing else can get in."""

from __future__ import annotations

import email.message
import email.policy
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.outgoing.composing import Attachment, Mail, compose

BOARD = "  a b c  \n3 . X .\n2 O . .\n1 . . .\n\n.\n..\nFrom here on: c4  \n"
LETTER = Mail(
    sender="Nabu <play@games.example>",
    recipient="ann@example.org",
    reply_to="play+k7q2@games.example",
    subject="Nibble 17: Ann - Ben",
    text=BOARD,
    html="<p>It is your turn.</p>\n",
    message_id="17.3@games.example",
    date=datetime(2026, 3, 1, 12, 0, tzinfo=UTC),
)


def read(raw: bytes) -> email.message.EmailMessage:
    message = message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, email.message.EmailMessage)
    assert not message.defects
    return message


def content(raw: bytes, kind: str) -> str:
    part = read(raw).get_body((kind,))
    assert isinstance(part, email.message.EmailMessage)
    text = part.get_content()
    assert isinstance(text, str)
    return text.replace("\r\n", "\n")


def test_every_header_occurs_once() -> None:
    mail = replace(
        LETTER,
        in_reply_to="<m1@example.org>",
        references=("root@games.example", "<m1@example.org>"),
        headers=(("List-Unsubscribe", "<https://games.example/stop/k7>"), ("Feedback-ID", "turn:17:nabu")),
    )
    assert compose(mail).decode().partition("\r\n\r\n")[0].split("\r\n") == [
        "From: Nabu <play@games.example>",
        "To: ann@example.org",
        "Reply-To: play+k7q2@games.example",
        "Subject: Nibble 17: Ann - Ben",
        "Date: Sun, 01 Mar 2026 12:00:00 +0000",
        "Message-ID: <17.3@games.example>",
        "In-Reply-To: <m1@example.org>",
        "References: <root@games.example> <m1@example.org>",
        "Auto-Submitted: auto-generated",
        "X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply",
        "x-ms-reactions: disallow",
        "X-Nabu: 1",
        "List-Unsubscribe: <https://games.example/stop/k7>",
        "Feedback-ID: turn:17:nabu",
        "MIME-Version: 1.0",
        "Content-Type: multipart/alternative;",
        ' boundary="=_text_c135bbb21a65086ef279e141b83b8b6e"',
    ]


def test_answer_has_the_headers_of_an_answer() -> None:
    assert read(compose(LETTER))["Auto-Submitted"] == "auto-generated"
    assert read(compose(replace(LETTER, is_answer=True)))["Auto-Submitted"] == "auto-replied"


def test_text_comes_first_and_both_parts_are_read_back() -> None:
    raw = compose(LETTER)
    assert [part.get_content_type() for part in read(raw).iter_parts()] == ["text/plain", "text/html"]
    assert content(raw, "plain") == BOARD
    assert content(raw, "html") == LETTER.html


def test_text_is_not_marked_as_flowed() -> None:
    assert b"flowed" not in compose(LETTER)


@pytest.mark.parametrize(
    "text",
    [
        "Ваш ход, Борис. Напишите его над этой строкой.\n" * 20,
        "あなたの番です。\n" * 20,
        "x" * 5000,
        "é" * 5000 + "\n",
        "--=_text_c135bbb21a65086ef279e141b83b8b6e--\n",
        "",
    ],
)
def test_any_text_is_read_back_in_short_ascii_lines(text: str) -> None:
    raw = compose(replace(LETTER, text=text, html=text))
    assert content(raw, "plain") == text
    assert content(raw, "html") == text
    assert raw.isascii()
    assert max(map(len, raw.split(b"\r\n"))) <= 78
    assert b"\n" not in raw.replace(b"\r\n", b"")


@given(text=st.text(), subject=st.text(st.characters(exclude_categories=["Cc", "Cs"])))
def test_any_text_of_a_player_can_be_sent(text: str, subject: str) -> None:
    raw = compose(replace(LETTER, text=text, subject=subject))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").encode(errors="replace").decode()
    assert content(raw, "plain") == lines
    assert "".join(str(read(raw)["Subject"]).split()) == "".join(subject.split())


def test_compose_is_deterministic_and_boundaries_differ() -> None:
    assert compose(LETTER) == compose(replace(LETTER))
    other = compose(replace(LETTER, message_id="other@games.example"))
    assert read(other).get_boundary() != read(compose(LETTER)).get_boundary()


@pytest.mark.parametrize(
    ("mailbox", "name", "address"),
    [
        ("ann@example.org", "", "ann@example.org"),
        ("<ann@example.org>", "", "ann@example.org"),
        ('"Lee, Ann" <ann@example.org>', "Lee, Ann", "ann@example.org"),
        ("Lee, Ann (black) <ann@example.org>", "Lee, Ann (black)", "ann@example.org"),
        ('A "the axe" \\ Lee <ann@example.org>', 'A "the axe" \\ Lee', "ann@example.org"),
        ("evil@example.com <ann@example.org>", "evil@example.com", "ann@example.org"),
        ("<evil@example.com>, <ann@example.org>", "<evil@example.com>,", "ann@example.org"),
        ("Jörg Müller <joerg@example.org>", "Jörg Müller", "joerg@example.org"),
        ("=?utf-8?q?x?= <ann@example.org>", "=?utf-8?q?x?=", "ann@example.org"),
    ],
)
def test_unusual_names_remain_names(mailbox: str, name: str, address: str) -> None:
    header = read(compose(replace(LETTER, recipient=mailbox)))["To"]
    assert [(each.display_name, each.addr_spec) for each in header.addresses] == [(name, address)]


@pytest.mark.parametrize("subject", ["Zug – Jörg " * 30, "move " * 60, "x" * 3000, "=?utf-8?q?evil?="])
def test_long_and_unusual_subjects_are_folded(subject: str) -> None:
    raw = compose(replace(LETTER, subject=subject))
    assert str(read(raw)["Subject"]).strip() == subject.strip()
    assert max(map(len, raw.split(b"\r\n"))) <= 78


@pytest.mark.parametrize(
    "change",
    [
        {"subject": "move\r\nBcc: all@example.org"},
        {"subject": "move\nBcc: all@example.org"},
        {"subject": "move\x00"},
        {"sender": "Ann\r\nBcc: x <play@games.example>"},
        {"recipient": "ann@example.org\nBcc: all@example.org"},
        {"recipient": "ann@example.org, ben@example.org"},
        {"recipient": "ann"},
        {"reply_to": "play@games.example>\r\nX: y"},
        {"message_id": "a@b>\r\nX: y"},
        {"message_id": "a b@c"},
        {"message_id": ""},
        {"in_reply_to": "a@b\r\nX: y"},
        {"references": ("a@b", "c\nX: y")},
        {"headers": (("X-Kind", "a\r\nBcc: all@example.org"),)},
        {"headers": (("X-Kind: a\r\nBcc", "all@example.org"),)},
        {"attachments": (Attachment("a.json", "application/json\r\nX: y", b""),)},
        {"attachments": (Attachment("a\r\nX: y", "application/json", b""),)},
        {"date": datetime(2026, 3, 1)},  # noqa: DTZ001 (the value to be refused)
    ],
)
def test_forbidden_header_values_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"is no|control character|time zone"):
        compose(replace(LETTER, **change))  # type: ignore[arg-type]


def test_malformed_message_id_does_not_prevent_an_answer() -> None:
    raw = compose(replace(LETTER, in_reply_to="[abc def]@x", references=("ok@x", "ä@x", "a<b@x", "")))
    message = read(raw)
    assert message["In-Reply-To"] is None
    assert message["References"] == "<ok@x>"


def test_attachments_come_after_the_text() -> None:
    files = (
        Attachment("spiel 17.json", "application/json", b'{"a": 1}'),
        Attachment("ö.bin", "image/png", b"\xff" * 200),
        Attachment("verify.md", "text/plain", "“ö”".encode()),
    )
    message = read(compose(replace(LETTER, attachments=files)))
    parts = list(message.iter_parts())
    assert [part.get_content_type() for part in parts] == [
        "multipart/alternative",
        "application/json",
        "image/png",
        "text/plain",
    ]
    assert [part.get_content_charset() for part in parts[1:]] == [None, None, "utf-8"]
    assert [(part.get_filename(), part.get_payload(decode=True)) for part in parts[1:]] == [
        ("spiel 17.json", b'{"a": 1}'),
        ("ö.bin", b"\xff" * 200),
        ("verify.md", "“ö”".encode()),
    ]
