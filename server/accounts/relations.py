"""Ignored players, whose messages a player does not see, and blocked ones, with whom they do not play either.

Only the player who blocks or ignores another can see that.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from sqlalchemy import BindParameter, bindparam
from sqlmodel import Session, col, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from server.accounts import players, similar_names
from server.errors import BadRequest
from server.limits import MOST_RELATIONS
from server.store.db import count_rows
from server.store.models import Player, Relation
from server.store.outbox import ActionContext

# Built once because every open page of an open game needs it.
_PLAYER: Any = bindparam("player")
_KEPT_APART = select(Relation.player_id, Relation.other_id).where(
    or_(col(Relation.player_id) == _PLAYER, col(Relation.other_id) == _PLAYER), col(Relation.blocked)
)


@dataclass(frozen=True)
class KeptAway:
    """A player who is blocked or only ignored."""

    name: str
    blocked: bool


def block(action: ActionContext, player: Player, name: str) -> str:
    """Block the player called `name`; return a sentence for the player. Raises BadRequest."""
    other = _other(action.session, player, name, "block")
    _keep(action.session, player, other, blocked=True)
    return (
        f"You have blocked {other.name}: neither of you can challenge the other, and you no longer see "
        f"messages from {other.name}. Running games continue."
    )


def unblock(action: ActionContext, player: Player, name: str) -> str:
    """Unblock a player, who is not ignored then either. Raises BadRequest."""
    other = _other(action.session, player, name, "unblock")
    row = _row(action.session, player, other)
    if row is None or not row.blocked:
        raise BadRequest(f"You have not blocked {other.name}.")
    action.session.delete(row)
    return f"{other.name} is no longer blocked. You also see messages from {other.name} again."


def ignore(action: ActionContext, player: Player, name: str) -> str:
    """Ignore a player: neither show nor send their messages in games. Raises BadRequest."""
    other = _other(action.session, player, name, "ignore")
    _keep(action.session, player, other, blocked=False)
    return f"You no longer see messages from {other.name}."


def unignore(action: ActionContext, player: Player, name: str) -> str:
    """Stop ignoring a player; their earlier messages are shown again. Raises BadRequest."""
    other = _other(action.session, player, name, "unignore")
    row = _row(action.session, player, other)
    if row is None:
        raise BadRequest(f"You do not ignore {other.name}.")
    if row.blocked:
        raise BadRequest(f"You have blocked {other.name}. To undo that, write: unblock {other.name}")
    action.session.delete(row)
    return f"You see messages from {other.name} again."


def blocked_pairs(session: Session, company: Iterable[Player]) -> list[tuple[Player, Player]]:
    """Return the pairs among these players in which one has blocked the other, in order."""
    known = list(company)
    numbers = [player.id for player in known]
    query = select(Relation.player_id, Relation.other_id).where(
        col(Relation.player_id).in_(numbers), col(Relation.other_id).in_(numbers), col(Relation.blocked)
    )
    found = {frozenset(pair) for pair in session.exec(query)}
    return [pair for pair in combinations(known, 2) if frozenset(each.id for each in pair) in found]


def kept_apart_from(session: Session, player: int) -> set[int]:
    """Return the numbers of all players who have blocked this one or are blocked by them."""
    session.flush()
    pairs = session.connection().execute(_KEPT_APART, {"player": player})
    return {number for pair in pairs for number in pair} - {player}


def blockers_of(player: int) -> SelectOfScalar[int]:
    """Return the query for the numbers of all players who have blocked this one."""
    return select(Relation.player_id).where(Relation.other_id == player, col(Relation.blocked))


def mutes(session: Session, listener: Player, speaker: Player) -> bool:
    """Return whether the player `listener` ignores or blocks the player `speaker`."""
    return _row(session, listener, speaker) is not None


def relation_to(session: Session, player: Player, other: Player) -> str:
    """Return "blocked" or "ignored" if a player has done that to another, otherwise ""."""
    row = _row(session, player, other)
    return "" if row is None else "blocked" if row.blocked else "ignored"


def unheard_by(player: int | BindParameter[Any] | None) -> SelectOfScalar[int]:
    """Return the query for the numbers of all players whom this one ignores or blocks."""
    return select(Relation.other_id).where(Relation.player_id == player)


def kept_away(session: Session, player: Player, limit: int | None = None, skip: int = 0) -> list[KeptAway]:
    """Return the players whom a player has blocked or ignores, by name, each with the relation.

    The result has at most `limit` of them, after skipping `skip`.
    """
    query = (
        select(Player.name, Relation.blocked)
        .where(Relation.player_id == player.id, Relation.other_id == Player.id)
        .order_by(col(Player.name_key))
        .offset(skip)
        .limit(limit)
    )
    return [KeptAway(*row) for row in session.exec(query)]


def count_kept_away(session: Session, player: Player) -> int:
    """Return the number of players whom a player has blocked or ignores."""
    return count_rows(session, Relation.player_id == player.id)


def _keep(session: Session, player: Player, other: Player, *, blocked: bool) -> None:
    row = _row(session, player, other)
    if row is not None:
        row.blocked = row.blocked or blocked
        return
    if count_kept_away(session, player) >= MOST_RELATIONS:
        raise BadRequest(
            f"You already block or ignore {MOST_RELATIONS} players. Unblock some of them first, for example: "
            "unblock NAME."
        )
    session.add(Relation(player_id=players.identity(player), other_id=players.identity(other), blocked=blocked))
    session.flush()


def _row(session: Session, player: Player, other: Player) -> Relation | None:
    return session.get(Relation, (players.identity(player), players.identity(other)))


def _other(session: Session, player: Player, name: str, word: str) -> Player:
    name = name.strip()
    if not name:
        raise BadRequest(f"Write: {word} NAME, with the name of a player.")
    other = players.find_known(session, name)
    if other is None:
        raise similar_names.unknown_player(session, name)
    if other.computer:
        raise BadRequest(f"{other.name} is a computer player, who sends no challenges and no messages.")
    if other.id == player.id:
        raise BadRequest(f"{other.name} is you: you cannot {word} yourself.")
    return other
