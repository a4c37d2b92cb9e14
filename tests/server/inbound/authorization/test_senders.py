"""The trust in a sender decides how an email is handled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import col, select

from mail.authentication.checks.dns import Lookup, LookupFailed
from mail.incoming.receiving import Received
from mail.incoming.webhooks.registry import PROVIDERS
from server.processes.services import Services, open_services
from server.store.db import reading
from server.store.models import Entry, Inbox, Outbox
from tests.support.document_tables import cells_about_email
from tests.support.mail.dns_zone import zone
from tests.support.server.emails import reply_address
from tests.support.server.games import TwoPlayerGame
from tests.support.server.services import Clock

TRUSTED = "mx.games.example.org"


@pytest.fixture
def table(services: Services) -> Iterator[TwoPlayerGame]:
    """Return a game on a server that trusts its own mail server."""
    trusting = open_services(
        services.settings.model_copy(
            update={"authserv_ids": TRUSTED, "own_networks": "127.0.0.1,172.20.0.0/16"}
        ),
        services.now,
    )
    yield TwoPlayerGame(trusting, "nebuchadnezzar", size=5)
    trusting.engine.dispose()


def receive(
    table: TwoPlayerGame,
    results: str = "",
    *,
    to: str | None = None,
    text: str = "c3",
    source: str = "smtp",
    peer: str = "127.0.0.1",
    told: str = "",
    lookup: Lookup | None = None,
) -> Inbox:
    """Receive an email of the player to move, with the fields that a server added; return its final state.

    `told` are the results that a provider reports with the email; `lookup` is the DNS for Nabu's own checks.
    """
    services = table.services
    sender = f"{table.players[0].name.lower()}@example.org"
    recipient = to or reply_address(services, table.number, 0, 1)
    head = f"Authentication-Results: {results}\r\n" if results else ""
    content = f"{head}From: {sender}\r\nTo: {recipient}\r\nMessage-ID: <1@x>\r\nSubject: Re\r\n\r\n{text}\r\n"
    mail = Received(source, peer, sender, (recipient,), content.encode(), told)
    services.reception().store([mail])
    handle(table, lookup)
    with reading(services.engine) as session:
        return session.exec(select(Inbox)).one()


def handle(table: TwoPlayerGame, lookup: Lookup | None) -> None:
    """Handle the email that is due."""
    pipeline = table.services.pipeline()
    checking = replace(pipeline, senders=replace(pipeline.senders, lookup=lookup))
    assert checking.handle_next(table.services.now())


def turns(table: TwoPlayerGame) -> int:
    with reading(table.services.engine) as session:
        return len(list(session.exec(select(Entry).where(col(Entry.turn).is_not(None)))))


@pytest.mark.parametrize(
    "results",
    [
        "",
        f"{TRUSTED}; dmarc=pass header.from=example.org",
        f"{TRUSTED}; dmarc=none header.from=example.org",
        "mx.elsewhere.example; dmarc=fail header.from=example.org",
    ],
)
def test_move_is_played_unless_the_sender_is_forged(table: TwoPlayerGame, results: str) -> None:
    assert receive(table, results).state == "done"
    assert turns(table) == 1


@pytest.mark.both
def test_forged_move_is_not_played_and_its_owner_is_asked(table: TwoPlayerGame) -> None:
    row = receive(table, f"{TRUSTED}; dmarc=fail header.from=example.org")
    assert row.state == "asked"
    assert turns(table) == 0
    assert table.letters()[-1] == "asked"


def test_forged_email_to_the_plain_address_is_quarantined_without_answer(table: TwoPlayerGame) -> None:
    before = len(table.letters())
    row = receive(
        table, f"{TRUSTED}; dmarc=fail header.from=example.org", to="play@games.example.org", text="stop"
    )
    assert row.state == "quarantined"
    with reading(table.services.engine) as session:
        assert not list(session.exec(select(Outbox).where(Outbox.letter == "mail_stopped")))
    assert len(table.letters()) == before


def test_broken_header_is_not_reported_as_a_forgery(table: TwoPlayerGame) -> None:
    services, play = table.services, "play@games.example.org"
    content = f"From: ann@example.org\r\nTo: {play}\r\nSubject: games\r\r\n\r\ngames\r\n".encode()
    mail = Received("smtp", "127.0.0.1", "ann@example.org", (play,), content)
    services.reception().store([mail])
    handle(table, None)
    with reading(services.engine) as session:
        row = session.exec(select(Inbox)).one()
    assert (row.state, row.why) == (
        "quarantined",
        "it has no certain sender: The header has line endings that not every program recognises.",
    )


WAYS = ("smtp", "lmtp", "imap", "maildir", "pipe", *PROVIDERS)


@pytest.mark.sample(2)
@pytest.mark.parametrize("source", WAYS)
def test_results_of_the_trusted_mail_server_count(table: TwoPlayerGame, source: str) -> None:
    row = receive(table, f"{TRUSTED}; dmarc=fail header.from=example.org", source=source)
    assert row.source == source
    assert row.state == ("done" if source in PROVIDERS else "asked")


OUTSIDE = "192.88.99.1"


@pytest.mark.sample(4)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "peer", "passes"),
    [
        ("smtp", OUTSIDE, False),
        ("smtp", "127.0.0.1", True),
        ("smtp", "::ffff:127.0.0.1", True),
        ("smtp", "10.1.2.3", False),
        ("smtp", "100.64.1.2", False),
        ("smtp", "192.168.1.2", False),
        ("smtp", "fe80::1", False),
        ("smtp", "172.20.1.2", True),
        ("smtp", "nonsense", False),
        ("lmtp", OUTSIDE, True),
        ("imap", "", True),
        ("maildir", "", True),
        ("pipe", "", True),
        *((provider, "", False) for provider in PROVIDERS),
    ],
)
def test_results_of_the_trusted_mail_server_count_only_from_trusted_sources(
    table: TwoPlayerGame, source: str, peer: str, passes: bool
) -> None:
    forged = f"{TRUSTED}; dmarc=pass header.from=example.org"
    lookup = zone("_dmarc.example.org TXT v=DMARC1; p=reject")
    row = receive(table, forged, source=source, peer=peer, lookup=lookup)
    assert row.state == ("done" if passes else "asked")
    assert turns(table) == int(passes)


@pytest.mark.parametrize("source", WAYS)
def test_spf_is_checked_only_for_direct_connections_from_outside(table: TwoPlayerGame, source: str) -> None:
    lookup = zone("_dmarc.example.org TXT v=DMARC1; p=reject", f"example.org TXT v=spf1 ip4:{OUTSIDE} -all")
    row = receive(table, source=source, peer=OUTSIDE, lookup=lookup)
    assert row.state == ("done" if source == "smtp" else "asked")


@pytest.mark.parametrize(("told", "passes"), [("pass", True), ("none", True), ("fail", False)])
def test_signed_results_of_a_provider_count(table: TwoPlayerGame, told: str, passes: bool) -> None:
    row = receive(table, source="amazon", told=f"amazonses.com; dmarc={told}")
    assert row.state == ("done" if passes else "asked")
    assert turns(table) == int(passes)


def silent(name: str, game_type: str) -> Sequence[str]:
    """Fail like name servers that do not answer."""
    raise LookupFailed(f"{name} {game_type}")


def test_email_waits_while_name_servers_do_not_answer(table: TwoPlayerGame, clock: Clock) -> None:
    row = receive(table, lookup=silent)
    assert (row.state, row.why) == ("new", "the name servers did not answer")
    assert (row.attempts, row.put_off) == (0, 1), "nothing has failed with it"
    clock.time = row.due_at
    handle(table, zone("_dmarc.example.org TXT v=spf1"))
    assert turns(table) == 1


def test_sender_who_cannot_be_checked_is_asked(table: TwoPlayerGame, clock: Clock) -> None:
    row = receive(table, lookup=silent)
    began = clock.time
    while row.state == "new":
        clock.time = row.due_at
        handle(table, silent)
        with reading(table.services.engine) as session:
            row = session.exec(select(Inbox)).one()
    assert row.state == "asked"
    assert clock.time - began == timedelta(minutes=30)
    assert turns(table) == 0
    assert table.letters()[-1] == "asked"


def test_sender_who_cannot_be_checked_is_ignored_at_the_plain_address(
    table: TwoPlayerGame, clock: Clock
) -> None:
    row = receive(table, to="play@games.example.org", text="stop", lookup=silent)
    while row.state == "new":
        clock.time = row.due_at
        handle(table, silent)
        with reading(table.services.engine) as session:
            row = session.exec(select(Inbox)).one()
    assert (row.state, row.why) == ("quarantined", "the sender could not be checked")


def test_unchecked_email_does_not_wait_without_own_lookups(
    table: TwoPlayerGame,
) -> None:
    row = receive(table, f"{TRUSTED}; dmarc=temperror header.from=example.org")
    assert (row.state, row.attempts) == ("asked", 0)
    assert turns(table) == 0


@pytest.mark.parametrize("name", ["postmaster", "abuse", "play+bounces-0123"])
def test_email_to_the_administrator_arrives(table: TwoPlayerGame, name: str) -> None:
    row = receive(table, to=f"{name}@games.example.org", text="stop")
    assert (row.state, row.why) == ("quarantined", "it is addressed to the administrator")


def test_every_way_in_is_on_the_help_page() -> None:
    assert [cells[0].strip("`") for cells in cells_about_email("Incoming mail")] == list(WAYS)
