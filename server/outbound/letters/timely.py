"""Whether a letter is still true when it is sent: one that is not is dropped, as what came after says what is.

What a letter says of how things were, stands in its fields. A letter that says how things are, and asks for
something or waits for something, registers a function here.
"""

from dataclasses import replace
from functools import singledispatch

from rules.records.entries import Played
from server.game import bodies, log
from server.outbound.letters.account import Asked
from server.outbound.letters.drafts import Sources
from server.outbound.letters.reminding import Reminder, is_owed
from server.outbound.letters.replies import DrawNoted, UndoNoted
from server.store.letters.game import (
    Accepted,
    ClockStands,
    Digest,
    DrawOffered,
    Invitation,
    Overdue,
    Receipt,
    Report,
    TimeGiven,
    UndoAsked,
    Withdrawn,
)
from server.store.letters.letter import Answers, Letter
from server.store.models import Envelope, Inbox, Seat


@singledispatch
def is_true(letter: Letter, sources: Sources) -> bool:
    """Whether a letter still says how things are, as far as anything can have changed."""
    return True


@is_true.register
def _report(letter: Report, sources: Sources) -> bool:
    """One that asks for a move is answered when that was played, wherever; then its reader has seen it."""
    more = letter.first == 0 or letter.result or letter.undone or letter.said or letter.press
    if not letter.asks or more or sources.game.turn == letter.last + 1:
        return True
    turn = bodies.body(sources.game, log.turn(sources.session, sources.game, letter.last + 1))
    return not (isinstance(turn, Played) and sources.seat in turn.turn.texts())


@is_true.register
def _parts(letter: Answers | Digest, sources: Sources) -> bool:
    parts = letter.parts if isinstance(letter, Answers) else letter.games
    return any(is_true(put.letter, replace(sources, about=put.about)) for put in parts)


@is_true.register
def _invitation(letter: Invitation, sources: Sources) -> bool:
    return sources.game.state == "invited" and not _seat(sources).accepted


@is_true.register
def _accepted(letter: Accepted, sources: Sources) -> bool:
    return sources.game.state == "invited"


@is_true.register
def _receipt(letter: Receipt, sources: Sources) -> bool:
    """It stays true when the orders were opened, but not when they were replaced or taken back."""
    session, game, seat = sources.session, sources.game, sources.seat
    if game.turn == letter.turn:
        envelope = session.get(Envelope, (game.id, letter.turn, seat))
        return envelope is not None and envelope.commitment == letter.commitment
    turn = bodies.played(game, log.turn(session, game, letter.turn))
    opened = (turn.opened or {}).get(seat)
    return opened is not None and opened.commitment == letter.commitment


@is_true.register
def _withdrawn(letter: Withdrawn, sources: Sources) -> bool:
    envelope = sources.session.get(Envelope, (sources.game.id, letter.turn, sources.seat))
    return sources.game.turn == letter.turn and envelope is None


@is_true.register
def _draw(letter: DrawOffered | DrawNoted, sources: Sources) -> bool:
    by = _seat(sources, letter.by if isinstance(letter, DrawOffered) else None)
    return sources.game.state == "running" and by.offers_draw(sources.game.turn)


@is_true.register
def _undo(letter: UndoAsked | UndoNoted, sources: Sources) -> bool:
    by = _seat(sources, letter.by if isinstance(letter, UndoAsked) else None)
    return sources.game.state == "running" and by.undo_of is not None


@is_true.register
def _clock(letter: ClockStands | TimeGiven, sources: Sources) -> bool:
    """The moment that it names is the one at which the move is due."""
    seat = _seat(sources, letter.by if isinstance(letter, ClockStands) else None)
    return seat.owes and seat.deadline_at == letter.due


@is_true.register
def _overdue(letter: Overdue, sources: Sources) -> bool:
    return sources.game.state == "running" and _seat(sources, letter.by).overdue


@is_true.register
def _reminder(letter: Reminder, sources: Sources) -> bool:
    return any(is_owed(sources.session, each) for each in letter.owed)


@is_true.register
def _question(letter: Asked, sources: Sources) -> bool:
    row = sources.session.get(Inbox, letter.mail)
    return row is not None and row.state == "asked"


def _seat(sources: Sources, number: int | None = None) -> Seat:
    """A seat of the game, that of the receiver if none is given."""
    number = sources.seat if number is None else number
    return sources.session.get_one(Seat, (sources.game.id, number))
