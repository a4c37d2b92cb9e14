"""The letters that answer what was asked of a game, and look up nothing."""

from dataclasses import dataclass

from server.store.letters.letter import Letter


@dataclass(frozen=True)
class Refusal(Letter):
    """A reply that could not be carried out."""

    is_answer = True
    tells_standing = True

    problem: str
    read: list[str]
    """What it said, line by line."""
    choices: list[str]
    """What may have been meant."""
    stale: bool
    """Whether it was for an earlier turn."""


@dataclass(frozen=True)
class Beside(Letter):
    """Nothing but the remark that something was written beside the commands of a mail."""

    is_answer = True


@dataclass(frozen=True)
class Conditions(Letter):
    """Conditional moves were read and are `kept`, a line each, or were dropped."""

    is_answer = True

    kept: list[str]


@dataclass(frozen=True)
class DrawNoted(Letter):
    """One's own offer of a draw stands."""

    is_answer = True
    tells_standing = True


@dataclass(frozen=True)
class UndoNoted(Letter):
    """One's own word that a move may be taken back was heard; not all have agreed yet."""

    is_answer = True
    tells_standing = True


@dataclass(frozen=True)
class ChallengeSent(Letter):
    """One's own challenge is on its way, or waits for one's own words for luck."""

    is_answer = True

    early: str
    """The words that came too early, before the hash of the seed was known."""


@dataclass(frozen=True)
class DeclinedByYou(Letter):
    """One's own "decline" was carried out."""

    is_answer = True


@dataclass(frozen=True)
class WordsReported(Letter):
    """Words of another player's were reported to the operator."""

    is_answer = True

    speaker: int
    words: str
