"""How a sentence speaks of options and commands, in a mail or at a form, and how people write on and off."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Wording:
    """Where a sentence is read: in a mail, or at a form whose fields have these `labels`, by option."""

    labels: Mapping[str, str] = field(default_factory=dict)

    def option(self, name: str, *values: str) -> str:
        """What an option is called, or, with values, how to give it one of them.

        In a mail: "places=4-16"; at a form: "4-16 at “Places”".
        """
        label = self.labels.get(name)
        if not values:
            return label or name
        if label is None:
            return " or ".join(f"{name}={value}" for value in values)
        return f"{' or '.join(values)} at “{label}”"

    def typed(self, text: str) -> str:
        """What only people who write commands need to know; "" at a form."""
        return "" if self.labels else text


MAIL = Wording()

_PLEASE = re.compile(r"[,.]? (?:please|pls|thanks|thank you)[.!]*$", re.IGNORECASE)
_ON = frozenset({"on", "yes", "true", "always", "enable", "enabled"})
_OFF = frozenset({"off", "no", "none", "never", "false", "disable", "disabled"})


def without_please(text: str) -> str:
    """A value without the please or the thanks at its end."""
    return _PLEASE.sub("", text.strip())


def on_or_off(text: str) -> bool | None:
    """Return True for "on" and the like, False for "off", "no", "none", "never" and the like, else None."""
    word = without_please(text).casefold().strip(" .!")
    return word in _ON if word in _ON | _OFF else None


Sentence = str | Callable[[Wording], str]


class Spoken(Exception):
    """An error that is a sentence for the player; `str(error)` is how a mail says it."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        super().__init__(self.worded(MAIL))

    def worded(self, where: Wording) -> str:
        """The sentence, as it is read there."""
        return self.sentence if isinstance(self.sentence, str) else self.sentence(where)
