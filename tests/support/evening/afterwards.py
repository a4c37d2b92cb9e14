"""Checks of everything that is left of an evening."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from click.testing import CliRunner
from sqlalchemy import Engine, text
from sqlmodel import Session, col, select

from rules.game import Json
from rules.reasons import LEAVING, REASONS
from rules.records.verification import read_heads, verify
from rules.registry import RULES
from server.cli import nabu
from server.game.integrity.log_check import check, numbers_of_games
from server.game.log import log
from server.settings import Settings
from server.store.db import reading
from server.store.keys.sealing import Sealer
from server.store.models import Envelope, Failure, Game, Inbox, Outbox, Tournament
from tests.support.e2e.mailboxes import words_of
from tests.support.evening.guests import Lease
from tests.support.evening.hands import Played, is_guided
from tests.support.server.services import environment_of

_PROOF = re.compile(r"Proof: (\d+ [0-9a-f]{64})")


@dataclass(frozen=True)
class Canary:
    """Words that only some may ever have been shown, whatever they looked at."""

    words: str
    known_to: frozenset[str]
    """Names of guests."""
    told: frozenset[str] = frozenset()
    """The names of those who have to have been shown them."""


def assert_logs_hold(engine: Engine, settings: Settings) -> None:
    """Every log is unchanged, and everything derived from it matches it."""
    sealer = Sealer(settings.secret_keys)
    for number in numbers_of_games(engine):
        found = check(engine, sealer, number)
        assert not found, f"game {number}: {found}"


def assert_records_verify(engine: Engine, guests: Sequence[Lease]) -> None:
    """The record of each game that is over proves itself, and fits each line of proof that was mailed."""
    mails = [(guest.game_of(mail), words_of(mail)) for guest in guests for mail in guest.mails]
    with reading(engine) as session:
        for game in _games(session, "over"):
            lines = {line for number, told in mails if number == game.id for line in _PROOF.findall(told)}
            assert lines, f"nobody was mailed a proof of game {game.id}"
            found = verify(log.record(session, game).to_json(), read_heads(" ".join(sorted(lines))))
            assert found.wrong is None, f"game {game.id}: {found.wrong}"


def assert_all_kinds_were_played_out(engine: Engine) -> None:
    """Of each type at least one game was decided on the board, and games ended in the other ways, too."""
    with reading(engine) as session:
        ended = {(game.game_type, (game.result or {})["reason"]) for game in _games(session, "over")}
    assert {game_type for game_type, reason in ended if reason not in REASONS} == set(RULES)
    assert set(LEAVING) <= {reason for _, reason in ended}


def assert_each_move_counts_once(
    engine: Engine, played: Sequence[Played], perhaps: Sequence[Played] = ()
) -> None:
    """Each move that was acknowledged stands in its log, once, and there is no other.

    Orders are given for nothing where an opponent leaves before giving theirs; where those of others are not in
    yet, they are sealed. `perhaps` are moves that were sent and not answered: each stands there once, or not.
    """
    stored: Counter[tuple[int, int, int, str]] = Counter()
    left: set[tuple[int, int]] = set()
    with reading(engine) as session:
        sealed = set(session.exec(select(Envelope.game_id, Envelope.turn, Envelope.seat)))
        for game in [*_games(session, "over"), *_games(session, "running")]:
            number = log.id_of(game)
            people = {seat.number for seat, player in log.seats(session, game) if not player.computer}
            for turn in [] if is_guided(game) else log.turns(session, game):
                line, place = turn.body["line"], (number, turn.turn or 0)
                stored.update((*place, seat, text) for seat, text in _moves(line) if seat in people)
                left.update([place] if "leave" in line else [])
    sent, unsure = (
        Counter((each.game, each.turn, each.seat, each.text) for each in moves) for moves in (played, perhaps)
    )
    assert all(count == 1 for count in stored.values())
    lost = [each for each in sent - stored if each[:2] not in left and each[:3] not in sealed]
    assert not lost, f"acknowledged, but not in the log: {lost}"
    assert not stored - sent - unsure, f"of nobody: {stored - sent - unsure}"


def _moves(line: Json) -> list[tuple[int, str]]:
    """Return the moves of people in a turn, by seat; a forced pass is no move."""
    if "orders" in line:
        return [(int(seat), str(orders)) for seat, orders in line["orders"].items()]
    return [(line["seat"], line["move"])] if line.get("move", "pass") != "pass" else []


def assert_nothing_is_left(engine: Engine, refused: int) -> None:
    """All mail was handled and sent, nothing failed, all tournaments are over; so many mails were refused.

    Besides these, the opponents of the two who left may have moved while they were leaving.
    """
    with reading(engine) as session:
        assert set(session.exec(select(Inbox.state))) == {"done", "refused"}
        why = session.exec(select(Inbox.why, Inbox.mail_from).where(Inbox.state == "refused")).all()
        assert len([each for each, _ in why if each != "GameOver"]) == refused, why
        assert len(why) <= refused + 2, why
        assert set(session.exec(select(Outbox.state))) <= {"sent", "dropped"}
        assert session.exec(select(Failure.what)).all() == []
        assert set(session.exec(select(Tournament.state))) == {"over"}


def assert_ratings_come_out_again(engine: Engine, settings: Settings) -> None:
    """Counted again from the records, all ratings and results are the same to the last bit."""
    before = _ratings(engine)
    assert len(before["rating"]) > 20
    shell = CliRunner(env=environment_of(settings))
    counted = shell.invoke(nabu, ["admin", "recount"])
    assert counted.exit_code == 0, counted.output
    assert _ratings(engine) == before


def _ratings(engine: Engine) -> dict[str, list[tuple[object, ...]]]:
    with engine.connect() as connection:
        return {
            table: sorted((tuple(row) for row in connection.execute(text(f"SELECT * FROM {table}"))), key=repr)  # noqa: S608
            for table in ("rating", "ratingchange", "tally", "conduct", "habit")
        }


def assert_all_heard_the_end(engine: Engine, guests: Sequence[Lease], deaf: Sequence[Lease]) -> None:
    """Anyone who played in a game was mailed how it ended, but for those who want no mail or have left."""
    by_address = {guest.address: guest for guest in guests if guest not in deaf}
    with reading(engine) as session:
        ends = [
            (game.id or 0, by_address[player.email])
            for game in _games(session, "over")
            for _, player in log.seats(session, game)
            if player.email in by_address
        ]
    assert len(ends) > 100
    for number, guest in ends:
        told = [words_of(mail) for mail in guest.mails_about(number)]
        assert any("The game is over." in each for each in told), f"{guest.name} never heard of {number}"


def assert_secrets_were_kept(guests: Sequence[Lease], canaries: Sequence[Canary]) -> None:
    """No email and no page showed anything to people for whom it was not meant."""
    for guest in guests:
        shown = guest.shown
        for canary in canaries:
            if canary.words in shown:
                assert guest.name in canary.known_to, f"{guest.name} was shown “{canary.words}”"
            else:
                assert guest.name not in canary.told, f"{guest.name} was never shown “{canary.words}”"


def assert_nobody_else_saw(guests: Sequence[Lease], number: int) -> None:
    """A private game was emailed only to its players, and no page that others saw links to it."""
    players = [guest for guest in guests if guest.mails_about(number)]
    assert len(players) == 2
    for guest in guests:
        if guest not in players:
            assert f"/games/{number} " not in f"{guest.shown} ", f"{guest.name} was shown game {number}"
            guest.browser.get(f"/games/{number}")
            assert guest.browser.status == 404


def assert_names_came_out_at_the_end(people: Sequence[Lease], number: int) -> None:
    """No mail about an anonymous game named the other player before it was over, and the last one did."""
    for who in people:
        (other,) = (each.name for each in people if each is not who)
        *before, last = map(words_of, who.mails_about(number))
        assert "The game is over." in last
        assert "This game was anonymous" in last
        assert other in last
        assert not any(other in told for told in before)


def assert_gone(guests: Sequence[Lease], gone: Lease) -> None:
    """A player who has deleted their account has no page, and their name occurs nowhere."""
    reader = next(guest for guest in guests if guest.habit == "both" and guest is not gone)
    reader.browser.get(f"/player/{gone.name}")
    assert reader.browser.status == 404
    for page in ("/lobby", "/archive", f"/archive?player={gone.name}", "/tournaments"):
        assert gone.name not in reader.browser.get(page).replace(f"“{gone.name}”", "")


def _games(session: Session, state: str) -> Sequence[Game]:
    return session.exec(select(Game).where(Game.state == state).order_by(col(Game.id))).all()
