"""The data export: all stored data about a player, for that player only, as JSON.

Moves are not included: each game's record is a separate file, on the game's page and by `verify`.
"""

import json
from collections.abc import Iterator
from datetime import datetime

from sqlmodel import Session, and_, col, or_, select

from rules.game import Json
from server.accounts import players, relations
from server.accounts.login import api_tokens, passkeys, sessions
from server.game.log import log
from server.game.log.display_names import called
from server.game.spectators import abuse_reports, watching
from server.store.keys.sealing import Sealer
from server.store.models import (
    Entrant,
    Game,
    GameMessage,
    Player,
    Rating,
    Seat,
    SpectatorMessage,
    Tournament,
    Variation,
)

FORMAT = "nabu-own-data/1"
FILE = "nabu-my-data.json"
"""The name of the file."""
_SETTINGS = ("zone", "reminders", "digest", "auto_vacation", "forced_moves", "choices", "mail_stopped")


def own_data(session: Session, sealer: Sealer, player: Player) -> str:
    """Return all stored data about a player as JSON, with times in UTC. Raises UnknownKey."""
    watched = watching.watched_by(session, player)
    data: Json = {
        "format": FORMAT,
        "name": player.name,
        "bio": player.bio,
        "languages": player.languages,
        "known_since": _moment(player.created_at),
        "email": player.email,
        "addresses": players.addresses_of(session, player),
        "settings": {name: getattr(player, name) for name in _SETTINGS},
        "logins": [
            {"browser": each.browser, "since": _moment(each.since), "last_used": _moment(each.seen_at)}
            for each in sessions.list_logins(session, player)
        ],
        "passkeys": [
            {
                "name": each.name,
                "added": _moment(each.added_at),
                "last_used": each.used_at and _moment(each.used_at),
            }
            for each in passkeys.list_passkeys(session, player)
        ],
        "tokens": [
            {
                "name": each.name,
                "made": _moment(each.made_at),
                "last_used": each.used_at and _moment(each.used_at),
            }
            for each in api_tokens.list_tokens(session, player)
        ],
        "kept_away": [
            {"name": each.name, "blocked": each.blocked} for each in relations.kept_away(session, player)
        ],
        "watched": {"games": [game.number for game in watched.games], "players": list(watched.players)},
        "ratings": [
            {"game_type": row.game_type, "pace": row.pace, "mu": row.mu, "sigma": row.sigma, "games": row.games}
            for row in session.exec(select(Rating).where(Rating.player_id == player.id))
        ],
        "games": list(_games(session, player)),
        "tournaments": list(_tournaments(session, player)),
        "words": list(_words(session, sealer, player)),
        "spectator_messages": list(_spectator_messages(session, sealer, player)),
        "reports": list(_reports(session, sealer, player)),
        "lines": list(_lines(session, sealer, player)),
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _games(session: Session, player: Player) -> Iterator[Json]:
    """Yield the player's games, with the names of the others as the player may know them."""
    mine = select(Seat.game_id).where(Seat.player_id == player.id)
    query = select(Game, Seat, Player).where(Seat.game_id == Game.id, Seat.player_id == Player.id)
    query = query.where(col(Game.id).in_(mine)).order_by(col(Game.id), col(Seat.number))
    found: dict[int, Json] = {}
    for game, seat, other in session.exec(query):
        told = {"number": game.id, "game_type": game.game_type, "options": game.options, "state": game.state}
        row = found.setdefault(log.id_of(game), {**told, "result": game.result, "seats": []})
        row["seats"].append(called(game, seat, other, player.id))
        if other.id == player.id:
            row["seat"] = seat.number
    yield from found.values()


def _tournaments(session: Session, player: Player) -> Iterator[Json]:
    own = and_(Entrant.tournament_id == Tournament.id, Entrant.player_id == player.id)
    query = select(Tournament, Entrant).join(Entrant, own, isouter=True)
    query = query.where(or_(Tournament.made_by == player.id, col(Entrant.player_id).is_not(None)))
    for tournament, entrant in session.exec(query.order_by(col(Tournament.id))):
        yield {
            "number": tournament.id,
            "name": tournament.name,
            "made": tournament.made_by == player.id,
            "entered": entrant is not None,
            "left": entrant is not None and entrant.left,
        }


def _words(session: Session, sealer: Sealer, player: Player) -> Iterator[Json]:
    """Yield the player's messages and notes in games."""
    query = select(GameMessage).where(GameMessage.game_id == Seat.game_id, GameMessage.seat == Seat.number)
    for message in session.exec(query.where(Seat.player_id == player.id).order_by(col(GameMessage.id))):
        yield {
            "game": message.game_id,
            "turn": message.turn,
            "at": _moment(message.said_at),
            "note": message.private,
            "text": sealer.open(message.sealed).decode(),
        }


def _spectator_messages(session: Session, sealer: Sealer, player: Player) -> Iterator[Json]:
    for row in session.exec(
        select(SpectatorMessage)
        .where(SpectatorMessage.player_id == player.id)
        .order_by(col(SpectatorMessage.id))
    ):
        text = sealer.open(row.sealed).decode()
        yield {"game": row.game_id, "turn": row.turn, "at": _moment(row.said_at), "text": text}


def _reports(session: Session, sealer: Sealer, player: Player) -> Iterator[Json]:
    """Yield the messages that the player reported, with their comments."""
    for each in abuse_reports.reported_by(session, sealer, player):
        yield {
            "game": each.game,
            "turn": each.turn,
            "at": _moment(each.at),
            "speaker": each.speaker,
            "to_spectators": each.to_spectators,
            "words": each.words,
            "why": each.why,
        }


def _lines(session: Session, sealer: Sealer, player: Player) -> Iterator[Json]:
    query = select(Variation).where(Variation.player_id == player.id)
    for row in session.exec(query.order_by(col(Variation.game_id), col(Variation.number))):
        yield {"game": row.game_id, "number": row.number, "line": sealer.open_json(row.sealed)}


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
