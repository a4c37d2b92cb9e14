"""The start of an open game with fewer players than it has seats, once all who have joined agree."""

from contextlib import suppress
from dataclasses import dataclass

from sqlmodel import Session

from rules.errors import BadData
from rules.records.record import read_options
from rules.sentences import listed
from server.accounts import players
from server.errors import BadRequest
from server.game.lobby import seats
from server.game.log import log
from server.game.log.display_names import called
from server.game.play.start import start_game
from server.store.letters.lobby import StartAsked
from server.store.models import Game, Json, Player
from server.store.outbox import ActionContext


@dataclass(frozen=True)
class StartView:
    """The state of an agreement to start an open game early, for one of its players."""

    players: int
    """The number of players who have joined."""
    agreed: tuple[str, ...]
    """The names of the players who have agreed."""
    missing: tuple[str, ...]
    """The names of the players who have not agreed yet."""
    mine: bool
    """Whether the viewer has agreed."""


def start(action: ActionContext, player: Player, number: int) -> Game:
    """Agree to start an open game with the present players; the last one to agree starts it. Raises Refused."""
    game, _ = seats.at_own(action, player, number)
    seats.check_can_play(action, player, "start a game")
    seats.dismiss(action, game)
    options = _options(game)
    if seats.keep_apart(action.session, game):
        raise BadRequest(
            f"Game {number} cannot start with its present players. To leave it, write: leave {number}"
        )
    before = view(action.session, game, players.identity(player))
    if before is not None and before.mine:
        raise BadRequest(
            f"You have already agreed. Game {number} starts once {listed(before.missing)} "
            f"{'agrees' if len(before.missing) == 1 else 'agree'} too."
        )
    seated = log.seats(action.session, game)
    for seat, other in seated:
        seat.agreed = seat.agreed or other.id == player.id
    if all(seat.agreed for seat, _ in seated):
        game.options = options
        start_game(action, game)
    elif before is not None and not before.agreed:
        by = seats.called_there(action.session, game, player)
        for other in seats.others_to_notify(action, game, player, StartAsked):
            action.put_to_player(other, StartAsked(number, by, players.identity(other)))
    return game


def view(session: Session, game: Game, viewer: int | None) -> StartView | None:
    """Return the state of the agreement to start early; None if that is impossible, and for other viewers."""
    if viewer not in game.asked or fewer(game) is None:
        return None
    seated = log.seats(session, game)
    return StartView(
        players=len(seated),
        agreed=tuple(called(game, *each, None) for each in seated if each.seat.agreed),
        missing=tuple(called(game, *each, None) for each in seated if not each.seat.agreed),
        mine=any(seat.agreed for seat, player in seated if player.id == viewer),
    )


def fewer(game: Game) -> Json | None:
    """Return the options that an open game would have with only the players who have joined.

    They differ in the option that sets the number of players. None if the rules do not allow so few.
    """
    rules, found = log.rules_of(game), []
    if not log.free_seats(game) or len(game.asked) < 2:
        return None
    for name, option in rules.offered.items():
        for value in option.values:
            with suppress(BadData):
                options = read_options(rules, {**game.options, name: value})
                if len(rules.seats(options)) == len(game.asked):
                    found.append(options)
    return found[0] if len(found) == 1 else None


def _options(game: Game) -> Json:
    """Return the same as `fewer`. Raises BadRequest if there are no such options."""
    count = len(game.asked)
    if count == 1:
        raise BadRequest(f"No other player has joined game {game.id} yet, so it cannot start.")
    options = fewer(game)
    if options is None:
        title = log.rules_of(game).title
        raise BadRequest(
            f"{count} players cannot play {title} with the options of game {game.id}. It starts when all seats "
            "are taken."
        )
    return options
