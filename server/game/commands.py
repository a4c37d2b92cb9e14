"""What a player writes: one command a line, from the top; the first line that is no command ends them.

In a reply to a game's mail a line is a move, or one of `GAME_WORDS`; in a mail to the plain address it is one
of `ACCOUNT_WORDS`. A move may take several lines: those that follow it belong to it when they are written
like a move themselves, as orders are, or go on with what stands above, as where a mail program broke the line.
So it is with conditional moves (`ifs`), and with options that stand below a challenge.
Lines are read in plain spelling (`mail.spelling`), and as items of a list when they say nothing otherwise.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from mail.reading.spelling import plain_line, without_marker
from server.clock.errors import BadTime
from server.clock.spans import read_span
from server.game import ifs
from server.limits import LONGEST_LINE, MOST_COMMANDS, MOST_LINES

GAME_WORDS = {
    "resign": "give the game up",
    "draw": "offer a draw, or accept one",
    "undo": "ask to take your last move back, or agree when another player asks",
    "withdraw": "take your sealed orders back",
    "accept": "accept the invitation",
    "decline": "decline the invitation",
    "luck TEXT": "below “accept”, or for your challenge: your own words, mixed into all that is drawn by lot",
    "claim": "win a game in which an opponent's time is up, as we told you",
    "give TIME": "give the others more time for the move that they owe: give 1d",
    "mute TIME": "no mail about this game for a while: mute 5d, or mute off",
    "if MOVE then MOVE": "conditional moves, for two players: if c4 then d5, if c5 then d6; one way a line",
    "if off": "drop your conditional moves",
    "say TEXT": "say something to the other players; everything below it is part of the text",
    "note TEXT": "write a note that only you see; everything below it is part of it",
    "? MOVE": "try a move: you get the picture that it would give, nothing is played",
    "show": "the board as it is now",
    "history": "all turns so far",
    "moves": "what you can play",
    "rules": "the rules of this game",
    "verify": "the game as a file with all that proves it, and how to check it",
    "yes": "when you are asked whether a mail is yours: it is, and is carried out",
    "stop": "no more mail from here, about no game",
    "help": "this list",
}
"""Commands in a reply to a game's mail, and what each does."""

BEFORE_BEGIN = frozenset({"accept", "decline", "luck"})
"""Those that make sense before a game begins only."""
AFTER_BEGIN = frozenset(
    {"resign", "draw", "undo", "withdraw", "claim", "give", "if", "say", "note", "?"}
    | {"show", "history", "moves", "verify"}
)
"""Those that make sense in a game that has begun."""
SECRET_ORDERS = frozenset({"withdraw"})
"""Those that make sense in games with secret orders only."""
IN_TURN = frozenset({"undo", "if"})
"""Those that make sense in games without secret orders and dice only."""

ACCOUNT_WORDS = {
    "register NAME": "become a player",
    "name NAME": "be called something else",
    "challenge WHO KIND [option=value …]": "challenge a player, by name or mail address, or the "
    "computer: challenge Enkidu nibble",
    "luck TEXT": "below “accept”: your own words, mixed into all that is drawn by lot; "
    "“luck” below “challenge”: you are asked for yours",
    "accept NUMBER": "accept the invitation to a game",
    "decline NUMBER": "decline it",
    "games": "your games, and those that wait for you",
    "rules KIND": "the rules of a kind of game",
    "vacation TIME": "your time stands still: vacation 5d, vacation 2026-12-20 to 2027-01-03, vacation off; "
    "vacation alone: what is left of it",
    "auto vacation on|off": "spend an hour of vacation whenever your time is up, or never by itself",
    "remind WHEN": "when you are reminded of moves that you owe: half, day, hour, several of these, or none",
    "digest WHEN": "one mail for all turns: digest daily, digest daily 18:00, digest weekly, digest fri 18:00; "
    "digest off: always mail me at once",
    "forced on|off": "play your move at once where no other is legal, in games of two, or never by itself",
    "zone PLACE": "the time zone in which you are told moments: zone Europe/Berlin",
    "login": "a link to the web pages",
    "yes": "when you are asked whether a mail is yours: it is, and is carried out",
    "stop": "no more mail from here",
    "resume": "mail again, after stop",
    "help": "this list",
}
"""Commands in a mail to the plain address, and what each does."""

READING = frozenset(
    {"try", "show", "history", "moves", "rules", "verify", "help", "games", "login"}
    # By itself it says yes to nothing: the address to which it is written does, or the mail that it answers.
    | {"yes"}
)
"""What changes nothing: it is answered, to the player's own address."""
PLAYING = frozenset({"move", "if", "say", "note"})
"""What belongs to a turn. All other commands end, give up or change something."""

BARE = frozenset(
    {"resign", "draw", "undo", "withdraw", "claim", "show", "history", "moves", "verify"}
    | {"games", "login", "stop", "resume", "help"}
)
_WITH_ARGUMENT = frozenset(
    {"register", "name", "challenge", "luck", "vacation", "auto", "digest", "forced", "remind", "zone"}
)
_WITH_SPAN = frozenset({"give", "mute"})
_WITH_TEXT = frozenset({"say", "note"})
_WITH_NUMBER = frozenset({"accept", "decline"})
_NUMBER = re.compile(r"[0-9]{1,15}")  # more digits has no game, nor can a database look for it

_OPTION = re.compile(r"[a-z-]+=\S", re.IGNORECASE)


