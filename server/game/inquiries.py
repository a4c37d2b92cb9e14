"""What players ask the computer about a game. It takes seconds to think, so a question is only stored here.

`server/jobs/inquiries.py` answers what is stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlmodel import Session, col, func, select

from server.accounts.players import identity
from server.errors import BadRequest
from server.game import log
from server.game.hints import Hint
from server.game.log import Seated
from server.game.pondering import HINT
from server.game.target import Target, at_turn
from server.game.terms import GameTerms
from server.limits import MOST_HINTS
from server.store.db import locked
from server.store.models import Game, Inquiry, Player
from server.store.outbox import Action

KEPT = timedelta(days=2)
"""How long what was asked is kept: longer than limits per day look back."""
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class HintView:
    """The hint of a seat for the turn to be played, as its player may see it."""

    is_offered: bool
    """Whether they can ask for one."""
    is_awaited: bool
    """Whether they have asked, and are not answered yet."""
    hint: Hint | None = None


def why_no_hints(game: Game, seated: Sequence[Seated], seat: int) -> str:
    """Why a seat is given no hints in a game, whatever the turn, in a sentence; "" where it is given some."""
    if not all(player.computer for place, player in seated if place.number != seat):
        return "There are hints only in games against the computer, and here people play against you."
    if GameTerms.from_json(game.terms).rated:
        return "There are no hints in this game: it is rated."
    return ""


def ask_hint(action: Action, player: Player, target: Target, *, by_mail: bool) -> Hint | None:
    """Ask for a hint for the turn to be played; the hint, if it was given before, else None. Raises Refused."""
    game = locked(action.session, Game, target.game)
    if game is not None:
        seated = log.seats(action.session, game, fresh=True)
        is_theirs = target.seat < len(seated) and seated[target.seat].player.id == player.id
        if is_theirs and (why := why_no_hints(game, seated, target.seat)):
            raise BadRequest(why)
    table = at_turn(action, player, target, game, to_move=True)
    known = _hint(action.session, table.game, target.seat)
    if known is not None:
        known.by_mail = known.by_mail or by_mail
        return None if known.answer is None else Hint.from_json(known.answer)
    if _asked_today(action, player, HINT) >= MOST_HINTS:
        raise BadRequest(f"You have been given {MOST_HINTS} hints today; you can ask for more tomorrow.")
    _store(action, player, table.game, HINT, target.seat, by_mail=by_mail)
    return None


def hint_view(session: Session, game: Game, seat: int, *, owes: bool) -> HintView:
    """What the player of a seat sees of hints; `owes` says whether it is their turn."""
    if not owes or game.state != "running" or why_no_hints(game, log.seats(session, game), seat):
        return HintView(is_offered=False, is_awaited=False)
    known = _hint(session, game, seat)
    if known is None:
        return HintView(is_offered=True, is_awaited=False)
    hint = None if known.answer is None else Hint.from_json(known.answer)
    return HintView(is_offered=False, is_awaited=hint is None, hint=hint)


def _hint(session: Session, game: Game, seat: int) -> Inquiry | None:
    """What the seat has asked in the turn to be played."""
    query = select(Inquiry).where(
        Inquiry.game_id == game.id, Inquiry.what == HINT, Inquiry.turn == game.turn, Inquiry.seat == seat
    )
    return session.exec(query).first()


def _asked_today(action: Action, player: Player, what: str) -> int:
    query = select(func.count()).where(
        Inquiry.player_id == player.id, Inquiry.what == what, col(Inquiry.asked_at) > action.now - _DAY
    )
    return action.session.exec(query).one()


def _store(action: Action, player: Player, game: Game, what: str, seat: int | None, *, by_mail: bool) -> None:
    row = Inquiry(
        game_id=log.identity(game),
        player_id=identity(player),
        what=what,
        turn=game.turn,
        seat=seat,
        by_mail=by_mail,
        asked_at=action.now,
        due_at=action.now,
    )
    action.session.add(row)
    action.session.flush()
