"""What players say to one another in a game that has begun, and what they note for themselves."""

from server.errors import NotRunning
from server.game import log
from server.limits import LONGEST_PRESS
from server.models import Game, Press, Seat
from server.outbox import Post


def say(post: Post, game: Game, seat: int, text: str) -> None:
    """Keep what `seat` says and mail it to the others; an empty text is nothing said. Raises as `keep` does."""
    keep(post, game, seat, text)
    if not text:
        return
    for other, player in log.seats(post.session, game):
        if other.number != seat:
            post.put_to_player(
                player, "press", game=game.id, seat=other.number, speaker=seat, said=text[:LONGEST_PRESS]
            )


def keep(post: Post, game: Game, seat: int, text: str, *, private: bool = False) -> None:
    """Store what `seat` says, for the players of the game or for itself; an empty text is nothing said.

    Who says something is there: the turn is not counted as missed. Raises NotRunning before the game begins:
    nobody who has not accepted yet is told anything by people whom he may not know.
    """
    if not text:
        return
    if not log.has_begun(game):
        raise NotRunning(
            f"Game {game.id} has not begun: nothing can be said or noted before all have accepted."
        )
    press = Press(
        game_id=log.identity(game),
        turn=game.turn,
        seat=seat,
        private=private,
        sealed=post.vault.seal(text[:LONGEST_PRESS].encode()),
        said_at=post.now,
    )
    post.session.add(press)
    post.session.get_one(Seat, (press.game_id, seat)).heard_turn = game.turn
