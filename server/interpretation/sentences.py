"""Checks that a line is a command, and not a sentence that only begins like one."""

from collections.abc import Sequence

from rules.registry import RULES
from server.commands.account_words import SET
from server.commands.arguments import NOTHING
from server.commands.game_words import SAY
from server.commands.parser import Command
from server.commands.prose import may_be_prose
from server.commands.vocabulary import REPLY
from server.commands.word import MOVE, Effect
from server.errors import Unclear

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
