"""What players write beside their commands: by their choice asked about, told to the others, or dropped.

It may be a signature that was not known as one, so unless its writer has chosen otherwise, nobody else sees it
before they say so. Until then it is kept with their seat, sealed like what is said.
"""

from server.accounts.choices import Choice, Way
from server.errors import BadRequest
from server.game.messages import messages
from server.limits import LONGEST_MESSAGE
from server.store.keys.sealing import Sealer
from server.store.models import Game, Seat
from server.store.outbox import ActionContext

ASK, SEND, DROP = "ask", "send", "drop"
WORDS = Choice(
    name="words",
    label="Words beside a move",
    topic="messages",
    help="what becomes of other words in your emails: you are asked, they are sent to the others, or dropped",
    ways=(
        Way(
            ASK,
            "Ask me whether to send them",
            "You will be asked about words that you write beside a move.",
            also=("ask me",),
        ),
        Way(
            SEND,
            "Send them to the others",
            "Words that you write beside a move will be sent to the others.",
            also=("send them",),
        ),
        Way(
            DROP,
            "Drop them",
            "Words that you write beside a move will be dropped, unless you write “say”.",
            also=("never", "drop them"),
        ),
    ),
)


def keep(sealer: Sealer, seat: Seat, text: str) -> str:
    """Keep words until their writer decides about them, in place of earlier ones; return the stored text."""
    kept = sealer.without_secrets(text, LONGEST_MESSAGE)
    seat.sealed_words = sealer.seal(kept.encode())
    return kept


def pending_text(sealer: Sealer, seat: Seat) -> str:
    """What was written and not decided about; "" for nothing."""
    return "" if seat.sealed_words is None else sealer.open(seat.sealed_words).decode()


def send(action: ActionContext, game: Game, seat: Seat, seen: str) -> None:
    """Say to the others what is kept. Raises BadRequest if nothing is, or not what the writer was shown.

    `seen` is what they were shown, "" where that is not known.
    """
    messages.say(action, game, seat.number, _taken(action.sealer, seat, seen))


def drop(action: ActionContext, seat: Seat, seen: str) -> None:
    """Keep it no longer. Raises BadRequest as `send` does."""
    _taken(action.sealer, seat, seen)


def _taken(sealer: Sealer, seat: Seat, seen: str) -> str:
    text = pending_text(sealer, seat)
    if not text:
        raise BadRequest("No words of yours wait to be passed on. To say something, write: say TEXT")
    # Pages and mails end lines in other ways.
    if seen and seen[:LONGEST_MESSAGE].split() != text.split():
        raise BadRequest(
            "You have written other words since, so nothing was done. To say these, write: say TEXT"
        )
    seat.sealed_words = None
    return text
