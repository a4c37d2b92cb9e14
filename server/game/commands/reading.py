"""What a player writes: one command per line, from the top; the first line that is not one ends them.

In a reply to a game's mail a line is a move, or a command of the vocabulary `REPLY`; in a mail to the plain
address it is one of `PLAIN`. A move may take several lines: those that follow it belong to it if they are
written like a move themselves, as orders are, or continue the line above, as when a mail program broke it. The
same holds for conditional moves (`ifs`), and for options below a challenge. Lines are read in plain spelling
(`mail.reading.spelling`), and as items of a list when they say nothing otherwise.
"""

from dataclasses import dataclass, replace

from mail.reading.spelling import plain_line, without_marker
from server.game.commands.arguments import IsMove
from server.game.commands.word import MOVE, Vocabulary, Word
from server.limits import LONGEST_LINE, MOST_COMMANDS, MOST_LINES


@dataclass(frozen=True)
class Command:
    """One thing that a player asks for, with what follows its word.

    `changes` say what was read as what: "а1 (Cyrillic а) as a1".
    """

    word: Word
    argument: str = ""
    changes: tuple[str, ...] = ()

    def __str__(self) -> str:
        """As the player could have written it."""
        if self.word is MOVE:
            return self.argument
        return f"{self.word.word} {self.argument}".strip()


@dataclass(frozen=True)
class Instructions:
    """The commands that were read, and the line at which reading stopped ("" when all lines were read).

    `breaks_off` says that this line is directly below a move and begins like one: what was read may be half of
    what was meant.
    """

    commands: tuple[Command, ...]
    stopped_at: str
    breaks_off: bool = False


def read_commands(text: str, is_move: IsMove, words: Vocabulary) -> Instructions:
    """Read the commands at the top of `text`; `is_move(lines)` tells text that is written like a move.

    `words` are the commands that make sense here. Anything longer than `server/limits.py` allows ends them,
    too: a long line is not a command, and after a command that grew too long nothing is read.
    """
    lines = [line.strip() for line in text.splitlines()]
    found: list[Command] = []
    for number, line in enumerate(lines):
        if not line:
            continue
        if _is_enough(found):
            return Instructions(tuple(found), line)
        word, rest = words.split(line)
        if word is not None and word.takes.to_the_end:
            written = "\n".join([rest.lstrip(" :"), *lines[number + 1 :]]).strip()
            return Instructions((*found, Command(word, written)), "")
        if len(line) > LONGEST_LINE or not _add(found, line, is_move, words):
            below_move = bool(found) and found[-1].word.is_of_moves and lines[number - 1] != ""
            return Instructions(tuple(found), line, below_move and _begins_like_a_move(line))
    return Instructions(tuple(found), "")


def _is_enough(found: list[Command]) -> bool:
    """Whether there are more commands than a mail may have, or the last one is too long already."""
    last = found[-1].argument if found else ""
    return len(found) > MOST_COMMANDS or len(last) > LONGEST_LINE or last.count("\n") >= MOST_LINES


def _add(found: list[Command], line: str, is_move: IsMove, words: Vocabulary) -> bool:
    """Add what a line says to the commands above it; False when it says nothing."""
    word, _ = words.split(line)
    as_spelled = word is not None and word.takes.as_spelled
    plain, changes = (line, ()) if as_spelled else plain_line(line)
    spellings = [spelled for spelled in dict.fromkeys((plain, without_marker(plain))) if spelled]
    for spelled in spellings:
        command = _read_line(spelled, is_move, words)
        if _continues(found, spelled, command, is_move):
            above = found.pop()
            found.append(
                replace(above, argument=f"{above.argument}\n{spelled}", changes=above.changes + changes)
            )
            return True
        if command is not None:
            found.append(replace(command, changes=changes))
            return True
    return False


def _read_line(line: str, is_move: IsMove, words: Vocabulary) -> Command | None:
    """A line as a command, where all of it fits one, or as a move."""
    word, rest = words.split(line)
    argument = None if word is None else word.takes.read(rest, is_move)
    if word is not None and argument is not None:
        return Command(word, argument)
    return Command(MOVE, line) if is_move(line) else None


def _continues(found: list[Command], line: str, command: Command | None, is_move: IsMove) -> bool:
    """Whether a line, which by itself is `command`, is part of the command above."""
    if not found or (command is not None and command.word is not MOVE):
        return False
    above = found[-1]
    return above.word.takes.goes_on(above.argument, line, is_move)


def _begins_like_a_move(line: str) -> bool:
    """Whether the first word names a place or a piece, as far as one can tell; words of prose do not."""
    first = line.split(maxsplit=1)[0]
    return len(first) == 1 or any(sign.isdigit() for sign in first)
