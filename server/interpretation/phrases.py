"""Read lines in plain English, and some in other languages, as the commands that they mean.

The phrases are in `phrase_table.py`, one per row; this module reads them. A line means a command only if a row
fits all of it, apart from politeness around it ("could you please … for me?"), so a line that denies or doubts
means none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from mail.reading.spelling import plain_line, without_marker
from rules.registry import RULES
from server.clock.calendar_names import in_english
from server.commands import vocabulary
from server.commands.arguments import IsMove
from server.commands.courtesy import Courtesy
from server.commands.courtesy_phrases import ASKING, BEHIND, WANTING
from server.commands.game_numbers import split_number
from server.commands.parser import Command, Instructions
from server.commands.vocabulary import ABOUT_A_GAME, PLAIN, REPLY
from server.commands.word import MOVE, Effect, Vocabulary
from server.game.play import conditional_moves
from server.interpretation.command_checks import names_days
from server.interpretation.game_phrases import IN_A_GAME
from server.interpretation.patterns import SLOTS, read_pattern
from server.interpretation.phrase_table import ANYWHERE, TO_NABU

ENDING = frozenset(("stop", "delete", "resign", "leave", "cancel", "logout", "withdraw", "confirm", "unwatch"))
"""Commands that end something: only listed phrases lead to them, never similar ones."""
_LONGEST = 120  # characters of a line that can be a phrase
_MOST_LINES = 30  # that are looked at
_MESSAGES = ("say", "tell")
_ARROW = re.compile(r" (=>|\?>) ")
_SLOT = re.compile(r"<([a-z]+)>")
_EACH_GAME = "<each game>"
_NEXT_LINE = " + "


@dataclass(frozen=True)
class Phrase:
    """One row of the table: a pattern, and the commands that it means."""

    pattern: re.Pattern[str]
    first: frozenset[str]
    """The words with which the phrase may begin; "" for any."""
    words: frozenset[str]
    """All words in the phrase."""
    choices: tuple[str, ...]
    """The commands, with the names of slots; several if it is not clear which is meant."""
    is_certain: bool
    """True if the phrase means exactly the command; otherwise the command is only suggested."""
    explanation: str
    """A sentence for the writer, beside the suggestion."""

    @property
    def is_message(self) -> bool:
        """True if a part of the phrase is a message to other players."""
        return "text" in self.pattern.groupindex and any(each.startswith(_MESSAGES) for each in self.choices)


@dataclass(frozen=True)
class Meaning:
    """The commands that a line of an email means: one that is carried out, or several to choose from."""

    choices: tuple[str, ...]
    is_certain: bool
    """True if there is exactly one meaning, which is carried out."""
    is_alone: bool = False
    """True if it is carried out only if the email has no other text: a question, for example."""
    explanation: str = ""
    is_part: bool = False
    """True if it is the meaning of only a part of the line."""


_ByFirstWord = dict[str, list[Phrase]]
"""The phrases that may begin with each word; those of "" may begin with any other word."""

Read = Callable[[str], Instructions]
"""A function that reads the commands in a text."""


@dataclass(frozen=True)
class Phrases:
    """The phrases that Nabu understands in one kind of email: about a game, or to the plain address."""

    rows: Sequence[Phrase]
    about_games: Sequence[Phrase]
    """The phrases that are understood with the number of a game."""
    words: Vocabulary
    """The commands of that kind of email."""
    beside: Vocabulary
    """The commands of these that are read beside other commands, even if they change something."""

    @cached_property
    def courtesy(self) -> Courtesy:
        """The recognizer of polite words for people whose names are unknown."""
        return Courtesy(meant=self.words.spelled.keys())

    @cached_property
    def single_words(self) -> dict[str, tuple[str, ...]]:
        """The phrases that consist of one word, such as “surrender”, with their commands."""
        rows = [(word, row) for row in reversed(self.rows) for word in row.first]
        return {word: row.choices for word, row in rows if row.pattern.fullmatch(f" {word}")}

    @cached_property
    def _by_first_word(self) -> _ByFirstWord:
        return _sorted_by_first_word(self.rows)

    @cached_property
    def _about_games_by_first_word(self) -> _ByFirstWord:
        return _sorted_by_first_word(self.about_games)

    @cached_property
    def words_used(self) -> frozenset[str]:
        """All words that occur in the phrases."""
        return frozenset(word for row in self.rows for word in row.words)

    def translate(self, text: str, is_move: IsMove, read: Read, courtesy: Courtesy | None = None) -> str:
        """Return the text of an email in which phrases at the top are replaced by the commands that they mean.

        `is_move` returns True for a text that is written like a move, and `read` reads the commands in a text.
        """
        lines, courtesy = text.splitlines(), courtesy or self.courtesy
        meanings = (self.meaning(line, is_move, read) for line in lines[:_MOST_LINES])
        certain = {n: each for n, each in enumerate(meanings) if each is not None and each.is_certain}
        if not certain:
            return text
        alone = self._alone(lines, certain, read, courtesy)
        return alone or "\n".join(self._translated(lines, certain, read, courtesy))

    def meaning(self, line: str, is_move: IsMove, read: Read) -> Meaning | None:
        """Return the meaning of a line; None for a move, and for a line that no phrase fits."""
        plain = without_marker(plain_line(line.strip())[0])
        if not plain or len(plain) > _LONGEST:
            return None
        found = self._meaning(self._by_first_word, plain, is_move, read)
        return found or self._in_numbered_game(plain, is_move, read)

    def _in_numbered_game(self, line: str, is_move: IsMove, read: Read) -> Meaning | None:
        """Return the meaning of a line that names a game by its number: “show me game 12”."""
        named = split_number(_without_signs(line))
        if named is None or not named.text:
            return None
        text = f"{named.text}?" if line.endswith("?") else named.text
        found = self._meaning(self._about_games_by_first_word, text, is_move, read)
        choices = [f"#{named.game} {choice}" for choice in (found.choices if found else ())]
        fitting = tuple(choice for choice in choices if _are_about(read(choice).commands, named.game))
        return replace(found, choices=fitting) if found and fitting else None

    def _meaning(self, phrases: _ByFirstWord, plain: str, is_move: IsMove, read: Read) -> Meaning | None:
        whole, (polite, asks) = _without_signs(plain), without_politeness(plain)
        for text in dict.fromkeys((whole, polite) if asks else (polite, whole)):
            first = text.split(maxsplit=1)[0].lower().rstrip(",:;") if text else ""
            for row in phrases.get(first, phrases[""]):
                found = row.pattern.fullmatch(f" {text}")
                if text != whole and row.is_message:
                    continue  # a message keeps the politeness in it
                choices = tuple(_choices(row, found, is_move, read)) if found and not is_move(plain) else ()
                if found and not row.choices:
                    return Meaning((), False, explanation=row.explanation)
                if choices:
                    is_certain = row.is_certain and (not asks or self._only_reads(choices[0]))
                    is_alone = asks or not self._stands_beside(choices[0])
                    return Meaning(choices, is_certain, is_alone, row.explanation)
        return self._polite_command(polite, asks, read) if asks or polite != whole else None

    def _polite_command(self, text: str, asks: bool, read: Read) -> Meaning | None:
        """Return the meaning of a command with politeness around it; None if it ends something.

        One about a game may be said to the other players: “please accept”.
        """
        commands = read(text).commands
        if len(commands) != 1 or commands[0].word is MOVE or commands[0].word.word in ENDING:
            return None
        word = commands[0].word
        is_certain = word.effect is Effect.READS or not (asks or word.word in REPLY)
        return Meaning((str(commands[0]),), is_certain, asks or not self._stands_beside(word.word))

    def _translated(
        self, lines: Sequence[str], certain: dict[int, Meaning], read: Read, courtesy: Courtesy
    ) -> Iterator[str]:
        """Return the lines of an email, with commands in place of phrases, up to the first line of prose."""
        for number, line in enumerate(lines):
            meaning = certain.get(number)
            if meaning is not None and not meaning.is_alone:
                line = meaning.choices[0]
            elif line.strip() and not _is_read(line, read, courtesy):
                yield from lines[number:]
                return
            yield from line.split("\n")
            word, _ = self.words.split(line.strip()) if line.strip() else (None, "")
            if number >= max(certain) or (word is not None and word.takes.to_the_end):
                yield from lines[number + 1 :]
                return

    def _alone(self, lines: Sequence[str], certain: dict[int, Meaning], read: Read, courtesy: Courtesy) -> str:
        """Return the command of an email that consists of one phrase; "" for any other."""
        said = {n: line for n, line in enumerate(lines) if line.strip() and not courtesy.is_polite(line)}
        if not said or len(lines) > _MOST_LINES:
            return ""
        first, *others = said
        if first not in certain or any(n in certain or _is_read(lines[n], read, courtesy) for n in others):
            return ""
        return certain[first].choices[0]

    def _only_reads(self, choice: str) -> bool:
        word, _ = self.words.split(choice)
        return word is not None and word.effect is Effect.READS

    def _stands_beside(self, choice: str) -> bool:
        word, _ = self.words.split(choice)
        return word is None or word.effect is Effect.READS or word.word in self.beside


def _sorted_by_first_word(rows: Sequence[Phrase]) -> _ByFirstWord:
    words = frozenset[str](("",)).union(*(row.first for row in rows))
    found: dict[str, list[Phrase]] = {word: [] for word in words}
    for row in rows:
        for word in words if "" in row.first else row.first:
            found[word].append(row)
    return found


def _are_about(commands: Sequence[Command], game: int) -> bool:
    return commands != () and all(command.game == game for command in commands)


def _choices(row: Phrase, found: re.Match[str], is_move: IsMove, read: Read) -> Iterator[str]:
    """Return the commands of a row that this kind of email allows, with the slots filled in."""
    written = {name: value for name, value in found.groupdict().items() if value is not None}
    if not _fits(written, is_move):
        return
    for template in row.choices:
        for filled in _each_game(template):
            text = _SLOT.sub(lambda slot: SLOTS[slot[1]].write(written[slot[1]]), filled)
            command = text.replace(_NEXT_LINE, "\n")
            if read(command.partition("\n")[0]).commands:
                yield command


def _is_read(line: str, read: Read, courtesy: Courtesy) -> bool:
    """Return whether a line is a command, a move or courtesy, so that those below it are read as well."""
    return courtesy.is_polite(line) or bool(read(line).commands)


def read_table(table: str) -> list[Phrase]:
    """Return the phrases in the text of a phrase table. Raises ValueError for a row in another format."""
    lines = re.sub(r"\n[ \t]+", " ", table).splitlines()
    return [_read_row(line) for line in lines if line and not line.startswith("#")]


def _read_row(line: str) -> Phrase:
    pattern, *parts = _ARROW.split(line)
    if len(parts) != 2:
        raise ValueError(f"a row needs one => or ?>: {line}")
    arrow, rest = parts
    meant, _, sentence = rest.partition("::")
    choices = tuple(choice.strip() for choice in meant.split(" | ") if choice.strip())
    read = read_pattern(pattern)
    regex = re.compile(read.regex, re.IGNORECASE)
    sentence = sentence.strip().replace("{games}", ", ".join(sorted(RULES)))
    return Phrase(regex, read.first, read.words, choices, arrow == "=>", sentence)


def without_politeness(line: str) -> tuple[str, bool]:
    """Return a line without polite words such as "could you please", and whether it is a question."""
    text, asks = _without_signs(line), line.rstrip(" .!").endswith("?")
    while (found := _before().match(text)) and found.end() < len(text):
        asks = asks or found["asking"] is not None
        text = text[found.end() :]
    while (found := _behind().search(text)) and found.start() > 0:
        text = text[: found.start()].rstrip(" ,;.!?")
    return text, asks


def _without_signs(line: str) -> str:
    return " ".join(line.split()).strip(" .!?¡¿")


@cache
def _before() -> re.Pattern[str]:
    """Return a regular expression for politeness before a request; the group `asking` makes it a question."""
    asking, wanting = (_any_of(table) for table in (ASKING, WANTING))
    return re.compile(rf"(?:(?P<asking>{asking})|{wanting})(?:[,:;.!]? +|$)", re.IGNORECASE)


@cache
def _behind() -> re.Pattern[str]:
    return re.compile(rf"(?:[,;.!?]+ *| +)(?:{_any_of(BEHIND)})$", re.IGNORECASE)


def _any_of(table: str) -> str:
    """Return a regular expression for one of some texts, the longest that fits."""
    texts = (text.strip() for text in table.replace("\n", ";").split(";"))
    return "|".join(re.escape(text) for text in sorted(filter(None, texts), key=len, reverse=True))


def _fits(written: dict[str, str], is_move: IsMove) -> bool:
    if not all(is_move(written[slot]) for slot in ("move", "answer", "next") if slot in written):
        return False
    if "days" in written and not names_days(in_english(written["days"])):
        return False
    if "conditions" not in written:
        return True
    moves = conditional_moves.steps(f"if {written['conditions']}")
    return bool(moves) and all(map(is_move, moves))


def _each_game(template: str) -> list[str]:
    """Return the template, once for each game if it contains `<each game>`."""
    if _EACH_GAME not in template:
        return [template]
    return [template.replace(_EACH_GAME, game_type) for game_type in RULES]


_ABOUT_ALL = PLAIN | ABOUT_A_GAME
_NABU, _GAME, _ANYWHERE = map(read_table, (TO_NABU, IN_A_GAME, ANYWHERE))
TO_THE_PLAIN_ADDRESS = Phrases([*_NABU, *_ANYWHERE, *_GAME], _GAME, _ABOUT_ALL, _ABOUT_ALL)
IN_REPLIES = Phrases([*_GAME, *_ANYWHERE], _GAME, vocabulary.ANYWHERE, REPLY)
