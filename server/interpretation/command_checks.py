"""Checks of the commands in an email: their number and length, and whether a line is meant as a command."""

import re
from collections.abc import Sequence
from datetime import date

from rules.registry import RULES
from rules.sentences import quoted
from server.clock.dates import read_stretch
from server.clock.errors import BadTime
from server.clock.spans import names_span
from server.commands.account_words import SET, WORD_OF
from server.commands.arguments import FREE, LINE, NAMED, NEW_NAME, NOTHING, REMINDERS
from server.commands.game_words import SAY
from server.commands.parser import Command, Instructions
from server.commands.prose import may_be_prose
from server.commands.vocabulary import PLAIN, REPLY
from server.commands.word import MOVE, Effect
from server.errors import BadRequest, Unclear
from server.limits import LONGEST_LINE, MOST_COMMANDS, MOST_LINES

MOST_IN_A_MAIL = 30
"""The most commands in an email, not counting moves. Some have lower limits: `Word.most`."""
_OFF = frozenset({"", "off", "none"})
_MOST_LINES = 200
_ANY_DAY = date(2026, 1, 1)  # only the form of a stretch of days matters
_VALUES = frozenset(
    word
    for words in ("on off none daily weekly day hour", "add remove main vacation until from next")
    for word in words.split()
)
"""The words in lower case with which the value of a setting may begin."""
TO_PEOPLE = re.compile(
    r"(?P<to>(?:(?:to|for|an|für|à|au|aux|pour|al|ai|para|per|aan|voor|dla|till|för)\s+)?)"
    r"(?:(?:the|a|in|of|our|this|die|de[nmr]|das|des|im|vom|beim|les?|la|du|de|los|del|el|i|gli|o|os|do|het|van"
    r"|(?P<people>all|every|each|everybody|everyone|players?|people|participan\w+|members?|alle[nr]?|spielern?"
    r"|teilnehmern?|tous|toutes|joueurs|todos|jugadores|tutti|giocatori|jogadores|spelers|deelnemers|wszystkich"
    r"|graczy|uczestnik\w+|alla|spelare|deltagare))\s+)*"
    r"(?P<tournament>(?:tournaments?|turniers?|tournois?|torneos?|torneio|toernooi|turnieju|turnering(?:en)?)\b\s*)?"
    r"(?P<colon>(?:#?[0-9]{1,15}\s*)?:)?"
)
"""The beginning of a message in lower case that says for whom it is, up to the name of a tournament."""


def is_certain(command: Command) -> bool:
    """Return True if a command of a reply is about the game, or cannot begin a sentence."""
    if command.word in (MOVE, *REPLY) or command.word.takes is NOTHING:
        return True
    words = command.argument.lower().split()
    if command.word is WORD_OF["vacation"]:
        return _names_time(command.argument)
    return bool(words) and (words[0].lstrip("#").isdecimal() or not RULES.keys().isdisjoint(words))


def _names_time(text: str) -> bool:
    """Return True if a text is a length of time or a stretch of days, such as “Monday to Friday”."""
    return names_span(text) or text.lower() in _OFF or _is_stretch(text)


def names_days(text: str) -> bool:
    """Return True if a text is a day or a stretch of days, such as “Monday to Friday”."""
    return _is_stretch(text) or _is_stretch(f"until {text}")


def _is_stretch(text: str) -> bool:
    try:
        return read_stretch(text, _ANY_DAY) is not None
    except BadTime:
        return False


def _may_be_command(line: str) -> bool:
    """Return True if a line may be a command for the account with its argument, and not only begins like one.

    That is a name in capital letters, or a value such as “daily”: “name Dora”, but not “name your price”.
    """
    word, rest = PLAIN.strict.split(line)
    words = rest.split()
    if word is None or word is SET or word.takes not in (FREE, LINE, REMINDERS, NAMED, NEW_NAME) or not words:
        return False
    if word.takes in (NAMED, NEW_NAME):
        return rest[-1].isalnum() and all(each[0].isupper() for each in words)
    first = words[0]
    return first[0].isupper() or first[0].isdecimal() or first in _VALUES or not {"@", "/"}.isdisjoint(first)


def check_alone(read: Instructions) -> None:
    """Raise Unclear if a line that may be a sentence stands next to a move or command that changes a game."""
    commands = read.commands
    acts = [each for each in commands if each.word in (MOVE, *REPLY) and each.word.effect is not Effect.READS]
    sentences = [str(each) for each in commands if not is_certain(each)]
    sentences += filter(_may_be_command, (*read.above, *read.below[:_MOST_LINES]))
    if acts and sentences:
        raise Unclear(
            f"The line {quoted(sentences[0])} may be a command or a message. If it is a command, send it "
            f"in an email without {quoted(str(acts[0]))}. If it is for the other players, write it after "
            "“say”."
        )


def check_value(command: Command, *, in_reply: bool) -> None:
    """Raise Unclear if a command that takes any text as its value may be a sentence: “bio class was fun”.

    A reply to a game's email may be for the opponent, so there only a value with a capital letter is certain.
    """
    value = command.argument
    if not command.word.takes.is_free or value.lower().strip(" .!") in _OFF:
        return
    if may_be_prose(value) or (in_reply and value[0].islower()):
        message = f" If it is a message, write it after “{SAY}”." if in_reply else ""
        raise Unclear(
            f"The line {quoted(str(command))} may be a command or a sentence. If it is a command, write "
            f"it after “{SET}”.{message}",
            [f"{SET} {command}"],
        )


def check_amount(commands: Sequence[Command]) -> None:
    """Raise BadRequest if an email has too many or too long commands."""
    _check_lengths(commands)
    _check_number(commands)


def _check_lengths(commands: Sequence[Command]) -> None:
    """Raise BadRequest if an email has more commands than Nabu reads, or one that is too long."""
    if len(commands) > MOST_COMMANDS:
        raise BadRequest(
            f"An email can have at most {MOST_COMMANDS} commands, and yours has more. Send some in another "
            "email."
        )
    for command in commands:
        length, lines = len(str(command)), command.argument.count("\n") + 1
        if not command.word.takes.to_the_end and (length > LONGEST_LINE or lines > MOST_LINES):
            raise BadRequest(
                f"A move or a command can have at most {LONGEST_LINE} characters in {MOST_LINES} lines; in "
                f"your email {quoted(command.argument)} has more."
            )


def _check_number(commands: Sequence[Command]) -> None:
    """Raise BadRequest for too many commands, or too many of one; repeated queries count once."""
    asked = [command for command in commands if not command.word.is_of_moves]
    if len(asked) > MOST_IN_A_MAIL:
        raise BadRequest(
            f"Your email has {len(asked)} commands, and an email can have at most {MOST_IN_A_MAIL}. "
            "Send some in another email."
        )
    for word in dict.fromkeys(command.word for command in asked):
        alike = [str(command).lower() for command in asked if command.word is word]
        many = len(set(alike) if word.effect is Effect.READS else alike)
        if 0 < word.most < many:
            raise BadRequest(
                f"Your email has {many} lines with “{word.word}”, and an email can have at most {word.most}. "
                "Send some in another email."
            )
