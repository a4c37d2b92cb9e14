"""The parts of an email that a list of emails shows: the sender's name, the subject and the preview."""

import re
import textwrap
from collections.abc import Sequence

from rules.game import Json
from rules.reasons import Reason
from rules.records.turns import read_result
from rules.sentences import listed
from server.accounts.choices import SUBJECT
from server.game.log.display_names import SOMEBODY
from server.game.views.game_view import GameView
from server.game.views.seats import SeatView
from server.store.models import Player

_LONGEST = 140
"""Maximum length of a preview in characters; email programs do not show more."""
_NOT_ABBREVIATED = "".join(rf"(?<!\b{word})" for word in ("[A-Z]", "Dr", "Mr", "Mrs", "St", "No", "vs"))
_FIRST = re.compile(rf"((?:“[^”]*”|[^“])+?(?:[!?]|{_NOT_ABBREVIATED}\.))\s+(?=[A-Z“])")
"""The first sentence of several; names may contain an initial or an abbreviation with a full stop."""
_COMMON = ("The", "All", "You", "Nobody", "Turn", "Turns")
"""First words of sentences that are written in lower case inside a line."""


def preview(*sentences: str) -> str:
    """Return the sentences in one line, shortened to the length that email programs show."""
    return _shortened(" ".join(filter(None, sentences)), _LONGEST)


def state_line(state: str, happened: str, due: str) -> str:
    """Return a preview with state, events and deadline: "Your move: Ben played a2. By Wed 18:00."."""
    known = f" By {due}." if due else ""
    room = _LONGEST - len(known) - len(state) - 2
    said = _shortened(happened, max(room, 0))
    if said.partition(" ")[0] in _COMMON:
        said = said[0].lower() + said[1:]
    return f"{state}: {said}{known}" if said else f"{state}.{known}"


def first_sentence(text: str) -> tuple[str, str]:
    """Return the first sentence and the rest of a text; quoted text ends no sentence."""
    found = _FIRST.match(text)
    return (found[1], text[found.end() :]) if found else (text, "")


def _shortened(text: str, most: int) -> str:
    """Return the text without line breaks, cut between words to this length."""
    line = " ".join(text.split())
    return line if len(line) <= most else textwrap.shorten(line, most, placeholder=" …")


def against(view: GameView) -> str:
    """Return the names of the viewer's opponents for a sentence: "Ben", "Ben and Cleo"."""
    return listed(seat.name for seat in view.seats if seat != view.me)


def game_title(view: GameView) -> str:
    """Return the title of a game with its number and opponents: "Nibble 7 with Ben"."""
    return f"{view.title} {view.number} with {against(view)}"


def state_subject(view: GameView, player: Player, *, mine: bool, turn: int) -> str:
    """Return the subject of an email about a game: always the same, or with the turn, as the player prefers.

    `mine` is true if the player has to move.
    """
    if SUBJECT.chosen_by(player) == SUBJECT.ways[0].word:
        return view.subject
    if view.state == "invited":
        return game_title(view)
    return f"{'Your move: ' if mine else ''}{game_title(view)}, turn {turn}"


def result_subject(view: GameView, result: Json) -> str:
    """Return the result of a game for its viewer, as a subject: "You won Nibble 7 against Ben"."""
    found = read_result(result, len(view.seats))
    winners = [] if found is None else [view.seats[seat] for seat in found.winners]
    game = f"{view.title} {view.number}"
    if found is not None and found.reason == Reason.RULED and not winners:
        return f"{game_title(view)} was cancelled"
    if not winners:
        return f"{game_title(view)} was abandoned"
    if len(winners) > 1:
        return f"{game_title(view)} is a draw"
    (winner,) = winners
    return f"You won {game} against {against(view)}" if winner == view.me else f"{winner.name} won {game}"


def person(seats: Sequence[SeatView], actor: int | str | None, receiver: int | None) -> str:
    """Return the name of the player who acted, for the sender's name; "" for none.

    "" also for a computer player and for the receiver. `actor` is a seat or a name. A name that looks like an
    address is omitted, because beside the real sender address it would look like a forged email.
    """
    if actor is None or actor == receiver:
        return ""
    name = actor if isinstance(actor, str) else "" if seats[actor].computer else seats[actor].name
    return "" if name == SOMEBODY or "@" in name else name
