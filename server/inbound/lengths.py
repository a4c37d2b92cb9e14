"""What a mail may hold: how many commands, and how long each."""

from collections.abc import Sequence

from server.errors import BadRequest
from server.game.commands import Command
from server.limits import LONGEST_LINE, MOST_COMMANDS, MOST_LINES


def check_lengths(commands: Sequence[Command]) -> None:
    """Raise BadRequest for more commands than are read in a mail, and for one that is too long."""
    if len(commands) > MOST_COMMANDS:
        raise BadRequest(f"A mail may have {MOST_COMMANDS} commands, and yours has more. Send some in another.")
    for command in commands:
        length, lines = len(str(command)), command.argument.count("\n") + 1
        if not command.word.takes.to_the_end and (length > LONGEST_LINE or lines > MOST_LINES):
            raise BadRequest(
                f"A move or a command may have {LONGEST_LINE} characters in {MOST_LINES} lines; in your mail "
                f"“{command.argument:.20}…” has more."
            )
