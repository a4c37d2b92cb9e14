"""What stands on the settings page for a preference."""

from collections.abc import Callable
from dataclasses import dataclass

from server.accounts.choices import Choice
from server.store.models import Player
from server.store.outbox import ActionContext


@dataclass(frozen=True)
class TextField:
    """A line of text on the settings page."""

    label: str
    hint: str
    value: Callable[[Player], str]
    stands: Callable[[ActionContext, Player], str] = lambda action, player: ""
    """How things stand, shown after the hint."""
    suggested: tuple[str, ...] = ()
    """Texts worth offering."""
    emptied: str = ""
    """What it means to leave nothing in it."""


@dataclass(frozen=True)
class Switch:
    """Something that is `on` or `off`, each in words that stand in a list on the settings page."""

    label: str
    hint: str
    on: str
    off: str
    is_on: Callable[[Player], bool]

    def value(self, player: Player) -> str:
        """ "on" or "off" """
        return "on" if self.is_on(player) else "off"


@dataclass(frozen=True)
class Selection:
    """A list on the settings page, of which one line is chosen."""

    choice: Choice

    @property
    def label(self) -> str:
        """What is chosen."""
        return self.choice.label

    def value(self, player: Player) -> str:
        """The word of the player's way."""
        return self.choice.chosen_by(player)


@dataclass(frozen=True)
class Several:
    """Boxes on the settings page, of which any number can be ticked: each a word, and what it is called."""

    label: str
    hint: str
    choices: tuple[tuple[str, str], ...]
    value: Callable[[Player], str]
    """The words that are ticked, separated by ", "; "none" for none."""
