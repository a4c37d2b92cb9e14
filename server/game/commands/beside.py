"""What a player wrote beside their commands, for the other players: neither a command nor mere form."""

from collections.abc import Iterator, Sequence

from server.game.commands.courtesy import Courtesy
from server.game.commands.reading import Instructions


def words_beside(read: Instructions, courtesy: Courtesy) -> str:
    """The words around the commands, without greetings, a please or the name at the end; "" for none."""
    above, below = ("\n".join(_telling(lines, courtesy)).strip() for lines in (read.above, read.below))
    return "\n".join(part for part in (above, *read.said, below) if part)


def _telling(lines: Sequence[str], courtesy: Courtesy) -> Iterator[str]:
    """The lines that say something, and the empty ones among them."""
    closed = False
    for line in lines:
        if line and not courtesy.is_hollow(line) and not (closed and courtesy.may_be_name(line)):
            yield line
        elif not line:
            yield ""
        closed = (closed and not line) or courtesy.closes(line)
