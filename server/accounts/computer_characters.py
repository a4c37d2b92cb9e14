"""The five computer players as Nabu creates them, and the names that are reserved for them."""

from dataclasses import dataclass

from rules.strengths import NAMES
from server.accounts.names import shape


@dataclass(frozen=True)
class ComputerPlayer:
    """A computer player."""

    level: int
    """The level from 1 to 5, as in `rules.strengths`."""
    name: str
    strength: str
    """The strength compared to the others, in words."""
    about: str
    """A sentence about the character."""


COMPUTER_PLAYERS = (
    ComputerPlayer(1, NAMES[0], "the gentlest", "Feasts more than he looks, and most of his moves are a whim."),
    ComputerPlayer(
        2, NAMES[1], "a gentle one", "New to the city, and quick to learn; he often misjudges a move."
    ),
    ComputerPlayer(3, NAMES[2], "the middle one", "Grows gardens: looks a little ahead, and wastes little."),
    ComputerPlayer(
        4, NAMES[3], "a strong one", "Weighs every move, and near its end he knows how a game must go."
    ),
    ComputerPlayer(
        5, NAMES[4], "the strongest", "Reads the stars: looks farthest ahead, and takes his time for it."
    ),
)
"""All computer players, the weakest first."""
_ENKIDU = COMPUTER_PLAYERS[1]
USUAL, COMPUTER = _ENKIDU.level, _ENKIDU.name
"""The level and the name of the default computer player."""
ANY = "computer"
"""Another name of the default computer player."""
_KEPT = {each.name for each in COMPUTER_PLAYERS} | {ANY}
_KEYS = frozenset(name.casefold() for name in _KEPT)
_SHAPES = frozenset(shape(form) for name in _KEPT for form in (name, name.upper()))


def is_kept(name: str) -> bool:
    """Return whether a name is reserved for a computer player, in upper or lower case."""
    return name.casefold() in _KEYS


def looks_kept(name: str) -> bool:
    """Return whether a name looks like that of a computer player."""
    return shape(name) in _SHAPES
