"""The wording of sentences about options and commands in emails and forms, and the words for on and off."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Wording:
    """The place where a sentence is read: an email, or a form whose fields have these `labels`, by option."""

    labels: Mapping[str, str] = field(default_factory=dict)

    def option(self, name: str, *values: str) -> str:
        """Return the name of an option or, with values, the way to write them.

        In an email: "places=4-16"; at a form: "4-16 at “Places”".
        """
        label = self.labels.get(name)
        if not values:
            return label or name
        if label is None:
            return " or ".join(f"{name}={value}" for value in values)
        return f"{' or '.join(values)} at “{label}”"

    def typed(self, text: str) -> str:
        """Return a text that only people who write commands need; "" at a form."""
        return "" if self.labels else text


MAIL = Wording()

_PLEASE = re.compile(r"[,.]? (?:please|pls|thanks|thank you)[.!]*$", re.IGNORECASE)
_ON = frozenset({"on", "yes", "true", "always", "enable", "enabled"})
_OFF = frozenset({"off", "no", "none", "never", "false", "disable", "disabled"})


def without_please(text: str) -> str:
    """Return a value without a “please” or “thanks” at its end."""
    return _PLEASE.sub("", text.strip())


def on_or_off(text: str) -> bool | None:
    """Return True for "on" and the like, False for "off", "no", "none", "never" and the like, else None."""
    word = without_please(text).casefold().strip(" .!")
    return word in _ON if word in _ON | _OFF else None


Sentence = str | Callable[[Wording], str]


class Spoken(Exception):
    """An error whose text is a sentence for the player; `str(error)` is the wording for emails."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        super().__init__(self.worded(MAIL))

    def worded(self, where: Wording) -> str:
        """Return the sentence in the wording of a place."""
        return self.sentence if isinstance(self.sentence, str) else self.sentence(where)
