"""Form fields of the settings page for preferences."""

from collections.abc import Callable
from dataclasses import dataclass

from server.accounts.choices import Choice
from server.store.models import Player
from server.store.outbox import ActionContext


@dataclass(frozen=True)
class TextField:
    """A text field on the settings page; `value` returns its current text."""

    label: str
    hint: str
    value: Callable[[Player], str]
    state: Callable[[ActionContext, Player], str] = lambda action, player: ""
    """Returns the current state, shown after the hint."""
    suggested: tuple[str, ...] = ()
    """Suggested texts."""
    when_empty: str = ""
    """The value that an empty field sets."""
    examples: tuple[tuple[str, str], ...] = ()
    """Longer examples, each with its name, which pages show on request."""


@dataclass(frozen=True)
class Switch:
    """A list on the settings page with two lines, on and off, each with its own label."""

    label: str
    hint: str
    on: str
    off: str
    is_on: Callable[[Player], bool]

    def value(self, player: Player) -> str:
        """Return "on" or "off"."""
        return "on" if self.is_on(player) else "off"


@dataclass(frozen=True)
class Selection:
    """A list on the settings page, from which one value is chosen."""

    choice: Choice

    @property
    def label(self) -> str:
        """Return the label of the list."""
        return self.choice.label

    def value(self, player: Player) -> str:
        """Return the value that a player has chosen."""
        return self.choice.chosen_by(player)


@dataclass(frozen=True)
class Several:
    """Checkboxes on the settings page: each has a word and a label, and any number can be ticked."""

    label: str
    hint: str
    choices: tuple[tuple[str, str], ...]
    value: Callable[[Player], str]
    """Returns the ticked words, separated by ", "; "none" for none."""
