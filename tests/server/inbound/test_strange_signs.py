"""Characters that databases and emails cannot contain: NUL, and surrogates."""

from __future__ import annotations

import pytest
from sqlmodel import select

from mail.decoding import header_text, storable
from mail.incoming.receiving import Received
from mail.incoming.webhooks.forms import document, text_at, texts_at
from rules.errors import BadData
from rules.records.record import Record, load_position
from server.processes.services import Services
from server.store.db import reading
from server.store.models import GameMessage, Inbox
from server.web import create_app
from tests.support.folders import RECORDS
from tests.support.server.emails import reply_address
from tests.support.server.games import TwoPlayerGame

_RECORD = next(iter(sorted(RECORDS.glob("*.json"))))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"say one +2AA- two", "one \ufffd two"),
        (b"say one +2D3eAA- two", "one \U0001f600 two"),
        (b"say one +AAA- two", "one  two"),
    ],
)
def test_half_of_a_surrogate_pair_stops_no_game(table: TwoPlayerGame, body: bytes, said: str) -> None:
    services, writer = table.services, table.players[0].email
    head = f"From: {writer}\nMessage-ID: <1@x>\nSubject: =?utf-7?q?+2AA-?=\n"
    head += "Content-Type: text/plain; charset=utf-7\n\n"
    recipient = reply_address(services, table.number, 0, 1)
    received = Received("lmtp", "127.0.0.1", writer, (recipient,), head.encode() + body)
    services.reception().store([received])
    assert services.pipeline().handle_next(services.now())
    with reading(services.engine) as session:
        assert [(mail.state, mail.why) for mail in session.exec(select(Inbox))] == [("done", "say")]
        (said_there,) = session.exec(select(GameMessage))
        assert services.sealer.open(said_there.sealed).decode() == said


def test_headers_contain_no_surrogates() -> None:
    assert header_text("=?utf-7?q?a+2AA-b?= =?utf-8?q?=00c?=") == "a\ufffdbc"


@pytest.mark.parametrize(
    ("text", "kept"), [("a\0b", "ab"), ("\ud83d\ude00", "\U0001f600"), ("\ude00é", "\ufffdé")]
)
def test_storable_part_of_a_text_is_kept(text: str, kept: str) -> None:
    assert storable(text) == kept


def test_posted_emails_contain_no_surrogates() -> None:
    posted = document(rb'{"From": "a\ud800\u0000@b.org", "To": ["\udc00"]}')
    assert text_at(posted, "From") == "a\ufffd@b.org"
    assert texts_at(posted, "To") == ["\ufffd"]


@pytest.mark.parametrize("sign", ["\\ud800", "\\u0000"])
def test_record_with_a_surrogate_is_refused(sign: str) -> None:
    text = _RECORD.read_text().replace('"format"', f'"x{sign}": "{sign}", "format"', 1)
    with pytest.raises(BadData, match="half a character"):
        Record.from_json(text)
    with pytest.raises(BadData, match="half a character"):
        load_position(text)


def test_url_with_a_nul_character_is_refused(services: Services) -> None:
    client = create_app(services).test_client()
    assert client.get("/games?page=%00").status_code == 400
    assert client.get("/games/new?a%00=1").status_code == 400
