"""Whom a player does not want to hear, and with whom they do not want to play: the latter is both.

Nobody learns who has blocked or ignored whom, but for those who did.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from server.accounts import players
from server.errors import BadRequest
from server.limits import MOST_RELATIONS
from server.store.db import count_rows
from server.store.models import Player, Relation
from server.store.outbox import ActionContext

# Built once, as every open page of an open game asks for it.
_PLAYER: Any = bindparam("player")
_KEPT_APART = select(Relation.player_id, Relation.other_id).where(
    or_(col(Relation.player_id) == _PLAYER, col(Relation.other_id) == _PLAYER), col(Relation.blocked)
)


@dataclass(frozen=True)
class KeptAway:
    """Somebody whom a player has blocked, or only ignores."""

    name: str
    blocked: bool


def block(action: ActionContext, player: Player, name: str) -> str:
    """Let a player never sit with another again, nor hear them. Raises BadRequest.

    Like the three below, it gives the answer, a sentence for the player.
    """
    other = _other(action.session, player, name, "block")
    _keep(action.session, player, other, blocked=True)
    return (
        f"You have blocked {other.name}: neither of you can challenge the other, and you no longer see what "
        f"{other.name} says in games. Games that have begun go on."
    )


def unblock(action: ActionContext, player: Player, name: str) -> str:
    """Undo it, and hear them again. Raises BadRequest."""
    other = _other(action.session, player, name, "unblock")
    row = _row(action.session, player, other)
    if row is None or not row.blocked:
        raise BadRequest(f"You have not blocked {other.name}.")
    action.session.delete(row)
    return f"{other.name} is no longer blocked. You also see again what {other.name} says in games."


def ignore(action: ActionContext, player: Player, name: str) -> str:
    """Neither mail nor show a player what another says in games. Raises BadRequest."""
    other = _other(action.session, player, name, "ignore")
    _keep(action.session, player, other, blocked=False)
    return f"You no longer see what {other.name} says in games."


def unignore(action: ActionContext, player: Player, name: str) -> str:
    """Undo it: what they said meanwhile is shown again. Raises BadRequest."""
    other = _other(action.session, player, name, "unignore")
    row = _row(action.session, player, other)
    if row is None:
        raise BadRequest(f"You do not ignore {other.name}.")
    if row.blocked:
        raise BadRequest(f"You have blocked {other.name}. To undo that, write: unblock {other.name}")
    action.session.delete(row)
    return f"You see again what {other.name} says in games."


def blocked_pairs(session: Session, company: Iterable[Player]) -> list[tuple[Player, Player]]:
    """The pairs of these who never sit together, in their order."""
    known = list(company)
    numbers = [player.id for player in known]
    query = select(Relation.player_id, Relation.other_id).where(
        col(Relation.player_id).in_(numbers), col(Relation.other_id).in_(numbers), col(Relation.blocked)
    )
    found = {frozenset(pair) for pair in session.exec(query)}
    return [pair for pair in combinations(known, 2) if frozenset(each.id for each in pair) in found]


def kept_apart_from(session: Session, player: int) -> set[int]:
    """The numbers of all with whom a player never sits, whoever of the two blocked the other."""
    session.flush()
    pairs = session.connection().execute(_KEPT_APART, {"player": player})
    return {number for pair in pairs for number in pair} - {player}


def blockers_of(player: int) -> SelectOfScalar[int]:
    """The numbers of all who have blocked the player with this number: a query."""
    return select(Relation.player_id).where(Relation.other_id == player, col(Relation.blocked))


def mutes(session: Session, listener: Player, speaker: Player) -> bool:
    """Whether one player neither sees nor is mailed what another says."""
    return _row(session, listener, speaker) is not None


def relation_to(session: Session, player: Player, other: Player) -> str:
    """How a player keeps away from another: "blocked", "ignored", or "" if they do not."""
    row = _row(session, player, other)
    return "" if row is None else "blocked" if row.blocked else "ignored"


def unheard_by(player: int) -> SelectOfScalar[int]:
    """The numbers of those whom the player with this number neither sees nor is mailed talking: a query."""
    return select(Relation.other_id).where(Relation.player_id == player)


def kept_away(session: Session, player: Player) -> list[KeptAway]:
    """Whom a player has blocked or ignores, by name."""
    query = (
        select(Player.name, Relation.blocked)
        .where(Relation.player_id == player.id, Relation.other_id == Player.id)
        .order_by(col(Player.name_key))
    )
    return [KeptAway(*row) for row in session.exec(query)]


def _keep(session: Session, player: Player, other: Player, *, blocked: bool) -> None:
    row = _row(session, player, other)
    if row is not None:
        row.blocked = row.blocked or blocked
        return
    if count_rows(session, Relation.player_id == player.id) >= MOST_RELATIONS:
        raise BadRequest(
            f"You already block or ignore {MOST_RELATIONS} players. Undo that for some of them first, for "
            "example: unblock NAME."
        )
    session.add(Relation(player_id=players.identity(player), other_id=players.identity(other), blocked=blocked))
    session.flush()


def _row(session: Session, player: Player, other: Player) -> Relation | None:
    return session.get(Relation, (players.identity(player), players.identity(other)))


def _other(session: Session, player: Player, name: str, word: str) -> Player:
    """The player whom a command names."""
    name = name.strip()
    if not name:
        raise BadRequest(f"Write: {word} NAME, with the name of a player.")
    other = players.find_known(session, name)
    if other is None:
        raise BadRequest(f"There is no player called “{name[:40]}”. Give the exact name.")
    if other.computer:
        raise BadRequest(f"{other.name} is a computer player, who challenges nobody, and says nothing.")
    if other.id == player.id:
        raise BadRequest(f"{other.name} is you: you cannot {word} yourself.")
    return other
