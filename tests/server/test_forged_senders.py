"""Mallory writes as Ann, in ways that different programs read differently: nothing happens in her name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from sqlmodel import col, select

from mail.checks.dns import Lookup
from mail.receiving import Received
from server import inbox
from server.db import reading, writing
from server.models import Inbox, Player
from server.office import Office, open_office
from server.tokens import ReplyToken
from tests.mail.zone import zone
from tests.server.test_play import Table

TRUSTED = "mx.games.example.org"
MALLORYS = "192.88.99.66"
NAMES = zone(
    f"evil.example TXT v=spf1 ip4:{MALLORYS} -all", "_dmarc.evil.example TXT v=DMARC1; p=reject",
    "example.org TXT v=spf1 -all", "_dmarc.example.org TXT v=DMARC1; p=reject",
)  # fmt: skip
# Read as Windows-1252, the raw byte is a blank, and an address stands between the signs of encoded words.
BLANK = b"=?x?q?\xa0<%s>(?= <mallory@evil.example> =?x?q?)?="
SENDERS = {
    "a raw byte in an encoded word": b"From: " + BLANK,
    "two addresses": b"From: %s <mallory@evil.example>",
    "two fields": b"From: mallory@evil.example\r\nFrom: %s",
    "a blank after the name": b"From : %s\r\nFrom: mallory@evil.example",
    "a line end that is none": b"From: mallory@evil.example\rFrom: %s",
    "a line that is no field": b"From: mallory@evil.example\r\nno field\r\nFrom: %s",
}


@pytest.fixture
def table(office: Office) -> Iterator[Table]:
    """A game of an office that believes its own mail server."""
    trusting = open_office(office.settings.model_copy(update={"authserv_ids": TRUSTED}), office.now)
    yield Table(trusting, "nebuchadnezzar", size=5)
    trusting.engine.dispose()


def send(table: Table, sender: bytes, told: str, *, to: str, text: str, lookup: Lookup | None) -> Inbox:
    """Let a mail of Mallory's come in, straight from his computer or by our mail server; what became of it."""
    office = table.office
    ann = f"{table.players[0].name.lower()}@example.org".encode()
    head = f"Authentication-Results: {TRUSTED}; {told}\r\n".encode() if told else b""
    rest = f"To: {to}\r\nMessage-ID: <{len(sender)}@x>\r\n\r\n{text}\r\n"
    content = head + sender % ann + b"\r\n" + rest.encode()
    with writing(office.engine) as session:
        peer = "127.0.0.1" if told else MALLORYS
        mail = Received("smtp", peer, "mallory@evil.example", (to,), content)
        inbox.store(session, office.vault, office.tokens, office.now(), [mail])
    pipeline = office.pipeline()
    checking = replace(pipeline, senders=replace(pipeline.senders, lookup=lookup))
    assert checking.handle_next(office.now())
    with reading(office.engine) as session:
        return session.exec(select(Inbox).order_by(col(Inbox.id).desc())).all()[0]


WAYS = [
    ("", NAMES),
    ("dmarc=pass header.from=evil.example", NAMES),
    ("dmarc=pass header.from=evil.example", None),
]


@pytest.mark.parametrize(
    ("told", "lookup"), WAYS, ids=["checked here", "checked twice", "checked by our server"]
)
def test_nothing_happens_to_her_account(table: Table, told: str, lookup: Lookup | None) -> None:
    before = table.letters()
    for what, sender in SENDERS.items():
        row = send(table, sender, told, to="play@games.example.org", text="stop", lookup=lookup)
        assert (row.state, row.why.partition(":")[0]) == ("held", "it has no certain sender"), what
        with reading(table.office.engine) as session:
            assert not any(player.mail_stopped for player in session.exec(select(Player))), what
    assert table.letters() == before


@pytest.mark.parametrize(
    ("told", "lookup"), WAYS, ids=["checked here", "checked twice", "checked by our server"]
)
def test_nor_to_her_game_but_she_is_asked(table: Table, told: str, lookup: Lookup | None) -> None:
    token = table.office.tokens.write(ReplyToken(table.number, 0, 1))
    for what, sender in SENDERS.items():
        row = send(table, sender, told, to=f"play+{token}@games.example.org", text="resign", lookup=lookup)
        assert (row.state, row.why) == ("asked", "whether it is from its sender"), what
        assert table.game().state == "running", what
    assert "asked" in table.letters()
