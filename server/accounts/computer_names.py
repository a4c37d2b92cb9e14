"""The computer players: five figures of the Babylonian court, each of one strength."""

from dataclasses import dataclass

from rules.strengths import NAMES
from server.accounts.confusable_names import shape


@dataclass(frozen=True)
class ComputerPlayer:
    """One of the five, as they are presented."""

    level: int
    """Their strength, as in `rules.strengths`."""
    name: str
    strength: str
    """How strong they are among the five."""
    about: str
    """What they are like, a sentence."""


COMPUTER_PLAYERS = (
    ComputerPlayer(
        1, NAMES[0], "the gentlest", "Feasts more than he looks, and about half of his moves are a whim."
    ),
    ComputerPlayer(
        2, NAMES[1], "a gentle one", "New to the city, and quick to learn; now and then he overlooks something."
    ),
    ComputerPlayer(3, NAMES[2], "the middle one", "Grows gardens: looks a little ahead, and wastes little."),
    ComputerPlayer(
        4, NAMES[3], "a strong one", "Weighs every move, and near its end he knows how a game must go."
    ),
    ComputerPlayer(
        5, NAMES[4], "the strongest", "Reads the stars: looks farthest ahead, and takes his time for it."
    ),
)
"""From the weakest on."""
_ENKIDU = COMPUTER_PLAYERS[1]
USUAL, COMPUTER = _ENKIDU.level, _ENKIDU.name
"""The strength and the name of who plays where “the computer” is named and nobody in particular."""
ANY = "computer"
"""What names the same player."""


_KEPT = {each.name for each in COMPUTER_PLAYERS} | {ANY}
_KEYS = frozenset(name.casefold() for name in _KEPT)
_SHAPES = frozenset(shape(form) for name in _KEPT for form in (name, name.upper()))


def is_kept(name: str) -> bool:
    """Return whether a name is reserved for a computer player, in upper or lower case."""
    return name.casefold() in _KEYS


def looks_kept(name: str) -> bool:
    """Whether a name looks like one of those."""
    return shape(name) in _SHAPES
