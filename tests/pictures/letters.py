"""The letters for the pictures: one of each kind, and reports of running games."""

from __future__ import annotations

import email
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.policy import default
from html import unescape
from pathlib import Path
from random import Random

from rules.registry import RULES
from server.game.log import log
from server.processes.services import Services, open_services
from server.store.db import writing
from server.store.letters.account import BrowserClosed, ChannelClosed
from server.store.models import Player
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from tests.pictures import coached, company
from tests.stored import golden
from tests.support.server.emails import PLAY, Written, letters, receive
from tests.support.server.games import TwoPlayerGame
from tests.support.server.players import mail_every_turn
from tests.support.server.services import Clock, settings_for, sqlite_database

_HTML = "<!DOCTYPE html>"
_HIDDEN = re.compile(r'<div style="display:none[^>]*>(.*?)</div>', re.DOTALL)
_FILL = re.compile("[\u034f\u200c\u00a0]+")
TURNS = {"nardshir": 40, "nebuchadnezzar": 24, "nelaxtam": 6, "nexus": 12, "nibble": 12}
"""The number of turns before the picture, so that the board shows something."""


@dataclass(frozen=True)
class Shown:
    """A letter: its subject and preview in an inbox, and its two parts."""

    sender: str
    subject: str
    text: str
    html: str

    @property
    def preview(self) -> str:
        """The preview that an inbox shows beside the subject."""
        found = _HIDDEN.search(self.html)
        return "" if found is None else _FILL.sub("", unescape(found[1])).strip()


def stored() -> dict[str, Shown]:
    """Return the first letter of each kind in the outbox of version 0.1.0, and the last report of each game."""
    found: dict[str, Shown] = {}
    for title, written in golden.read(golden.LETTERS).items():
        shown = _read(written)
        name = title.split()[0]
        if name == "report":
            game_type, of_game, _ = shown.subject.partition(":")
            name = f"report-{game_type.split()[0].lower() if of_game else 'ends'}"
            found.pop(name, None)
        found.setdefault(name, shown)
    return found


def newer() -> Iterator[tuple[str, Shown]]:
    """Yield letters that version 0.1.0 did not have."""
    with _services() as services:
        yield "hello", _shown(receive(services, "nan@example.org", PLAY, "hello")[-1])
        table = TwoPlayerGame(services, "nebuchadnezzar")
        caused = _write(table, "c3\n\nSorry for the wait!")
        yield "beside", _shown(next(each for each in caused if each.letter == "beside"))
        yield "settings_list", _shown(receive(services, table.players[0].email, PLAY, "settings")[-1])
        with writing(services.engine) as session:
            action = ActionContext(session, services.sealer, services.now())
            player = session.get_one(Player, table.players[0].id)
            action.put_to_player(player, ChannelClosed("ntfy", "3 days"))
            action.put_to_player(player, BrowserClosed("Firefox on Android", "3 days"))
        yield "channel_closed", _shown(letters(services)[-2])
        yield "browser_closed", _shown(letters(services)[-1])
    with _services(first_game=True) as services:
        yield "welcome-lesson", _shown(receive(services, "nan@example.org", PLAY, "register Nan")[-1])


def in_company() -> dict[str, Written]:
    """Return the first letter of each kind on a server with several people."""
    found: dict[str, Written] = {}
    for written in (
        company.of_tables,
        company.of_open_games,
        company.of_series,
        company.of_accounts,
        company.of_tournaments,
        coached.of_the_computer,
    ):
        with _services() as services:
            for each in written(services):
                found.setdefault(each.letter, each)
    return found


def pictured() -> Iterator[tuple[str, Shown]]:
    """Yield letters by the names of their pictures; the reports are those of `_games`."""
    others = stored() | dict(newer())
    company = {name: _shown(written) for name, written in in_company().items()}
    for name, shown in (company | others).items():
        if not name.startswith("report"):
            yield name, shown
    for game_type in RULES:
        yield from _games(game_type)


def _games(game_type: str) -> Iterator[tuple[str, Shown]]:
    """Yield the first report of a game, a report that asks for a move, and the last report of one game."""
    with _services() as services:
        table = TwoPlayerGame(services, game_type)
        mail_every_turn(services)
        # Writing the reports of all turns would take most of the time.
        reports = [each for each in _play(table, Random(game_type)) if each.letter == "report"]
        yield f"report-{game_type}", _shown(next(each for each in reversed(reports) if _asks(each)))
        if game_type == "nibble":
            yield "report-begins", _shown(next(each for each in letters(services) if each.letter == "report"))
            yield "report-waits", _shown(next(each for each in reversed(reports) if not _asks(each)))
            reports = _write(table, "resign")
            yield "report-ends", _shown(next(each for each in reports if "You won" in each.mail["Subject"]))


@contextmanager
def _services(*, first_game: bool = False) -> Iterator[Services]:
    """Open services over an empty database; with `first_game`, new players get a guided game."""
    with tempfile.TemporaryDirectory() as folder:
        settings = settings_for(
            sqlite_database(Path(folder)), base_url="https://games.example.org", first_game=first_game
        )
        services = open_services(settings, Clock())
        yield services
        services.engine.dispose()


def _play(table: TwoPlayerGame, choose: Random) -> list[Written]:
    """Play random turns, with a message at the last one; return the letters that follow from that."""
    rules = log.rules_of(table.game())
    for _ in range(TURNS[table.game().game_type] - 1):
        position = log.position_of(table.game())
        for seat in rules.to_move(position):
            table.submit(seat, rules.format(rules.sample(position, seat, choose.randrange)))
    position = log.position_of(table.game())
    first, *others = rules.to_move(position)
    for seat in others:
        table.submit(seat, rules.format(rules.sample(position, seat, choose.randrange)))
    move = rules.format(rules.sample(position, first, choose.randrange))
    return _write(table, f"{move}\nsay Sorry for the wait, it was a long week.")


def _write(table: TwoPlayerGame, text: str) -> list[Written]:
    """Send commands of a player who is to move; return the letters that follow."""
    services, game = table.services, table.game()
    seat = log.rules_of(game).to_move(log.position_of(game))[0]
    token = services.tokens.write(ReplyToken(table.number, seat, game.turn))
    return receive(services, table.players[seat].email, f"play+{token}@games.example.org", text)


def _asks(written: Written) -> bool:
    return re.search(r"^(Your move|Write your orders)\.", written.text, re.MULTILINE) is not None


def _shown(written: Written) -> Shown:
    mail = written.mail
    return Shown(str(mail["From"]), str(mail["Subject"]), written.text, written.html)


def _read(written: str) -> Shown:
    """Return a letter as `golden` stores it."""
    head, _, rest = written.partition("\n\n")
    text, mark, html = rest.partition(_HTML)
    mail = email.message_from_string(f"{head}\n\n", policy=default)
    return Shown(str(mail["From"]), str(mail["Subject"]), text.strip("\n"), mark + html)
