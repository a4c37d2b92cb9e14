"""Doubts about a move that was read from an email: other text that may be another move. Then none is played.

A move at the top is played unless another line of the email is a move, or names a place on the board. If it was
found below other words, these must also not ask, deny or make conditions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from mail.reading.spelling import plain_line, without_marker
from server.commands.arguments import IsMove
from server.commands.courtesy import Courtesy
from server.commands.game_words import NOTE, STOP
from server.commands.parser import Command, Instructions
from server.commands.vocabulary import REPLY
from server.commands.word import Effect

_ACTS = frozenset({Effect.PLAYS, Effect.CHANGES})
_MOST_WORDS = 200  # of a line that are looked at
_MOST_LINES = 200
_FEW = 3  # words of a line that hardly says anything
_LONGEST_ORDER = 3  # words of an order: "1 go north"
_WORD = re.compile(r"[^\s,;:!?()\"“”„…]+")
_PLACE = re.compile(r"[^\W_]+")
_ENDS = (".", "!", "…", ")", ",", ":)", ";)")
DOUBTFUL = frozenset(
    word
    for language in (
        "not don't doesn't didn't won't can't isn't wouldn't shouldn't never no none neither nor if unless",
        "whether should would could might maybe perhaps instead or else except last previous wait kidding",
        "nicht kein keine keinen nie niemals wenn falls ob soll sollte würde könnte vielleicht oder statt",
        "pas jamais aucun sinon devrais dois pourrais peut-être plutôt",
        "nunca jamás debería podría quizás quizá non mai forse dovrei potrei invece oppure",
        "não talvez deveria poderia senão niet geen nooit misschien zou moet",
        "inte aldrig kanske borde eller ikke aldri måske kanskje burde hvis en ei älä ehkä jos vai",
        "nie nigdy jeśli może czy albo lub zamiast nikdy možná jestli nebo asi",
        "не ни никогда если может или ли якщо ніколи може чи або",
        "değil asla belki eğer veya acaba nem soha talán ha vagy",
    )
    for word in language.split()
)
"""Words that ask, deny or make conditions."""
_CORRECTING = frozenset(
    word
    for language in (
        "mean meant actually correct correction mistake typo oops",
        "meine meinte korrektur falsch eigentlich",
        "voulais erreur quería quise corrección volevo intendevo correzione bedoel bedoelde menade mente",
    )
    for word in language.split()
)
"""Words that correct what was written before."""
_TAKES_BACK = frozenset(
    line
    for language in (
        "no; nope; not; not yet; no wait; wait; wait no; kidding; just kidding; only kidding; or not; maybe",
        "ignore this; ignore that; forget it; forget that",
        "nein; nein warte; warte; nicht; doch nicht; noch nicht",
        "non; attends; non attends; pas encore; espera; no espera; aspetta; no aspetta; не; нет; подожди",
    )
    for line in language.split("; ")
)
"""Whole lines that take back the lines above them."""


@dataclass(frozen=True)
class PossibleMoves:
    """Checks whether a text is, or looks like, a move of one seat in the current position."""

    reads: IsMove
    """Returns True if a text is written like a move."""
    allows: IsMove
    """Returns True if a text is a legal move."""
    places: Callable[[], frozenset[str]]
    """Returns the names of all places on the board, in lower case."""


NONE = PossibleMoves(lambda text: False, lambda text: False, frozenset)
"""No possible moves."""


@dataclass(frozen=True)
class Doubts:
    """Finds other text in an email that may be a move or a command, besides those that were read."""

    moves: PossibleMoves
    courtesy: Courtesy

    def two_moves(self, read: Instructions) -> tuple[str, ...]:
        """Return all moves of an email if it has more than one, else (); parts of one move count as one."""
        if len(read.moves) > 1:
            return tuple(read.moves)
        lines = [line for text in read.moves for line in text.split("\n")]
        if len(lines) < 2 or self.moves.allows(read.moves[0]):
            return ()
        return tuple(lines) if all(map(self.moves.allows, lines)) else ()

    def line(self, read: Instructions) -> str:
        """Return the first line beside a move that may be another move; "" if there is none."""
        if not read.moves:
            return ""
        lines = [line for line in (*read.above, *read.below) if line][:_MOST_LINES]
        if read.above and any(map(_may_be_an_initial, read.moves)):
            return lines[0]
        above = self._leaves_open(read.above)
        return above or next((line for line in lines if self._may_be_a_move(line, alone=not read.found)), "")

    def taken_back(self, read: Instructions) -> str:
        """Return the first line below the commands that takes them back, or asks a question: "or should I?".

        A request for no more email is carried out anyway.
        """
        words = {command.word for command in read.commands}
        if STOP in words or all(word.effect is Effect.READS for word in words):
            return ""
        return next(filter(_takes_back, read.below[:_MOST_LINES]), "")

    def swallowed(self, command: Command) -> str:
        """Return the first line within a text that is a move, legal or not, or a command; "" for none.

        The first line of the message does not count.
        """
        lines = command.argument.split("\n")[1:] if command.word.takes.to_the_end else []
        meant = (
            line.strip() for line in lines[:_MOST_LINES] if _begins_note(line) or self.is_instruction(line)
        )
        return next(meant, "")

    def out_of_place(self, read: Instructions) -> str:
        """Return the first line above or below the commands that is itself a command to change something.

        Returns "" if there is none.
        """
        lines = (*read.above, *read.below[:_MOST_LINES])
        return next((line for line in lines if self.is_instruction(line, _ACTS)), "")

    def _leaves_open(self, above: Sequence[str]) -> str:
        """Return the first line above a move that may ask, deny or make a condition, or continue into it."""
        prose = [line for line in above if line and not self.courtesy.is_polite(line)]
        if not prose:
            return ""
        if above[-1] or not prose[-1].endswith(_ENDS):
            return prose[-1]
        return next((line for line in prose if _is_open(line)), "")

    def _may_be_a_move(self, line: str, *, alone: bool) -> bool:
        """Return True if a line is a move, or contains one.

        A word without a digit, such as `hold`, occurs in any text: if the move is `alone` at the top, such a
        word counts only in a line that asks, denies or corrects, or that has few other words.
        """
        plain = plain_line(line)[0]
        if any(map(self.moves.reads, (plain, without_marker(plain)))):
            return True
        words = [word.rstrip(".") for word in _WORD.findall(plain)[:_MOST_WORDS]]
        places = self.moves.places()
        if any(_names_place(piece, places) for word in words for piece in _PLACE.findall(word.lower())):
            return True
        if any(map(self.moves.reads, filter(_begins_like_an_order, _texts(words)))):
            return True
        if alone and len(words) > _FEW and not _is_open(plain) and _CORRECTING.isdisjoint(_words(plain)):
            return False
        return any(len(text) > 1 and self.moves.allows(text) for text in _texts(words))

    def is_meant(self, line: str) -> bool:
        """Return True if a line is an instruction, or names a move while it asks, denies or corrects."""
        questions = _is_open(line) or not _CORRECTING.isdisjoint(_words(line))
        return self.is_instruction(line) or (questions and self._may_be_a_move(line, alone=True))

    def is_instruction(self, line: str, effects: Collection[Effect] = frozenset(Effect)) -> bool:
        """Return True if a line by itself is a move, legal or not, or a command with such effects."""
        plain = without_marker(plain_line(line.strip())[0])
        texts = [plain, *(polite.text for polite in self.courtesy.around(plain))]
        return any(self._says(text, effects) for text in texts if text)

    def _says(self, text: str, effects: Collection[Effect]) -> bool:
        word, rest = REPLY.split(text)
        if word is None or word.takes.as_spelled:
            return self.moves.reads(text)
        is_command = word.effect in effects and not word.takes.to_the_end
        return is_command and word.takes.read(rest, self.moves.reads) is not None


def _begins_note(line: str) -> bool:
    """Return True if a line would be a private note if it stood alone."""
    plain = without_marker(plain_line(line.strip())[0])
    return bool(plain) and REPLY.split(plain)[0] is NOTE


def _may_be_an_initial(move: str) -> bool:
    """Return True if a move is a single letter, such as a colour; below other words it may be a signature."""
    return len(move.strip(" .")) == 1


def _takes_back(line: str) -> bool:
    words = _words(line)
    return " ".join(words) in _TAKES_BACK if words else "?" in line


def _begins_like_an_order(text: str) -> bool:
    """Return True if the first word contains a digit, or is a capital letter before another word."""
    first, _, rest = text.partition(" ")
    is_letter = len(first) == 1 and first.isupper() and rest != ""
    return is_letter or (_has_digit(first) and not text.isdecimal())


def is_doubtful(line: str) -> bool:
    """Return whether a line has a word that denies, doubts or makes a condition, for example “maybe c4”."""
    return not DOUBTFUL.isdisjoint(_words(line))


def _is_open(line: str) -> bool:
    return "?" in line or is_doubtful(line)


def _words(line: str) -> list[str]:
    return [word.strip(".'").lower() for word in _WORD.findall(line.replace("’", "'"))]


def _texts(words: Sequence[str]) -> Iterator[str]:
    for start in range(len(words)):
        for length in range(1, _LONGEST_ORDER + 1):
            if start + length <= len(words):
                yield " ".join(words[start : start + length])


def _names_place(word: str, places: frozenset[str]) -> bool:
    return word in places and not word.isdecimal()


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))