@dataclass(frozen=True)
class Command:
    """One thing that a player asks for: `word` is a command, "move" or "try"; `argument` is the rest of it.

    `changes` tell what was taken for what: "а1 (Cyrillic а) as a1".
    """

    word: str
    argument: str = ""
    changes: tuple[str, ...] = ()

    def __str__(self) -> str:
        """As the player could have written it."""
        if self.word == "move":
            return self.argument
        word = "?" if self.word == "try" else self.word
        return f"{word} {self.argument}".strip()


@dataclass(frozen=True)
class Instructions:
    """The commands that were read, and the line at which reading stopped ("" when all lines were read).

    `breaks_off` says that this line stands right below a move and begins like one: what was read may be half of
    what was meant.
    """

    commands: tuple[Command, ...]
    stopped_at: str
    breaks_off: bool = False


def read_commands(text: str, is_move: Callable[[str], bool], words: frozenset[str]) -> Instructions:
    """Read the commands at the top of `text`; `is_move(lines)` tells text that is written like a move.

    `words` are the commands that make sense here: `REPLY` or `PLAIN`. What is longer than `server/limits.py`
    says ends them, too: a long line is no command, and behind a command that grew too long nothing is read.
    """
    lines = [line.strip() for line in text.splitlines()]
    found: list[Command] = []
    for number, line in enumerate(lines):
        if not line:
            continue
        if _is_enough(found):
            return Instructions(tuple(found), line)
        word = _first_word(line)
        if word in _WITH_TEXT & words:
            written = "\n".join([line[len(word) :].lstrip(" :"), *lines[number + 1 :]]).strip()
            return Instructions((*found, Command(word, written)), "")
        if len(line) > LONGEST_LINE or not _add(found, line, is_move, words):
            below_move = bool(found) and found[-1].word in ("move", "if") and lines[number - 1] != ""
            return Instructions(tuple(found), line, below_move and _begins_like_a_move(line))
    return Instructions(tuple(found), "")


REPLY = frozenset(key.split()[0] for key in GAME_WORDS)
PLAIN = frozenset(key.split()[0] for key in ACCOUNT_WORDS)


def _is_enough(found: list[Command]) -> bool:
    """Whether there are more commands than a mail may have, or the last one is too long already."""
    last = found[-1].argument if found else ""
    return len(found) > MOST_COMMANDS or len(last) > LONGEST_LINE or last.count("\n") >= MOST_LINES


def _add(found: list[Command], line: str, is_move: Callable[[str], bool], words: frozenset[str]) -> bool:
    """Add what a line says to the commands above it; False when it says nothing."""
    # Names stay as they are spelled.
    named = _first_word(line) in _WITH_ARGUMENT & words
    plain, changes = (line, ()) if named else plain_line(line)
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


def _continues(
    found: list[Command], line: str, command: Command | None, is_move: Callable[[str], bool]
) -> bool:
    """Whether a line, which is `command` by itself, is part of the move or challenge above."""
    if found and found[-1].word == "challenge":
        return _OPTION.match(line) is not None
    if not found or found[-1].word not in ("move", "try", "if"):
        return False
    if command is not None and command.word != "move":
        return False
    if found[-1].word == "if":
        return ifs.goes_on(str(found[-1]), line, is_move)
    return command is not None or is_move(f"{found[-1].argument}\n{line}")


def _begins_like_a_move(line: str) -> bool:
    """Whether the first word names a place or a piece, as far as one can tell: words of prose do not."""
    first = line.split(maxsplit=1)[0]
    return len(first) == 1 or any(sign.isdigit() for sign in first)


def _read_line(line: str, is_move: Callable[[str], bool], words: frozenset[str]) -> Command | None:
    if line.startswith("?") and "?" in words:
        tried = line[1:].strip()
        return Command("try", tried) if tried and is_move(tried) else None
    word = _first_word(line)
    rest = line[len(word) :].strip()
    if word in words:
        command = _read_if(line, rest, is_move) if word == "if" else _read_word(word, rest)
        if command is not None:
            return command
    return Command("move", line) if is_move(line) else None


def _read_word(word: str, rest: str) -> Command | None:
    """A line that begins with a command word: a command only when the whole line fits it."""
    plain = rest.strip(".! ")
    if word in BARE:
        return Command(word) if not plain else None
    if word == "yes":
        return Command(word, plain.lower()) if plain.lower() in ("", "always") else None
    if word in _WITH_NUMBER:
        number = plain.lstrip("#")
        return Command(word, number) if not plain or _NUMBER.fullmatch(number) else None
    if word in _WITH_SPAN:
        return Command(word, plain) if _is_meant_as_span(plain) else None
    if word in _WITH_ARGUMENT:
        return Command(word, rest)
    return Command(word, plain) if len(plain.split()) <= 1 else None


def _read_if(line: str, rest: str, is_move: Callable[[str], bool]) -> Command | None:
    """A line that begins with `if`: a command, rightly written or not, unless it is about no moves."""
    if ifs.is_off(line):
        return Command("if", "off")
    return Command("if", rest) if ifs.is_meant(line, is_move) else None


def _is_meant_as_span(text: str) -> bool:
    """Whether a text is a length of time, or one that is written wrongly: it is answered what is wrong."""
    if not text or text.lstrip("-")[:1].isdigit():
        return True
    try:
        read_span(text)
    except BadTime:
        return False
    return True


def _first_word(line: str) -> str:
    word = line.split(maxsplit=1)[0].lower()
    return word.rstrip(".:!")
