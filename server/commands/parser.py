"""Emails of players: one command per line, from the top; the first line below that is not one ends them.

In a reply to a game's email a line is a move, or a command of the vocabulary `REPLY`; in an email to the plain
address it is one of `PLAIN`. A move may take several lines: the lines below belong to it if they are written
like a move themselves, as orders are, or continue a line that a mail program broke. The same holds for
conditional moves, and for options below a challenge. Lines are read in plain spelling
(`mail.reading.spelling`), then as items of a list, and then without courtesies (`courtesy`).

A greeting may stand above the commands, and any words above a move. Whether such a move is really meant is
decided in `doubts`, which looks for other possible moves in the email.

A command or a move may name its game by its number (`game_numbers`); lines below it without a number are about
the same game.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from mail.reading.spelling import plain_line, without_marker
from server.commands.arguments import NOTHING, NUMBER, SPAN, Argument, IsMove
from server.commands.courtesy import NOBODY, Courtesy, Polite
from server.commands.game_numbers import Numbered, NumberedGames, split_number, split_word
from server.commands.game_words import SHOW
from server.commands.vocabulary import REPLY
from server.commands.word import MOVE, Effect, Vocabulary, Word
from server.limits import LONGEST_LINE, MOST_COMMANDS, MOST_LINES

_MOST_ABOVE = 30  # lines above a move, with the empty ones


@dataclass(frozen=True)
class Command:
    """A command of a player, with its argument.

    `changes` lists corrections: "а1 (Cyrillic а) as a1". `game` is the number of the game that it names, `bare`
    if that number could be a part of the move instead.
    """

    word: Word
    argument: str = ""
    changes: tuple[str, ...] = ()
    game: int | None = None
    bare: bool = False

    def __str__(self) -> str:
        """Return the command as a player would write it."""
        if self.word is MOVE:
            return self.argument if self.game is None else f"#{self.game} {self.argument}"
        number = "" if self.game is None else f"{self.game} "
        return f"{self.word.word} {number}{self.argument}".strip()


@dataclass(frozen=True)
class Instructions:
    """The commands that were read, and the line at which reading stopped ("" when all lines were read).

    `breaks_off` says that this line is directly below a move and begins like one, so that the move may be
    incomplete. `above` and `below` are the lines around the commands, including empty ones, or without commands
    the greetings above that line; `said` is other text in the lines of commands, for the other players. `found`
    says that the commands are not alone at the top.
    """

    commands: tuple[Command, ...]
    stopped_at: str
    breaks_off: bool = False
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    found: bool = False

    @property
    def moves(self) -> list[str]:
        """The moves, each with all its lines."""
        return [command.argument for command in self.commands if command.word is MOVE]


def read_commands(
    text: str,
    is_move: IsMove,
    words: Vocabulary,
    courtesy: Courtesy = NOBODY,
    games: NumberedGames | None = None,
) -> Instructions:
    """Read the commands at the top of `text`; `is_move(lines)` is True for text written like a move.

    `words` are the commands that make sense here; `games` are the games that may be named by number, None for
    none. A line or a command longer than `server/limits.py` allows also ends the commands.
    """
    return _Reader(is_move, words, courtesy, games).read([line.strip() for line in text.splitlines()])


@dataclass
class _Reader:
    """Reads one email from the top."""

    is_move: IsMove
    words: Vocabulary
    courtesy: Courtesy
    games: NumberedGames | None
    found: list[Command] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    in_prose: bool = False
    """True if a line above says more than a greeting: below it only a move is looked for."""
    cut: bool = False
    """True if courtesy was cut off a line."""

    def read(self, lines: Sequence[str]) -> Instructions:
        for number, line in enumerate(lines):
            if not line:
                if not self.found:
                    self.above.append("")
                continue
            if _is_enough(self.found):
                return self._end(lines[number:])
            said = None if self._is_lost() else self._begin_text(line)
            if said is not None:
                written = "\n".join([said.argument.lstrip(" :"), *lines[number + 1 :]]).rstrip()
                self.found.append(replace(said, argument=written))
                return self._end(())
            if len(line) <= LONGEST_LINE and self._add(line):
                continue
            if self.found:
                below_move = self.found[-1].word.is_of_moves and lines[number - 1] != ""
                return self._end(lines[number:], below_move and begins_like_a_move(line))
            if len(self.above) >= _MOST_ABOVE:
                break
            self.above.append(line)
            self.in_prose = self.in_prose or not self.courtesy.is_polite(line)
        return self._end(())

    def _end(self, below: Sequence[str], breaks_off: bool = False) -> Instructions:
        above = [line for line in self.above if line]
        if not self.found:
            place = next((n for n, line in enumerate(above) if not self.courtesy.is_polite(line)), 0)
            return Instructions((), above[place] if above else "", above=tuple(above[:place]))
        return Instructions(
            commands=tuple(self.found),
            stopped_at=below[0] if below else "",
            breaks_off=breaks_off,
            above=tuple(self.above) if above else (),
            below=tuple(below),
            said=tuple(self.said),
            found=bool(above) or self.cut,
        )

    def _is_lost(self) -> bool:
        """Return True if only a move can still be found."""
        return self.in_prose and not self.found

    def _add(self, line: str) -> bool:
        """Add a line to the commands; return False if it is neither a command nor a part of one."""
        word, _ = self.words.split(line)
        as_spelled = word is not None and word.takes.as_spelled
        plain, changes = (line, ()) if as_spelled else plain_line(line)
        spellings = [spelled for spelled in dict.fromkeys((plain, without_marker(plain))) if spelled]
        if any(self._add_spelled(spelled, changes) for spelled in spellings):
            return True
        return not as_spelled and any(self._add_polite(spelled, changes) for spelled in spellings)

    def _add_spelled(self, spelled: str, changes: tuple[str, ...]) -> bool:
        """Add a line that is a command, or a part of the one above, without changes."""
        command = self._read_line(spelled)
        if self._is_lost() and (command is None or command.word is not MOVE):
            return False
        if self._continues(spelled, command):
            above = self.found.pop()
            self.found.append(
                replace(above, argument=f"{above.argument}\n{spelled}", changes=above.changes + changes)
            )
            return True
        if command is not None:
            self.found.append(replace(command, changes=changes))
        return command is not None

    def _add_polite(self, spelled: str, changes: tuple[str, ...]) -> bool:
        """Add a line that is a command with courtesies beside it: before a move, or after any command."""
        meant = (polite for polite in self.courtesy.around(spelled) if self._is_meant(polite))
        polite = next(meant, None)
        if polite is None or not self._add_spelled(polite.text, changes):
            return False
        self.said += [polite.said] if polite.said else []
        self.cut = True
        return True

    def _is_meant(self, polite: Polite) -> bool:
        """Return True for a move or a command without an argument. “Resign, Ben!” may be said to Ben."""
        command = self._read_line(polite.text)
        if command is None or command.word is MOVE:
            return command is not None
        may_be_said = polite.leads or (polite.calls and command.word.effect is Effect.CHANGES)
        return not may_be_said and command.word.takes.is_closed

    def _begin_text(self, line: str) -> Command | None:
        """Return the command of a line whose argument extends to the end of the email."""
        word, rest, game = self._split(line)
        return Command(word, rest, game=game) if word is not None and word.takes.to_the_end else None

    def _read_line(self, line: str) -> Command | None:
        """Return the command or move that a whole line is; None for other lines."""
        word, rest, game = self._split(line)
        is_move = self._moves_of(game)
        argument = None if word is None else word.takes.read(rest, is_move)
        if word is not None and argument is not None and not self._is_move_first(word, line):
            return Command(word, argument, game=game)
        game = self._game_above
        if self._moves_of(game)(line):
            return Command(MOVE, line, game=game)
        return None if self.games is None else self._read_elsewhere(self.games, line)

    def _is_move_first(self, word: Word, line: str) -> bool:
        """Return True if a line is a move although a command that is not about the game starts like it."""
        is_reply = self.games is not None and not self.games.plain
        return is_reply and REPLY.spelled.get(word.word) is not word and self.is_move(line)

    def _split(self, line: str) -> tuple[Word | None, str, int | None]:
        """Return the command with which a line begins (None for none), its argument, and the game it names.

        A number after the word names a game, unless it is already a part of the command's argument.
        """
        word, rest = self.words.split(line)
        if self.games is None:
            return word, rest, None
        named = split_word(self.games.words, line)
        if named is not None and word in (None, named[0]) and self._may_name(named[0].takes, named[1]):
            return named[0], named[1].text, named[1].game
        above = self._game_above
        if above is not None and (own := self.games.words.split(line)[0]) is not None:
            return own, rest, above
        return word, rest, None

    def _may_name(self, takes: Argument, named: Numbered) -> bool:
        """Return True if the number beside a word is a game's, not a part of a text or a length of time."""
        if takes in (NOTHING, NUMBER):
            return True
        if takes is SPAN:
            return named.text != "" and SPAN.read(named.text, self.is_move) is not None
        return self.games is not None and self.games.plain

    @property
    def _game_above(self) -> int | None:
        """The game that the command above names, which the following lines are about, too."""
        return self.found[-1].game if self.found and self.games is not None and self.games.plain else None

    def _moves_of(self, game: int | None) -> IsMove:
        """Return the test for moves of a game: of the one that the email is about if it is None."""
        return self.is_move if game is None or self.games is None else partial(self.games.reads, game)

    def _read_elsewhere(self, games: NumberedGames, line: str) -> Command | None:
        """Return the move of a line that names a game; a number alone asks for the board."""
        named = split_number(line)
        if named is None or not games.has(named.game) or (named.bare and not games.plain):
            return None
        if not named.text:
            return Command(SHOW, game=named.game)
        if not games.reads(named.game, named.text):
            return None
        return Command(MOVE, named.text, game=named.game, bare=named.bare)

    def _continues(self, line: str, command: Command | None) -> bool:
        """Return True if a line, which by itself is `command`, is part of the command above."""
        if not self.found or (command is not None and command.word is not MOVE):
            return False
        above = self.found[-1]
        if command is not None and command.game != above.game and not command.bare:
            return False
        return above.word.takes.goes_on(above.argument, line, self._moves_of(above.game))


def _is_enough(found: Sequence[Command]) -> bool:
    """Return True if there are more commands than an email may have, or the last one is too long."""
    last = found[-1].argument if found else ""
    return len(found) > MOST_COMMANDS or len(last) > LONGEST_LINE or last.count("\n") >= MOST_LINES


def begins_like_a_move(line: str) -> bool:
    """Return True if the first word seems to name a place or a piece; words of prose do not."""
    first = line.split(maxsplit=1)[0]
    return len(first) == 1 or any(sign.isdigit() for sign in first)


def words_beside(read: Instructions, courtesy: Courtesy) -> str:
    """Return the words around the commands, without greetings, politeness and a name at the end."""
    above, below = ("\n".join(_telling(lines, courtesy)).strip() for lines in (read.above, read.below))
    return "\n".join(part for part in (above, *read.said, below) if part)


def _telling(lines: Sequence[str], courtesy: Courtesy) -> Iterator[str]:
    """Return the lines with a meaning, and the empty ones between them."""
    closed = False
    for line in lines:
        if line and not courtesy.is_hollow(line) and not (closed and courtesy.may_be_name(line)):
            yield line
        elif not line:
            yield ""
        closed = (closed and not line) or courtesy.closes(line)
