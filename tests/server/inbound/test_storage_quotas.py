"""The stored bytes of incoming mail are limited, and players' emails always find room."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count, islice
from typing import NamedTuple

import pytest
from sqlmodel import col, func, select

from mail.incoming.batching import NoRoom
from mail.incoming.receiving import Received
from server.admin.health import health
from server.inbound import storage_quotas
from server.inbound.reception import Reception
from server.limits import KEPT_OF_STRANGERS, LARGEST_ON_A_FULL_DISK
from server.processes.services import Services
from server.store.database_health import LEAST_FREE
from server.store.db import reading
from server.store.keys.sealing import Sealer
from server.store.models import Inbox, Player
from server.store.tokens import ReplyToken
from tests.support.server.emails import PLAY, reply_address
from tests.support.server.games import TwoPlayerGame
from tests.support.server.services import Clock

DAILY = 1_000_000
LARGE = 16_500
"""The bytes of an email: about 17,000 when encrypted, so that two fit into the smallest budget."""
_number = count(1)


class Usage(NamedTuple):
    free: int


def mail(
    sender: str, peer: str = "9.9.9.9", to: str = PLAY, text: str = "nonsense", size: int = LARGE
) -> Received:
    head = f"From: {sender}\r\nTo: {to}\r\nMessage-ID: <{next(_number)}@x.test>\r\n\r\n{text}\r\n"
    return Received("smtp", peer, sender, (to,), head.encode() + b"\r\nx" * (size // 3))


def stored(services: Services) -> int:
    """Return the bytes of all stored emails."""
    with reading(services.engine) as session:
        return int(session.exec(select(func.coalesce(func.sum(func.length(Inbox.sealed)), 0))).one())


def handle(services: Services) -> list[Inbox]:
    while services.pipeline().handle_next(services.now()):
        pass
    with reading(services.engine) as session:
        return list(session.exec(select(Inbox).order_by(col(Inbox.id))))


@pytest.fixture
def reception(services: Services) -> Reception:
    """Return services with a budget of one megabyte a day."""
    settings = services.settings.model_copy(update={"daily_mail_megabytes": DAILY // 1_000_000})
    return replace(services, settings=settings).reception()


def flood(reception: Reception, mails: Iterator[Received]) -> int:
    """Receive sixty emails; return how many were stored."""
    taken = 0
    for each in islice(mails, 60):
        with suppress(NoRoom):
            reception.store([each])
            taken += 1
    return taken


def test_first_kilobytes_of_a_strangers_email_are_kept(services: Services) -> None:
    """25 refused emails of 4.9 MB occupied 163 MB for two weeks."""
    services.reception().store([mail("eve@x.test", size=100_000) for _ in range(10)])
    rows = handle(services)
    assert {row.state for row in rows} == {"refused", "quarantined"}, (
        "after one answer, the rest is not answered"
    )
    assert stored(services) < 10 * 2 * KEPT_OF_STRANGERS
    kept = services.sealer.open(rows[0].sealed or b"")
    assert (len(kept), kept.startswith(b"From: eve@x.test")) == (KEPT_OF_STRANGERS, True)


@pytest.mark.both
def test_email_beyond_a_limit_is_refused_before_encryption(
    services: Services, reception: Reception, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = mail("eve@x.test", size=LARGEST_ON_A_FULL_DISK + 1000)
    sealed = []
    monkeypatch.setattr(Sealer, "seal", lambda _, content: sealed.append(len(content)))
    with pytest.raises(NoRoom):
        reception.store([large])
    assert sealed == []


def test_quarantined_email_and_email_of_players_are_kept_completely(services: Services, ann: Player) -> None:
    held = replace(mail("eve@x.test", size=100_000), recipients=("postmaster@games.example.org",))
    services.reception().store([held, mail(ann.email, size=100_000)])
    rows = handle(services)
    assert [row.state for row in rows] == ["quarantined", "refused"]
    assert all(len(services.sealer.open(row.sealed or b"")) > 100_000 for row in rows)


@pytest.mark.sample(2)
@pytest.mark.both
@pytest.mark.parametrize(
    ("senders", "peers", "part"),
    [("eve@x.test", "9.9.9.{}", 20), ("eve{}@x.test", "9.9.{}.9", 10), ("eve@x{}.test", "9.9.{}.9", 4)],
    ids=["network", "domain", "all"],
)
def test_players_have_room_when_strangers_have_used_theirs(
    services: Services, reception: Reception, clock: Clock, senders: str, peers: str, part: int
) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    reply = services.tokens.write(ReplyToken(table.number, 0, 1))
    strangers = (mail(senders.format(n), peers.format(n % 256)) for n in count())
    assert flood(reception, strangers) > 0
    assert DAILY // part - 2 * LARGE < stored(services) <= DAILY // part
    reception.store([mail(table.players[0].email), mail("eve@x.test", to=f"play+{reply}@games.example.org")])
    clock.advance(days=1)
    reception.store([next(strangers)])


def test_forged_sender_uses_up_none_of_the_players_room(
    services: Services, reception: Reception, ann: Player, ben: Player
) -> None:
    forged = (mail(player.email, "6.6.6.6") for _ in count() for player in (ann, ben))
    assert flood(reception, forged) > 0
    assert stored(services) <= 2 * DAILY // 40
    reception.store([mail(ann.email)])


def test_player_uses_up_only_their_own_room(services: Services, reception: Reception) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    first, second = (reply_address(services, table.number, seat, 1) for seat in (0, 1))
    assert flood(reception, (mail("eve@x.test", to=first) for _ in count())) > 0
    assert stored(services) <= DAILY // 40
    reception.store([mail("eve@x.test", to=second)])


def test_small_emails_count_for_the_rows_they_take(services: Services, reception: Reception) -> None:
    taken = flood(reception, (mail("eve@x.test", size=0) for _ in count()))
    assert 0 < taken <= DAILY // 20 // storage_quotas.ROW


def test_batch_with_an_email_without_room_is_refused_completely(
    services: Services, reception: Reception
) -> None:
    with suppress(NoRoom):
        reception.store([mail("eve@x.test", size=100_000), mail("new@y.test", "8.8.8.8")])
    assert stored(services) == 0, "all of them can be brought again, one by one"
    reception.store([mail("new@y.test", "8.8.8.8")])


def test_almost_used_up_limit_is_reported(services: Services, reception: Reception, clock: Clock) -> None:
    flood(reception, (mail(f"eve@x{n}.test", f"9.9.{n % 256}.9") for n in count()))
    with reading(services.engine) as session:
        told = {each.what: each.sentence for each in health(session, clock()).troubles()}
    assert told["mail budget"].startswith("today's budget for incoming mail (strangers) is almost used up")


def test_small_emails_are_stored_on_an_almost_full_disk(
    services: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda path: Usage(LEAST_FREE - 1))
    reception = services.reception()
    if services.settings.database_file is None:
        reception.store([mail("eve@x.test", size=LARGEST_ON_A_FULL_DISK)])
        return
    with pytest.raises(NoRoom, match="only 499 MB are free"):
        reception.store([mail("eve@x.test", size=LARGEST_ON_A_FULL_DISK)])
    reception.store([mail("eve@x.test", size=LARGEST_ON_A_FULL_DISK // 2)])
    with reading(services.engine) as session:
        told = {each.what: each.sentence for each in health(session, clock()).troubles()}
    assert "emails of more than 100 kB are deferred" in told["disk"]
