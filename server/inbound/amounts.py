"""What a mail may hold: how many commands, and how long each."""

from collections.abc import Sequence

from server.errors import BadRequest
from server.game.commands.reading import Command
from server.game.commands.word import Effect
from server.limits import LONGEST_LINE, MOST_COMMANDS, MOST_LINES

MOST_IN_A_MAIL = 30
"""Commands, not counting moves. Some may occur less often: `Word.most`."""


def check_amount(commands: Sequence[Command]) -> None:
    """Raise BadRequest if one mail asks for too much at once, or at too great length."""
    _check_lengths(commands)
    _check_number(commands)


def _check_lengths(commands: Sequence[Command]) -> None:
    """Raise BadRequest for more commands than are read in a mail, and for one that is too long."""
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
    """Raise BadRequest for too many commands, or of one; what only reads counts once, however often written."""
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
