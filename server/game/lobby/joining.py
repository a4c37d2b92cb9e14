"""Open games: one player opens a game, others join or leave it, and it starts when all seats are taken.

Unlike the players of a challenge, all who have joined have already accepted. Letters about open games come from
the plain address and name the game, because places change when a player leaves.
"""

from collections.abc import Mapping

from sqlmodel import Session, col, select

from server.accounts import players
from server.errors import BadRequest
from server.game.lobby import (
    challenge_checks,
    computer_joiners,
    entry_conditions,
    proposed_game,
    recurring_games,
    seats,
)
from server.game.lobby.proposed_game import ProposedGame
from server.game.log import log, randomness, visibility
from server.game.play.start import start_game
from server.store.letters.lobby import OpenGameChanged, OpenGameClosed
from server.store.models import Game, Json, Player, Seat
from server.store.outbox import ActionContext


def seek(action: ActionContext, player: Player, game_type: str, options: Mapping[str, object]) -> Game:
    """Open a game; `options` are those of the rules, the terms and the entry conditions. Raises BadRequest."""
    whom, left = entry_conditions.read(options)
    always, left = recurring_games.read(left)
    proposed = proposed_game.read(game_type, left, players.zone(player))
    if always and proposed.terms.anonymous:
        raise BadRequest("A recurring game cannot be anonymous, because its first game reveals who opened it.")
    seats.check_can_play(action, player, "open a game")
    challenge_checks.check_seek(action.session, player)
    return put_up(action, player, proposed, whom.to_json(), recurring_games.offer(always, proposed.options))


def put_up(
    action: ActionContext, player: Player, proposed: ProposedGame, whom: Json, offer: Json | None
) -> Game:
    """Store an open game of a player.

    `whom` are its entry conditions, and `offer` is the recurring open game that it belongs to, None for a
    single game.
    """
    game = proposed_game.store(action, proposed, [player])
    game.state, game.wanted, game.offer = "open", whom, offer
    computer_joiners.begin_to_wait(game, player, action.now)
    return game


def join(action: ActionContext, player: Player, number: int, words: str = "") -> Game:
    """Join an open game, with the player's words for luck; the last player to join starts it. Raises Refused.

    A player who has already joined can give or replace their words for luck.
    """
    game, seated = seats.at_open(action, player, number)
    own = next((seat for seat, other in seated if other.id == player.id), None)
    if own is not None:
        if not words:
            raise BadRequest(f"You have already joined game {number}. It starts when all seats are taken.")
        own.client_seed = randomness.given(action.sealer, words)
        return game
    undone = seats.disagree(action.session, game)
    _check_may_sit(action, game, player)
    players.admit(action, player)
    seats.sit_down(action, game, player, randomness.given(action.sealer, words))
    game.changed_at = action.now
    computer_joiners.restart_wait(game, action.now)
    if log.free_seats(game):
        by = seats.called_there(action.session, game, player)
        seats.notify_others(action, game, player, OpenGameChanged(number, by, joined=True, undone=undone))
    else:
        start_game(action, game)
    return game


def leave(action: ActionContext, player: Player, number: int) -> Game:
    """Leave an open game; if the opener leaves, the game is closed. Raises Refused."""
    game, own = seats.at_own(action, player, number)
    by = seats.called_there(action.session, game, player)
    if own.number == 0:
        seats.notify_others(action, game, player, OpenGameClosed(number, by))
        game.state = "closed"
    else:
        undone = seats.disagree(action.session, game)
        seats.stand_up(action.session, game, own.number)
        seats.notify_others(action, game, player, OpenGameChanged(number, by, joined=False, undone=undone))
    game.changed_at = action.now
    computer_joiners.restart_wait(game, action.now)
    return game


def opened(session: Session, number: int, player: Player) -> Game:
    """Return an open game.

    Raises NotYours if the game does not exist, is not open, or may not be seen by the player.
    """
    game = session.get(Game, number)
    if game is None or game.state != "open" or visibility.is_hidden(session, game, players.identity(player)):
        raise seats.none_open(number)
    return game


def joined(session: Session, player: Player) -> list[int]:
    """Return the numbers of the open games that a player has opened or joined, oldest first."""
    query = select(Game.id).where(Seat.game_id == Game.id, Seat.player_id == player.id, Game.state == "open")
    return [number for number in session.exec(query.order_by(col(Game.id))) if number is not None]


def _check_may_sit(action: ActionContext, game: Game, player: Player) -> None:
    """Raise Refused if a player cannot join a game; players who can no longer play are removed from it."""
    seats.dismiss(action, game)
    seats.check_can_play(action, player, "join a game")
    if seats.keep_apart(action.session, game):
        raise BadRequest(f"You cannot join game {game.id}. To see the open games, write: lobby")
    entry_conditions.check(action.session, game, player)
    challenge_checks.check_join(action, player)
