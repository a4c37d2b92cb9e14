"""Checks, when a letter is sent, which parts of it are still true; the others are removed.

Letters that report a past state have it in their fields and stay true. A letter about the present state, or
with several parts, registers a function here. Later letters replace those that are removed.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from functools import singledispatch

from rules.records.entries import Played
from server.game.clock import deadlines
from server.game.lobby import early_start
from server.game.log import log, stored_entries
from server.outbound.letters.account import Announced, Asked
from server.outbound.letters.context import Sources
from server.outbound.letters.hints_and_analysis import Hinted
from server.outbound.letters.lobby import OpenGame
from server.outbound.letters.reminders import Reminder
from server.outbound.letters.replies import ChallengeSent, ProposalNoted
from server.store.letters.game import (
    Accepted,
    ClockStands,
    Digest,
    Invitation,
    Overdue,
    Proposed,
    Receipt,
    Report,
    TimeGiven,
    Withdrawn,
)
from server.store.letters.letter import AddressedLetter, Answers, Letter
from server.store.letters.lobby import OpenGameChanged, StartAsked
from server.store.letters.tournaments import AdjudicatedSoon
from server.store.models import Announcement, Envelope, Game, Inbox, Player, Seat


@singledispatch
def still_true(letter: Letter, sources: Sources) -> Letter | None:
    """Return the letter with the parts that are still true; None if none is."""
    return letter if is_true(letter, sources) else None


@still_true.register
def _answers(letter: Answers, sources: Sources) -> Answers | None:
    parts = _true_parts(letter.parts, sources)
    return replace(letter, parts=parts) if parts else None


@still_true.register
def _digest(letter: Digest, sources: Sources) -> Digest | None:
    games = _true_parts(letter.games, sources)
    return replace(letter, games=games) if games else None


def _true_parts(parts: Iterable[AddressedLetter], sources: Sources) -> tuple[AddressedLetter, ...]:
    found = ((each, still_true(each.letter, replace(sources, about=each.about))) for each in parts)
    return tuple(replace(each, letter=letter) for each, letter in found if letter is not None)


@still_true.register
def _reminder(letter: Reminder, sources: Sources) -> Reminder | None:
    """Return the reminder with the current deadlines."""
    owed = [
        replace(each, due=seat.deadline_at)
        for each in letter.owed
        if _is_due(seat := sources.session.get_one(Seat, (each.game, each.seat)), each.due, sources)
    ]
    return replace(letter, owed=owed) if owed else None


@still_true.register
def _clock(letter: ClockStands | TimeGiven, sources: Sources) -> ClockStands | TimeGiven | None:
    seat = _seat(sources, letter.by if isinstance(letter, ClockStands) else None)
    return replace(letter, due=seat.deadline_at) if _is_due(seat, letter.due, sources) else None


@singledispatch
def is_true(letter: Letter, sources: Sources) -> bool:
    """Return whether a letter still describes the present state."""
    return True


@is_true.register
def _report(letter: Report, sources: Sources) -> bool:
    """Return False for a report that only asks for a move if the receiver has already played it on the web.

    Return False also after the end of the game or a takeback, which other reports cover.
    """
    told = letter.first == 0 or letter.result or letter.undone
    if not letter.asks or told or letter.said or letter.messages or letter.aside.dropped:
        return True
    game = sources.game
    if game.state != "running" or game.turn == letter.last + 1:
        return game.state == "running"
    next_one = stored_entries.entry_body(game, log.turn(sources.session, game, letter.last + 1))
    return isinstance(next_one, Played) and sources.seat not in next_one.turn.texts()


@is_true.register
def _announced(letter: Announced, sources: Sources) -> bool:
    """Return False if an administrator has shortened the announcement."""
    row = sources.session.get(Announcement, letter.announcement)
    return row is not None and row.until >= letter.until


@is_true.register
def _invitation(letter: Invitation, sources: Sources) -> bool:
    return sources.game.state == "invited" and not _seat(sources).accepted


@is_true.register
def _accepted(letter: Accepted | ChallengeSent, sources: Sources) -> bool:
    return sources.game.state == "invited"


@is_true.register
def _open(letter: OpenGame | OpenGameChanged, sources: Sources) -> bool:
    return sources.session.get_one(Game, letter.game).state == "open"


@is_true.register
def _start_asked(letter: StartAsked, sources: Sources) -> bool:
    """Return False once the receiver has agreed, or after a player joined or left, which ends the question."""
    start = early_start.view(sources.session, sources.session.get_one(Game, letter.game), letter.player)
    return start is not None and bool(start.agreed) and not start.mine


@is_true.register
def _hinted(letter: Hinted, sources: Sources) -> bool:
    return sources.game.state == "running" and sources.game.turn == letter.turn


@is_true.register
def _receipt(letter: Receipt, sources: Sources) -> bool:
    """Return True also after the orders were opened, but not after they were replaced or withdrawn."""
    session, game, seat = sources.session, sources.game, sources.seat
    if game.turn == letter.turn:
        envelope = session.get(Envelope, (game.id, letter.turn, seat))
        return envelope is not None and envelope.commitment == letter.commitment
    turn = stored_entries.turn_of(game, log.turn(session, game, letter.turn))
    opened = (turn.opened or {}).get(seat)
    return opened is not None and opened.commitment == letter.commitment


@is_true.register
def _withdrawn(letter: Withdrawn, sources: Sources) -> bool:
    envelope = sources.session.get(Envelope, (sources.game.id, letter.turn, sources.seat))
    return sources.game.turn == letter.turn and envelope is None


@is_true.register
def _proposal(letter: Proposed, sources: Sources) -> bool:
    """Return True while the receiver can answer: they are in the game, and have not agreed yet."""
    own, by = _seat(sources), _seat(sources, letter.by)
    is_open = letter.proposal in by.proposals and letter.proposal not in own.proposals
    return sources.game.state == "running" and is_open and not own.left


@is_true.register
def _noted_proposal(letter: ProposalNoted, sources: Sources) -> bool:
    return sources.game.state == "running" and letter.proposal in _seat(sources).proposals


@is_true.register
def _overdue(letter: Overdue, sources: Sources) -> bool:
    return sources.game.state == "running" and _seat(sources, letter.by).overdue


@is_true.register
def _adjudicated_soon(letter: AdjudicatedSoon, sources: Sources) -> bool:
    return sources.game.state == "running"


@is_true.register
def _question(letter: Asked, sources: Sources) -> bool:
    row = sources.session.get(Inbox, letter.mail)
    return row is not None and row.state == "asked"


def _seat(sources: Sources, number: int | None = None) -> Seat:
    """Return a seat of the game, by default the receiver's."""
    number = sources.seat if number is None else number
    return sources.session.get_one(Seat, (sources.game.id, number))


def _is_due(seat: Seat, due: datetime | None, sources: Sources) -> bool:
    """Return whether a seat owes a move with this deadline, apart from time that the server has credited since.

    Vacations and extra time cause separate letters.
    """
    if not seat.owes or seat.deadline_at == due:
        return seat.owes
    game = sources.session.get_one(Game, seat.game_id)
    player = sources.session.get_one(Player, seat.player_id)
    return due is not None and deadlines.due_as_of(sources.session, game, seat, player, sources.now) == due
