"""How a sentence speaks of options and commands: as in a mail, or by the labels of the fields of a form."""

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

Sentence = str | Callable[[Wording], str]


class Spoken(Exception):
    """An error that is a sentence for the player; `str(error)` is how a mail says it."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        super().__init__(self.worded(MAIL))

    def worded(self, where: Wording) -> str:
        """The sentence, as it is read there."""
        return self.sentence if isinstance(self.sentence, str) else self.sentence(where)
