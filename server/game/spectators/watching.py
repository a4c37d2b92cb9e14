"""Watching: players get an email after each turn of a watched game, and when a game of a watched player ends.

Watchers see only public information. Private games cannot be watched.
"""

from dataclasses import dataclass

from sqlalchemy import delete
from sqlmodel import Session, col, select

from rules.sentences import quoted, shortened
from server.accounts import players, relations
from server.errors import BadRequest
from server.game.log import log, visibility
from server.game.log.display_names import called
from server.game.spectators import chat
from server.game.views import lists
from server.limits import MOST_WATCHED
from server.store import db
from server.store.db import count_rows
from server.store.models import Follow, Game, Player, Watch
from server.store.models.columns import row_number
from server.store.outbox import ActionContext

_HOW = "Write: watch NUMBER, with the number of a game, or: watch NAME, with the name of a player."


@dataclass(frozen=True)
class WatchedGame:
    """A game that a player watches, as everyone may see it."""

    number: int
    title: str
    players: tuple[str, ...]
    turn: int


@dataclass(frozen=True)
class WatchList:
    """The watched games, in the order of their start, and the watched players, by name."""

    games: tuple[WatchedGame, ...] = ()
    players: tuple[str, ...] = ()


def watch(action: ActionContext, player: Player, what: str) -> str:
    """Start watching a game (by its number) or a player (by name); return a sentence for the player.

    Without a text, return the list of what the player watches. Raises BadRequest.
    """
    what = what.strip().lstrip("#")
    if not what:
        return in_words(watched_by(action.session, player))
    number = row_number(what)
    return _follow(action.session, player, what) if number is None else _watch_game(action, player, number)


def unwatch(action: ActionContext, player: Player, what: str) -> str:
    """Stop watching a game (by its number) or a player (by name), or `all`; return a sentence for the player.

    Raises BadRequest if the player does not watch it.
    """
    session, what, number = action.session, what.strip().lstrip("#"), players.identity(player)
    if what.lower() == "all":
        stop(session, number)
        return "You no longer watch anything."
    if not what:
        raise BadRequest("Write: unwatch NUMBER, or: unwatch NAME, or: unwatch all.")
    if game := row_number(what):
        watched = session.get(Watch, (number, game))
        if watched is None:
            raise BadRequest(f"You do not watch game {what}. {in_words(watched_by(session, player))}")
        session.delete(watched)
        return f"You no longer watch game {what}."
    other = players.find_known(session, what)
    follow = None if other is None else session.get(Follow, (number, players.identity(other)))
    if other is None or follow is None:
        raise BadRequest(f"You do not watch {shortened(what)}. {in_words(watched_by(session, player))}")
    session.delete(follow)
    return f"You no longer watch {other.name}."


def stop(session: Session, player: int, *, game: int | None = None, other: int | None = None) -> None:
    """Make a player stop watching a game, another player, or everything if neither is given."""
    everything = game is None and other is None
    if game is not None or everything:
        of_game = () if game is None else (col(Watch.game_id) == game,)
        session.execute(delete(Watch).where(col(Watch.player_id) == player, *of_game))
    if other is not None or everything:
        of_other = () if other is None else (col(Follow.other_id) == other,)
        session.execute(delete(Follow).where(col(Follow.player_id) == player, *of_other))


def watches_game(session: Session, player: int, game: Game) -> bool:
    """Return whether a player watches a game."""
    return session.get(Watch, (player, log.id_of(game))) is not None


def follows(session: Session, player: int, other: Player) -> bool:
    """Return whether the player with number `player` watches the player `other`."""
    return session.get(Follow, (player, players.identity(other))) is not None


def watched_by(session: Session, player: Player) -> WatchList:
    """Return the games and players that a player watches."""
    query = select(Game).where(Watch.game_id == Game.id, Watch.player_id == player.id, visibility.PUBLIC)
    games = session.exec(query.order_by(col(Game.id))).all()
    seated = lists.seats_of(session, games)
    names = select(Player.name).where(Follow.other_id == Player.id, Follow.player_id == player.id)
    return WatchList(
        tuple(
            WatchedGame(
                log.id_of(game),
                log.rules_of(game).title,
                tuple(called(game, *each, player.id) for each in seated[log.id_of(game)]),
                game.turn,
            )
            for game in games
        ),
        tuple(session.exec(names.order_by(col(Player.name_key)))),
    )


def in_words(watched: WatchList) -> str:
    """Return a sentence with the watched games and players, and the commands to change them."""
    said = [f"game {game.number} ({game.title}: {' - '.join(game.players)})" for game in watched.games]
    said += [f"{name} (each game that ends)" for name in watched.players]
    if not said:
        return f"You watch nothing at the moment. {_HOW}"
    return f"You watch {'; '.join(said)}. To stop, write: unwatch NUMBER, unwatch NAME, or unwatch all"


def _watch_game(action: ActionContext, player: Player, number: int) -> str:
    session = action.session
    db.locked(session, Game, number)
    found = visibility.visible_game(session, number, player.id)
    if found is None:
        raise BadRequest(f"There is no game {number} that you can watch. {_HOW}")
    game, seat = found
    if seat is not None:
        raise BadRequest(f"You play in game {number} yourself, and get its emails anyway.")
    if not log.has_begun(game):
        raise BadRequest(
            f"Game {number} waits for players: you can watch it once it has started. To join it, write: "
            f"join {number}"
        )
    if game.state == "over":
        raise BadRequest(f"Game {number} is over. You can look at it on its page.")
    key = players.identity(player), number
    if session.get(Watch, key) is None:
        _check_amount(session, player)
        session.add(
            Watch(
                player_id=key[0], game_id=number, entries=game.entries, last_message=chat.last(session, number)
            )
        )
        session.flush()
    return f"You watch game {number}: you get an email after each turn, or after several played quickly."


def _follow(session: Session, player: Player, name: str) -> str:
    other = players.find_known(session, name)
    if other is None:
        raise BadRequest(f"There is no player called {quoted(name)}. {_HOW}")
    if other.computer:
        raise BadRequest(f"{other.name} is a computer player: watch single games of it instead.")
    if other.id == player.id:
        raise BadRequest("You cannot watch yourself: you get the emails of your games anyway.")
    if relations.mutes(session, player, other):
        raise BadRequest(f"You have blocked or ignored {other.name}. To watch them, undo that first.")
    key = players.identity(player), players.identity(other)
    if session.get(Follow, key) is None:
        _check_amount(session, player)
        session.add(Follow(player_id=key[0], other_id=key[1]))
        session.flush()
    return f"You watch {other.name}: you get an email whenever one of their public games ends."


def _check_amount(session: Session, player: Player) -> None:
    """Raise BadRequest if a player watches the most games and players that are allowed."""
    games = count_rows(session, Watch.player_id == player.id)
    if games + count_rows(session, Follow.player_id == player.id) >= MOST_WATCHED:
        raise BadRequest(
            f"You already watch {MOST_WATCHED} games and players. Stop watching some of them first: "
            "unwatch NUMBER"
        )
