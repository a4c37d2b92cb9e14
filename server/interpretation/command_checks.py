"""Checks of the commands in an email: their number and length, and whether a line is meant as a command."""

from collections.abc import Sequence

from rules.registry import RULES
from server.commands.account_words import SET
from server.commands.arguments import NOTHING
from server.commands.game_words import SAY
from server.commands.parser import Command
from server.commands.prose import may_be_prose
from server.commands.vocabulary import REPLY
from server.commands.word import MOVE, Effect
from server.errors import BadRequest, Unclear
from server.limits import LONGEST_LINE, MOST_COMMANDS, MOST_LINES

MOST_IN_A_MAIL = 30
"""The most commands in an email, not counting moves. Some have lower limits: `Word.most`."""
_SHOWN = 60  # characters of a line
_OFF = frozenset({"", "off", "none"})


def is_certain(command: Command) -> bool:
    """Return True if a command of a reply is about the game, or cannot begin a sentence."""
    if command.word in (MOVE, *REPLY) or command.word.takes is NOTHING:
        return True
    words = command.argument.lower().split()
    return bool(words) and (words[0].lstrip("#").isdecimal() or not RULES.keys().isdisjoint(words))


def check_alone(commands: Sequence[Command]) -> None:
    """Raise Unclear if a line that may be a sentence stands next to a move or command that changes a game."""
    acts = [each for each in commands if each.word in (MOVE, *REPLY) and each.word.effect is not Effect.READS]
    sentences = [each for each in commands if not is_certain(each)]
    if acts and sentences:
        act = " ".join(str(acts[0]).split())
        raise Unclear(
            f"The line “{sentences[0]!s:.{_SHOWN}}” may be a command or a message. If it is a command, send it "
            f"in an email without “{act:.{_SHOWN}}”. If it is for the other players, write it after “say”."
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
            f"The line “{command!s:.{_SHOWN}}” may be a command or a sentence. If it is a command, write it "
            f"after “{SET}”.{message}",
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
                f"your email “{command.argument:.20}…” has more."
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
