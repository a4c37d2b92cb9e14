"""Open games that nobody joined for a while begin with computer players."""

from server.errors import GameOver
from server.game import joiners, log, places, play
from server.store.models import Game, Seat
from server.store.outbox import Action


def fill(action: Action, game: Game) -> None:
    """Let computer players take all seats that are free in an open game, locked, which begins then.

    Where they do not fit, or it could not begin, it waits as long again.
    """
    joiners.wait_anew(game, action.now)
    try:
        places.dismiss(action, game)
    except GameOver:
        return
    company = joiners.who(action.session, game)
    if not company or places.keep_apart(action.session, game):
        return
    for player in company:
        seat = Seat(game_id=log.identity(game), number=len(game.asked), player_id=player.id or 0, accepted=True)
        seat.joined_at = action.now
        action.session.add(seat)
        game.asked = [*game.asked, player.id or 0]
    action.session.flush()
    play.begin(action, game)
