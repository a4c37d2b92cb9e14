"""Extra text: lines beside the commands of an email. Nabu asks the writer whether others should see them.

It may be a signature that was not recognized. So unless its writer has chosen otherwise, others see it only
after the writer confirms it. Until then it is stored with the seat, encrypted like messages.
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
    label="Extra text in an email with a move",
    topic="messages",
    help="extra text in your emails: be asked about it, send it to the other players, or discard it",
    ways=(
        Way(
            ASK,
            "Ask me whether to send it",
            "Nabu will ask you about extra text in an email with a move.",
            also=("ask me",),
        ),
        Way(
            SEND,
            "Send it to the other players",
            "Extra text in an email with a move will be sent to the other players.",
            also=("send them",),
        ),
        Way(
            DROP,
            "Discard it",
            "Extra text in an email with a move will be discarded. To send a message, write: say TEXT",
            also=("never", "drop them"),
        ),
    ),
)


def keep(sealer: Sealer, seat: Seat, text: str) -> str:
    """Store extra text until its writer decides about it, in place of earlier text.

    Returns the stored text, from which Nabu's secrets are removed.
    """
    kept = sealer.without_secrets(text, LONGEST_MESSAGE)
    seat.sealed_words = sealer.seal(kept.encode())
    return kept


def pending_text(sealer: Sealer, seat: Seat) -> str:
    """Return the extra text that waits for a decision; "" for none."""
    return "" if seat.sealed_words is None else sealer.open(seat.sealed_words).decode()


def send(action: ActionContext, game: Game, seat: Seat, seen: str) -> None:
    """Send the stored extra text to the other players as a message.

    `seen` is the text that its writer was shown, "" if unknown. Raises BadRequest if no text is stored, or a
    different one.
    """
    messages.say(action, game, seat.number, _taken(action.sealer, seat, seen))


def drop(action: ActionContext, seat: Seat, seen: str) -> None:
    """Delete the stored extra text. Raises BadRequest as `send` does."""
    _taken(action.sealer, seat, seen)


def _taken(sealer: Sealer, seat: Seat, seen: str) -> str:
    text = pending_text(sealer, seat)
    if not text:
        raise BadRequest("You have no extra text to send. To send a message, write: say TEXT")
    # Pages and emails have different line endings.
    if seen and seen[:LONGEST_MESSAGE].split() != text.split():
        raise BadRequest(
            "You have written other text since, so nothing was done. To send this one, write: say TEXT"
        )
    seat.sealed_words = None
    return text
