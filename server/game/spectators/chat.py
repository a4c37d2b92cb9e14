"""Spectator chat: messages between the spectators of a game, hidden from its players until it is over.

A spectator is a player who does not play in the game, and is logged in or gets its turns by email. Messages
from ignored players, and from players blocked in either direction, are hidden.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from server.accounts import bans, players, relations
from server.clock.spans import DAY
from server.errors import BadRequest, Impossible
from server.game.log import log, visibility
from server.limits import LONGEST_MESSAGE
from server.store import db
from server.store.db import count_rows
from server.store.keys.sealing import Sealer
from server.store.models import Game, Player, SpectatorMessage
from server.store.outbox import ActionContext

MOST_MESSAGES_A_DAY = 50
"""The most spectator messages of a player in a day, in all games."""
MOST_TOLD = 20
"""The most spectator messages in one email: the latest."""
_PAGE = 30


@dataclass(frozen=True)
class SpectatorMessageView:
    """A message to the other spectators."""

    number: int
    speaker: str
    own: bool
    """Whether the reader wrote it."""
    text: str
    turn: int
    at: datetime


def none_to_watch(number: int) -> BadRequest:
    """Return the error for a game that a player cannot watch; its text is the same if there is no such game."""
    return BadRequest(f"There is no game {number} that you can watch.")


def post(action: ActionContext, player: Player, number: int, text: str) -> str:
    """Post a message to the other spectators of a game; return a sentence for the player. Raises BadRequest."""
    session, text = action.session, text.strip()
    db.locked(session, Game, number)
    found = visibility.visible_game(session, number, player.id)
    if found is None or not log.has_begun(found[0]):
        raise none_to_watch(number)
    game, seat = found
    if seat is not None:
        raise BadRequest(
            f"You play in game {number} yourself. To send a message to the other players, reply to "
            "an email about the game, or use its page."
        )
    if game.state == "over":
        raise BadRequest(f"Game {number} is over, so its spectator chat is closed.")
    _check(action, player, text)
    session.add(
        SpectatorMessage(
            game_id=number,
            turn=game.turn,
            player_id=players.identity(player),
            sealed=action.sealer.seal(action.sealer.without_secrets(text, LONGEST_MESSAGE).encode()),
            said_at=action.now,
        )
    )
    session.flush()
    return (
        f"Spectators of game {number} see your message on its page or in their next email about it. Its "
        "players see it when the game is over."
    )


def list_visible(
    session: Session, sealer: Sealer, game: Game, reader: Player, seat: int | None, page: int = 1
) -> tuple[list[SpectatorMessageView], bool]:
    """Return a page of the spectator messages that a player may see, in order, and whether earlier ones exist.

    Page 1 has the latest. `seat` is the player's seat in the game, if any.
    """
    if not log.has_begun(game) or (seat is not None and game.state != "over"):
        return [], False
    latest = _heard_by(game, reader).order_by(col(SpectatorMessage.id).desc())
    found = session.exec(latest.offset(_PAGE * (page - 1)).limit(_PAGE + 1)).all()
    return _views(session, sealer, reader, found[:_PAGE][::-1]), len(found) > _PAGE


def new_to(session: Session, game: Game, reader: Player, after: int) -> list[int]:
    """Return the numbers of the latest messages of other spectators after message `after`, in order."""
    query = _heard_by(game, reader).where(
        col(SpectatorMessage.id) > after, SpectatorMessage.player_id != reader.id
    )
    found = session.exec(query.order_by(col(SpectatorMessage.id).desc()).limit(MOST_TOLD)).all()
    return [row.id or 0 for row in found[::-1]]


def filter_audible(
    session: Session, sealer: Sealer, game: Game, reader: Player, numbers: Sequence[int]
) -> list[SpectatorMessageView]:
    """Return the messages with these numbers that their reader may still see."""
    query = (
        _heard_by(game, reader).where(col(SpectatorMessage.id).in_(numbers)).order_by(col(SpectatorMessage.id))
    )
    return _views(session, sealer, reader, session.exec(query).all())


def last(session: Session, game: int) -> int:
    """Return the number of the last spectator message in a game; 0 for none."""
    return (
        session.exec(select(func.max(SpectatorMessage.id)).where(SpectatorMessage.game_id == game)).one() or 0
    )


def none_to_report(number: int) -> BadRequest:
    """Return the error for a message that a player cannot report; it is the same if there is no such game."""
    return BadRequest(f"There is no message from a spectator of game {number} that you could report.")


def to_report(session: Session, number: int, reader: Player, which: int | None = None) -> SpectatorMessage:
    """Return another spectator's message in game `number`: number `which`, or the last. Raises BadRequest."""
    found = visibility.visible_game(session, number, reader.id)
    messages: Sequence[SpectatorMessage] = ()
    if found is not None and (found[1] is None or found[0].state == "over"):
        query = _heard_by(found[0], reader).where(SpectatorMessage.player_id != reader.id)
        query = query if which is None else query.where(SpectatorMessage.id == which)
        messages = session.exec(query.order_by(col(SpectatorMessage.id).desc()).limit(1)).all()
    if not messages:
        raise none_to_report(number)
    return messages[0]


def _heard_by(game: Game, reader: Player) -> SelectOfScalar[SpectatorMessage]:
    """Return the query for the messages that a spectator may see."""
    number, speaker = players.identity(reader), col(SpectatorMessage.player_id)
    # Players whom the writer has blocked are also excluded.
    heard = (speaker.not_in(relations.unheard_by(number)), speaker.not_in(relations.blockers_of(number)))
    return select(SpectatorMessage).where(SpectatorMessage.game_id == game.id, *heard)


def _views(
    session: Session, sealer: Sealer, reader: Player, rows: Sequence[SpectatorMessage]
) -> list[SpectatorMessageView]:
    speakers = {row.player_id for row in rows}
    names = dict(session.exec(select(Player.id, Player.name).where(col(Player.id).in_(speakers))).all())
    return [
        SpectatorMessageView(
            number=row.id or 0,
            speaker=names[row.player_id],
            own=row.player_id == reader.id,
            text=sealer.open(row.sealed).decode(),
            turn=row.turn,
            at=row.said_at,
        )
        for row in rows
    ]


def _check(action: ActionContext, player: Player, text: str) -> None:
    """Raise BadRequest if a player may not post this, or has posted enough today."""
    bans.check(action.session, player, action.now)
    own, today = SpectatorMessage.player_id == player.id, col(SpectatorMessage.said_at) > action.now - DAY
    if count_rows(action.session, own, today) >= MOST_MESSAGES_A_DAY:
        raise Impossible(
            f"You have posted {MOST_MESSAGES_A_DAY} messages to spectators within a day. You can post more "
            "tomorrow."
        )
