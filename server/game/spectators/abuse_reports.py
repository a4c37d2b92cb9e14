"""Reports of abusive messages. The administrator can read only reported messages."""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session, col, select

from server.accounts import players
from server.clock.spans import DAY
from server.errors import BadRequest, Impossible
from server.game.log.display_names import called
from server.game.views import history
from server.limits import LONGEST_LINE, LONGEST_MESSAGE
from server.store.db import count_rows
from server.store.keys.sealing import Sealer
from server.store.models import AbuseReport, Game, GameMessage, Player, Seat, SpectatorMessage
from server.store.outbox import ActionContext

MOST_REPORTS = 5
"""The most reports by a player in a day."""


@dataclass(frozen=True)
class ReportedMessage:
    """A reported message, with the names for the administrator."""

    number: int
    game: int
    turn: int
    speaker: str
    by: str
    to_spectators: bool
    """Whether it was a message to spectators."""
    words: str
    why: str
    """The reporting player's comment; "" for none."""
    at: datetime


def message_at(action: ActionContext, game: Game, seat: int, place: int | None = None) -> GameMessage:
    """Return the last message of another player that `seat` can read, or the one at `place`.

    Places count all messages that the seat can read, from 1. Raises BadRequest if there is no such message, or
    if it is the player's own.
    """
    found = history.words_for(action.session, game, seat)
    if place is not None:
        found = found[place - 1 : place] if place > 0 else []
    heard = [message for message in found if message.seat != seat]
    if not heard:
        raise BadRequest("There is no message from another player here to report.")
    return heard[-1]


def report(action: ActionContext, player: Player, said: GameMessage | SpectatorMessage, why: str) -> str:
    """Report a message that a player has received, and return its text. Raises BadRequest."""
    session, number = action.session, players.identity(player)
    mine = AbuseReport.by_id == number
    column = AbuseReport.message_id if isinstance(said, GameMessage) else AbuseReport.spectator_message_id
    if count_rows(session, mine, column == said.id):
        raise BadRequest("You have already reported this. The administrator has it.")
    if count_rows(session, mine, col(AbuseReport.reported_at) > action.now - DAY) >= MOST_REPORTS:
        raise Impossible(f"You have reported {MOST_REPORTS} messages within a day. Try again tomorrow.")
    sealer = action.sealer
    words = sealer.without_secrets(sealer.open(said.sealed).decode(), LONGEST_MESSAGE)
    session.add(
        AbuseReport(
            game_id=said.game_id,
            message_id=said.id if isinstance(said, GameMessage) else None,
            spectator_message_id=said.id if isinstance(said, SpectatorMessage) else None,
            speaker_id=_speaker(session, said),
            by_id=number,
            sealed=sealer.seal_json({"words": words, "why": sealer.without_secrets(why.strip(), LONGEST_LINE)}),
            reported_at=action.now,
        )
    )
    return words


def unresolved(
    session: Session, sealer: Sealer, since: datetime | None = None, limit: int = 50, skip: int = 0
) -> list[ReportedMessage]:
    """Return at most `limit` unresolved reports after `skip`, oldest first; with `since`, only later ones."""
    query = select(AbuseReport).where(col(AbuseReport.resolved_at).is_(None))
    if since is not None:
        query = query.where(col(AbuseReport.reported_at) > since)
    rows = session.exec(query.order_by(col(AbuseReport.id)).offset(skip).limit(limit)).all()
    return [_words(session, sealer, reported) for reported in rows]


def reported_by(session: Session, sealer: Sealer, player: Player) -> list[ReportedMessage]:
    """Return a player's reports, oldest first, with the senders' names as that player may know them."""
    rows = session.exec(
        select(AbuseReport).where(AbuseReport.by_id == player.id).order_by(col(AbuseReport.id))
    ).all()
    found = [(row, _words(session, sealer, row)) for row in rows]
    return [replace(words, speaker=_known_as(session, row, words, player)) for row, words in found]


def _known_as(session: Session, reported: AbuseReport, words: ReportedMessage, reader: Player) -> str:
    if reported.message_id is None:
        return words.speaker
    game, message = session.get_one(Game, words.game), session.get_one(GameMessage, reported.message_id)
    seat, speaker = (
        session.get_one(Seat, (words.game, message.seat)),
        session.get_one(Player, reported.speaker_id),
    )
    return called(game, seat, speaker, reader.id)


def _speaker(session: Session, said: GameMessage | SpectatorMessage) -> int:
    """Return the number of the message's writer."""
    if isinstance(said, SpectatorMessage):
        return said.player_id
    return session.get_one(Seat, (said.game_id, said.seat)).player_id


def _words(session: Session, sealer: Sealer, reported: AbuseReport) -> ReportedMessage:
    said: GameMessage | SpectatorMessage
    if reported.message_id is None:
        said = session.get_one(SpectatorMessage, reported.spectator_message_id)
    else:
        said = session.get_one(GameMessage, reported.message_id)
    speaker, by = (session.get_one(Player, number) for number in (reported.speaker_id, reported.by_id))
    told = sealer.open_json(reported.sealed)
    return ReportedMessage(
        number=reported.id or 0,
        game=reported.game_id,
        turn=said.turn,
        speaker=speaker.name,
        by=by.name,
        to_spectators=isinstance(said, SpectatorMessage),
        words=told["words"],
        why=told["why"],
        at=reported.reported_at,
    )
