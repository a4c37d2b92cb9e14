"""Whether a reply to a game's mail says one thing clearly; if it does not, nothing of it is done."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from mail.reading.message import Reading
from rules.limits import LONGEST_MOVE
from server.errors import BadRequest, BreaksOff, NotUnderstood, Unclear
from server.game import log
from server.game.commands.courtesy import Courtesy
from server.game.commands.reading import Instructions, read_commands
from server.game.invited import called
from server.game.log import Seated
from server.game.vocabulary import REPLY
from server.inbound.doubts import DOUBTFUL, NONE, Doubts, Moves
from server.store.models import Game

_NAME = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_MEANT = DOUBTFUL.union(REPLY.spelled)
_SHOWN = 60  # characters of a line


def doubts_in(game: Game, seat: int, seats: Sequence[Seated], reading: Reading) -> Doubts:
    """What tells whether a reply from `seat` says one thing clearly."""
    names = [called(game, *each, seats[seat].player.id) for each in seats]
    return Doubts(moves_in(game, seat), courtesy_among([*names, reading.author.name]))


def courtesy_among(names: Iterable[str]) -> Courtesy:
    """What is courtesy among people with these names."""
    words = {word.lower() for name in names for word in _NAME.findall(name)}
    return Courtesy(frozenset(words.difference(REPLY.spelled)), _MEANT)


def moves_in(game: Game, seat: int) -> Moves:
    """What is a move of `seat` in this game now."""
    return moves_at(log.rules_of(game), log.position_of(game), seat) if game.entries else NONE


def moves_at(rules: log.AnyKind, position: Any, seat: int) -> Moves:
    """What is a move of `seat` in a position."""

    @cache
    def places() -> frozenset[str]:
        rows = rules.diagram(position).rows
        return frozenset(cell.name.lower() for row in rows for cell in row.cells if cell.name)

    return Moves(
        reads=lambda text: rules.reads(position, seat, text),
        allows=lambda text: rules.allows(position, seat, text),
        places=places,
    )


def read_reply(text: str, doubts: Doubts) -> Instructions:
    """The commands in a reply."""
    return read_commands(text, doubts.moves.reads, REPLY, doubts.courtesy)


def check_clear(read: Instructions, doubts: Doubts) -> None:
    """Raise if the first line says nothing, perhaps only half was read, or perhaps something else is meant."""
    _check_whole(read, has_begun=doubts.moves is not NONE)
    if moves := doubts.two_moves(read):
        count = "two" if len(moves) == 2 else f"{len(moves)}"
        raise Unclear(
            f"Your email has {count} moves, in {count} lines: {_quoted(moves)}. A turn is one move: write only "
            "the one that you mean.",
            moves,
        )
    if line := doubts.line(read):
        raise Unclear(
            f"Your email has the move {_quoted(read.moves)}, but the line “{line:.{_SHOWN}}” leaves open "
            "whether you mean it. Write only your move on the first line. What you want to say to the others "
            "goes below it, after “say”.",
            read.moves,
        )
    if line := doubts.taken_back(read):
        raise Unclear(
            f"Your email has {_quoted(map(str, read.commands))}, but the line “{line:.{_SHOWN}}” leaves open "
            "whether you mean it. Write again what you mean, and nothing else.",
            read.moves,
        )
    if line := doubts.out_of_place(read):
        raise Unclear(
            f"The line “{line:.{_SHOWN}}” may be a command, but it stands among other words, where none are "
            "read. Write all commands at the top, one per line, or leave it out."
        )
    for command in read.commands:
        if line := doubts.swallowed(command):
            raise Unclear(
                f"The line “{line:.{_SHOWN}}” stands below “{command.word}” and would be part of that text, "
                "but by itself it is a move or a command. If you mean it as one, write it above "
                f"“{command.word}”; if it is part of the text, write it in one line with other words."
            )


def _check_whole(read: Instructions, *, has_begun: bool) -> None:
    """Raise if the first line says nothing, or perhaps only half of what was meant was read."""
    commands, line = read.commands, read.stopped_at
    if not commands and len(line) > LONGEST_MOVE:
        raise BadRequest(
            f"The first line of your email has {len(line)} characters, and a move has at most {LONGEST_MOVE}. "
            "Write only your move on the first line."
        )
    if not commands:
        raise NotUnderstood(
            f"The first line of your email is “{line:.{_SHOWN}}”, which is neither a move nor a command. "
            "Write only your move or a command on the first line."
            + (" To say something to the others, begin it with “say”." if has_begun else ""),
            line,
        )
    if read.breaks_off:
        raise BreaksOff(
            f"The line “{line:.{_SHOWN}}” comes right below your move and cannot be understood, so your move "
            "may not be complete. Write it again, with an empty line between it and anything else.",
            line,
        )


def _quoted(texts: Iterable[str]) -> str:
    """“c4” and “d5”."""
    *others, last = [f"“{' '.join(text.split()):.{_SHOWN}}”" for text in texts]
    return f"{', '.join(others)} and {last}" if others else last
