"""Requests of players to the computer for hints and analyses. They are stored here: an answer takes seconds.

`server/jobs/inquiries.py` answers them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from rules.analysis.answering import ASSESSMENT, HINT
from rules.analysis.game_report import Assessment
from rules.analysis.hints import Hint
from rules.game import Json
from server.accounts.players import identity
from server.errors import Impossible
from server.game.log import log, stored_entries
from server.game.log.display_names import is_nameless
from server.game.log.log import Seated
from server.game.play.target import Target, check_may_act
from server.game.terms.terms import GameTerms
from server.limits import MOST_ASSESSMENTS, MOST_HINTS
from server.store.db import count_rows, locked, wake
from server.store.models import AssessedGame, Game, Inquiry, Player
from server.store.outbox import ActionContext
from server.store.statements.planned_session import RowStatement

KEPT = timedelta(days=2)
"""How long questions are kept: longer than the period of the daily limits."""
_DAY = timedelta(days=1)

# Built once, because pages of games use them.
_OF_GAME, _WHAT = Inquiry.game_id == bindparam("game"), col(Inquiry.what)
_HINTS: RowStatement[Inquiry] = RowStatement(
    select(Inquiry).where(
        _OF_GAME, _WHAT == HINT, Inquiry.turn == bindparam("turn"), Inquiry.seat == bindparam("seat")
    )
)
_AWAITED: RowStatement[Inquiry] = RowStatement(
    select(Inquiry).where(
        *(_OF_GAME, _WHAT == ASSESSMENT, Inquiry.player_id == bindparam("player")),
        col(Inquiry.due_at).is_not(None),
    )
)


@dataclass(frozen=True)
class HintView:
    """The hint for a seat in the current turn, as its player may see it."""

    is_offered: bool
    """Whether the player can ask for a hint."""
    is_awaited: bool
    """Whether the player has asked and the answer is not there yet."""
    hint: Hint | None = None


def why_no_hints(game: Game, seated: Sequence[Seated], seat: int) -> str:
    """Return a sentence with the reason why a seat gets no hints in a game; "" if it does."""
    if is_nameless(game):
        return "There are no hints in anonymous games."
    if not all(player.computer for place, player in seated if place.number != seat):
        return "There are hints only in games against the computer. In this game you play against people."
    if GameTerms.from_json(game.terms).rated:
        return "There are no hints in this game: it is rated."
    return ""


def ask_hint(action: ActionContext, player: Player, target: Target, *, by_mail: bool) -> Hint | None:
    """Ask for a hint for the current turn; return it if it is already known, else None. Raises Refused."""
    game = locked(action.session, Game, target.game)
    if game is not None:
        seated = log.seats(action.session, game, fresh=True)
        is_theirs = target.seat < len(seated) and seated[target.seat].player.id == player.id
        if is_theirs and (why := why_no_hints(game, seated, target.seat)):
            raise Impossible(why)
    table = check_may_act(action, player, target, game, to_move=True)
    known = _hint(action.session, table.game, target.seat)
    if known is not None:
        known.by_mail = known.by_mail or by_mail
        return None if known.answer is None else Hint.from_json(known.answer)
    if _asked_today(action, player, HINT) >= MOST_HINTS:
        raise Impossible(f"You have had {MOST_HINTS} hints today. You can ask for more tomorrow.")
    _store(action, player, table.game, HINT, target.seat, by_mail=by_mail)
    return None


def hint_view(session: Session, game: Game, seat: int, *, owes: bool) -> HintView:
    """Return the view of a seat's hint for its player; `owes` is true if the seat has to move."""
    if not owes or game.state != "running" or why_no_hints(game, log.seats(session, game), seat):
        return HintView(is_offered=False, is_awaited=False)
    known = _hint(session, game, seat)
    if known is None:
        return HintView(is_offered=True, is_awaited=False)
    hint = None if known.answer is None else Hint.from_json(known.answer)
    return HintView(is_offered=False, is_awaited=hint is None, hint=hint)


