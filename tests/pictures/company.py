"""Letters of a server with several people: open games, spectators, tournaments and accounts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from sqlmodel import select

from server.jobs.table import WATCHERS
from server.outbound.letters.account import AccountClosed, Announced, BioRemoved, Suspended, Unbarred
from server.processes.services import Services
from server.store.db import writing
from server.store.letters.account import AccountChanged
from server.store.letters.letter import Letter
from server.store.letters.tournaments import TournamentCancelled
from server.store.models import Player
from server.store.outbox import ActionContext
from tests.support.server.emails import PLAY, Written, letters, receive
from tests.support.server.jobs import look_after_lobby
from tests.support.server.services import Clock
from tests.support.server.tournaments import NAMES, Field


def of_tables(services: Services) -> Iterator[Written]:
    """Yield the letters about an open game for three that fills, may start early, and is cancelled."""
    for name in ("Ann", "Ben", "Cleo"):
        write(services, name, f"register {name}")
    for name, text in (
        ("Ann", "seek nexus players=3 time=2d\nseek nibble"),
        ("Ben", "seek nibble rating=1400-1700 in-time=90"),
        ("Ben", "join 1"),
        ("Ben", "start 1"),
        ("Cleo", "open"),
        ("Ann", "leave 1"),
    ):
        yield from write(services, name, text)


def of_open_games(services: Services) -> Iterator[Written]:
    """Yield the letters about an open game with words for luck that is played, and one that expires."""
    for name in ("Ann", "Ben", "Cleo"):
        write(services, name, f"register {name}")
    write(services, "Ann", "seek nibble")
    begun = {each.to: each for each in write(services, "Ben", "join 1")}
    write(services, "Cleo", "watch 1")
    ann, ben = (str(begun[f"{name}@example.org"].mail["Reply-To"]) for name in ("ann", "ben"))
    write(services, "Ben", "say You will regret this.", ben)
    yield from write(services, "Ann", "report Is that how people talk here?", ann)
    yield from write(services, "Ann", "resign", ann)
    while WATCHERS.run_next(services.engine, services.sealer, services.now()):
        pass
    yield from letters(services)
    assert isinstance(services.now, Clock)
    write(services, "Ann", "seek nexus players=3 time=2d")
    services.now.advance(days=31)
    look_after_lobby(services)
    yield letters(services)[-1]


def of_series(services: Services) -> Iterator[Written]:
    """Yield the letters about a series of games that is ended after its first game."""
    for name in ("Ann", "Ben"):
        write(services, name, f"register {name}")
    write(services, "Ann", "challenge Ben nardshir games=4")
    begun = {each.to: each for each in write(services, "Ben", "accept 1")}
    yield from write(services, "Ben", "series off", str(begun["ben@example.org"].mail["Reply-To"]))


def of_accounts(services: Services) -> Iterator[Written]:
    """Yield the answers to requests about accounts, and letters by administrators."""
    for name in ("Ann", "Ben"):
        write(services, name, f"register {name}")
    for asked in (
        "who Ben",
        "ranking nibble",
        "data",
        "logins",
        "token add My bot",
        "token",
        "address add ann@example.com",
    ):
        yield from write(services, "Ann", asked)
    monday = services.now() + timedelta(days=3)
    text = "On Sunday we move to a larger machine.\n\nMail that comes in meanwhile is answered on Monday."
    for letter in (
        Announced(1, text, monday),
        Suspended(1, "Insults in three games.", monday),
        Unbarred(),
        BioRemoved("Beating fools since 1999.", "It insults others."),
        AccountClosed("Insults in three games, after a warning."),
        AccountChanged(1, "passkey", "Phone", "in Firefox on Android", services.now(), "ann@example.org"),
    ):
        _put(services, "Ann", letter)
    yield from letters(services)[-6:]


def of_tournaments(services: Services) -> Iterator[Written]:
    """Yield the letters about a Swiss tournament from sign-up to its end."""
    assert isinstance(services.now, Clock)
    field = Field(services, services.now, form="swiss", places="4-5", rounds=2, after="20d")
    for asked in ("tournaments", "enter 1"):
        yield from write(services, "Ann", asked)
    field.enter(*NAMES[1:7])
    field.leave(NAMES[1])
    field.tick()
    field.live(days=18)
    while field.going_on():
        field.play_round(min)
    _put(services, "Ann", TournamentCancelled(1))
    yield from letters(services)


def write(services: Services, name: str, text: str, to: str = PLAY) -> list[Written]:
    return receive(services, f"{name.lower()}@example.org", to, text)


def _put(services: Services, name: str, letter: Letter) -> None:
    with writing(services.engine) as session:
        player = session.exec(select(Player).where(Player.name == name)).one()
        ActionContext(session, services.sealer, services.now()).put_to_player(player, letter)
