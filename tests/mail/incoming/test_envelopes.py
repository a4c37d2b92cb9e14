"""The recipient and the sender of an email without an envelope."""

from __future__ import annotations

import pytest

from mail.incoming.envelopes import NOBODY, received


def ours(address: str) -> bool:
    return address.startswith("play") and address.endswith("@games.example")


def envelope(*fields: str) -> tuple[str, tuple[str, ...]]:
    content = "\r\n".join([*fields, "", "c4", ""]).encode()
    mail = received("imap", content, ours=ours)
    assert (mail.source, mail.peer, mail.content) == ("imap", "", content)
    return mail.mail_from, mail.recipients


@pytest.mark.parametrize(
    ("fields", "recipients"),
    [
        (["To: play+a1@games.example"], ["play+a1@games.example"]),
        (["To: PLAY+A1@Games.Example"], ["play+a1@games.example"]),
        (["To: Ben <ben@example.org>, Nabu <play+a1@games.example>"], ["play+a1@games.example"]),
        (["To: ben@example.org", "Cc: play+a1@games.example"], ["play+a1@games.example"]),
        (["To: play+a@games.example", "Cc: play+b@games.example"], [f"play+{x}@games.example" for x in "ab"]),
        (["To: play+a1@games.example, play+a1@games.example"], ["play+a1@games.example"]),
        (["Delivered-To: play+a1@games.example", "To: play+b2@games.example"], ["play+a1@games.example"]),
        (["X-Original-To: play+a1@games.example", "To: play+b2@games.example"], ["play+a1@games.example"]),
        (["Envelope-To: play+a1@games.example", "To: play+b2@games.example"], ["play+a1@games.example"]),
        (["Delivered-To: play@games.example", "To: play+b2@games.example"], ["play+b2@games.example"]),
        (["Delivered-To: box@host.example", "To: play+b2@games.example"], ["play+b2@games.example"]),
        (["Delivered-To: play@games.example", "To: list@example.org"], ["play@games.example"]),
        (["To: list@example.org"], [NOBODY]),
        (["To: play+a1@games.example <play+b2@games.example> <x@y.org>"], [NOBODY]),
        (["Subject: x"], [NOBODY]),
        (["To: " + "a@b.org, " * 500 + "play+a1@games.example"], [NOBODY]),
    ],
)  # fmt: skip
def test_recipient_is_an_own_address_preferably_with_a_tag(fields: list[str], recipients: list[str]) -> None:
    assert envelope("From: ann@example.org", *fields)[1] == tuple(recipients)


def test_recipient_is_nobody_if_the_search_fails() -> None:
    def failing(address: str) -> bool:
        raise TypeError(address)

    mail = received("maildir", b"From: x@y.org\nTo: play@games.example\n\nc4\n", ours=failing)
    assert (mail.recipients, mail.mail_from) == ((NOBODY,), "x@y.org")


@pytest.mark.parametrize(
    ("fields", "sender"),
    [
        (["Return-Path: <Ann@Example.org>", "From: x@y.org"], "ann@example.org"),
        (["Return-Path: <>", "From: x@y.org"], ""),
        (["Return-Path: <b@c.org>", "Return-Path: <>"], "b@c.org"),
        (["From: X <x@y.org>"], "x@y.org"),
        (["Return-Path: nonsense", "From: x@y.org"], "x@y.org"),
        (["From: nonsense"], ""),
        ([], ""),
    ],
)
def test_sender_is_the_return_path(fields: list[str], sender: str) -> None:
    assert envelope(*fields)[0] == sender


@pytest.mark.parametrize("sender", ["a@b.org", ""])
def test_known_sender_is_not_looked_up(sender: str) -> None:
    mail = received("pipe", b"From: x@y.org\n\n", ours=ours, mail_from=sender)
    assert mail.mail_from == sender