def ask_assessment(
    action: ActionContext, player: Player, game: Game, seat: int | None, *, by_mail: bool
) -> Assessment | None:
    """Ask for the analysis of a game that the player may see; return it if known, else None. Raises BadRequest.

    `seat` is the player's own, None for a spectator. Running games are refused, because an analysis would help.
    """
    number = log.id_of(game)
    if game.state != "over":
        raise Impossible(f"Game {number} is not over. You can ask for an analysis once it is.")
    if not log.turns(action.session, game):
        raise Impossible(f"There are no moves in game {number} to analyse.")
    found = assessment_of(action.session, game)
    if found is not None:
        return found
    known = _asked_of_course(action.session, game, player)
    if known is not None:
        known.by_mail = known.by_mail or by_mail
        return None
    if _asked_today(action, player, ASSESSMENT) >= MOST_ASSESSMENTS:
        raise Impossible(
            f"You have had {MOST_ASSESSMENTS} games analysed today. You can ask for more tomorrow."
        )
    _store(action, player, game, ASSESSMENT, seat, by_mail=by_mail)
    return None


def assessment_of(session: Session, game: Game) -> Assessment | None:
    """Return the analysis of a finished game; None if no player has asked for it, or it is not done yet."""
    if game.state != "over":
        return None
    row = session.get(AssessedGame, log.id_of(game))
    return None if row is None else Assessment.from_json(row.answer)


def awaits_assessment(session: Session, game: Game, player: Player) -> bool:
    """Return whether a player has asked for the analysis of a game, and it is not done yet."""
    return _asked_of_course(session, game, player) is not None


def _asked_of_course(session: Session, game: Game, player: Player) -> Inquiry | None:
    return next((row for (row,) in _AWAITED(session, {"game": game.id, "player": player.id})), None)


def _hint(session: Session, game: Game, seat: int) -> Inquiry | None:
    """Return the seat's request for a hint in the current turn."""
    given = {"game": game.id, "turn": game.turn, "seat": seat}
    return next((row for (row,) in _HINTS(session, given)), None)


def _asked_today(action: ActionContext, player: Player, what: str) -> int:
    today = col(Inquiry.asked_at) > action.now - _DAY
    return count_rows(action.session, Inquiry.player_id == player.id, Inquiry.what == what, today)


def _taken_up(action: ActionContext, game: Game, what: str) -> datetime | None:
    """Return until when the same question of another player is being answered; None if it is not."""
    if what != ASSESSMENT:
        return None
    query = select(func.max(Inquiry.due_at)).where(Inquiry.game_id == game.id, Inquiry.what == what)
    return action.session.exec(query).one()


def _store(
    action: ActionContext, player: Player, game: Game, what: str, seat: int | None, *, by_mail: bool
) -> None:
    row = Inquiry(
        game_id=log.id_of(game),
        player_id=identity(player),
        what=what,
        turn=game.turn,
        seat=seat,
        by_mail=by_mail,
        asked_at=action.now,
        due_at=_taken_up(action, game, what) or action.now,
    )
    action.session.add(row)
    action.session.flush()
    wake(action.session)


def about_move(game: Game, seat: int) -> Json:
    """Return the task for the computer to find a hint: the current position and the `seat` that gets it."""
    rules, position = log.rules_of(game), log.position_of(game)
    return {
        "what": HINT,
        "game_type": game.game_type,
        "options": game.options,
        "position": rules.write(position),
        "memory": list(rules.memory(position)),
        "seat": seat,
        "seed": _seed(game, f"seat {seat}"),
    }


def about_course(session: Session, game: Game) -> Json:
    """Return the task for the computer to analyse a finished game: its valid turns, with their numbers.

    Raises Damaged if the log cannot be read.
    """
    played = [stored_entries.turn_of(game, entry) for entry in log.turns(session, game)]
    return {
        "what": ASSESSMENT,
        "game_type": game.game_type,
        "options": game.options,
        "setup": game.setup,
        "turns": [[each.number, each.turn.to_json()] for each in played],
        "seed": _seed(game, "course"),
    }


def _seed(game: Game, what_for: str) -> str:
    return sha256(f"pondering {log.id_of(game)} {game.turn} {what_for}".encode()).hexdigest()
