"""Games of Ann and Ben that begin and are played by email."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import EmailMessage

from sqlmodel import select

from server.game.log import log
from server.processes.services import open_services
from server.settings import Settings
from server.store.db import reading
from server.store.engines import connect
from server.store.models import Entry, Game
from tests.support.e2e.mailboxes import Person, text_of, words_of
from tests.support.server.games import begin
from tests.support.server.players import add_player, mail_every_turn

Make = Callable[[str], Person]


_SEATED = re.compile(r": (Ann|Ben) \([^)]*\), (Ann|Ben) \(")


def begin_by_email(person: Make, game_type: str, *options: str) -> list[tuple[Person, EmailMessage]]:
    """Register Ann and Ben and start a game; return the people by seat, with its first email to each.

    Both get an email for every turn, including their own, so that tests see the result of each email.
    """
    ann, ben = person("ann@example.org"), person("ben@example.org")
    ann.write("register Ann\nmail every turn")
    assert "Welcome, Ann." in text_of(ann.next())
    ann.write("", subject=f"challenge ben@example.org {game_type} {' '.join(options)}")
    assert "on its way" in text_of(ann.next())
    accept_by_email(ben, "Ben")
    first = [(who, who.next()) for who in (ann, ben)]
    return sorted(first, key=lambda pair: seat_of(*pair))


def sit_down(
    person: Make, settings: Settings, game_type: str, **options: object
) -> list[tuple[Person, EmailMessage]]:
    """Start the same game as `begin_by_email`, without sending emails."""
    services = open_services(settings)
    players = [add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben")]
    mail_every_turn(services)
    begin(services, game_type, *players, **options)
    services.close()
    first = []
    for player in players:
        who = person(player.email)
        mail = who.next()
        while not _SEATED.search(words_of(mail)):  # an invitation
            mail = who.next()
        first.append((who, mail))
    return sorted(first, key=lambda pair: seat_of(*pair))


def accept_by_email(who: Person, name: str, *lines: str) -> None:
    """Accept an invitation and choose a name, with emails for every turn."""
    invitation = who.next()
    who.write(f"name {name}\nmail every turn")
    assert f"Your name is now {name}." in text_of(who.next())
    who.answer(invitation, "\n".join(("accept", *lines)))


def seat_of(who: Person, mail: EmailMessage) -> int:
    """Return the seat of a person, from the first email of the game, which names the players by seat."""
    return seats_in(mail).index(who.address.partition("@")[0].title())


def seats_in(mail: EmailMessage) -> list[str]:
    """Return the names Ann and Ben in the order of their seats."""
    found = _SEATED.search(words_of(mail))
    assert found is not None
    return list(found.groups())


def stored_game(settings: Settings) -> tuple[Game, list[Entry]]:
    engine = connect(settings.database_url)
    with reading(engine) as session:
        game = session.exec(select(Game)).one()
        turns = log.turns(session, game)
    engine.dispose()
    return game, turns
