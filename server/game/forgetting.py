"""Open games that nobody waits for any more: those to which nobody comes, and places of who cannot play."""

from server.game import log, offers, places, seeking
from server.game.terms import GameTerms
from server.store.letters.lobby import TableForgotten
from server.store.models import Game
from server.store.outbox import Action


def forget(action: Action, game: Game) -> None:
    """Close an open game; all who sit there are told how to open one like it."""
    letter = TableForgotten(log.identity(game), command_for(game))
    for _, player in log.seats(action.session, game):
        action.put_to_player(player, letter)
    game.state = "closed"
    game.changed_at = action.now


def free(action: Action, game: Game) -> None:
    """Let those leave an open game who cannot play any more; without the one who opened it, it is closed."""
    for _, player in log.seats(action.session, game):
        if game.state == "open" and not places.can_play(action, player):
            seeking.leave(action, player, log.identity(game))


def command_for(game: Game) -> str:
    """The command that opens a game like this one."""
    usual = log.rules_of(game).options({})
    options = {name: value for name, value in game.options.items() if value != usual[name]}
    options |= game.wanted | GameTerms.from_json(game.terms).unusual()
    if game.offer:
        options[offers.ALWAYS] = game.offer["always"]
    return " ".join(["seek", game.kind, *(f"{name}={value}" for name, value in options.items())])
