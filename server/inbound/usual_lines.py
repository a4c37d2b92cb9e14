"""The lines that are the same in a person's emails, such as signatures and labels that no rule recognizes.

Each address of a player remembers keyed hashes of the lines around the commands in its latest emails about
games, never the lines themselves. A line is usual once it stood in emails about two different turns.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from sqlmodel import Session

from mail.reading.stationery import Block, Parted, blocks, part
from server.commands.game_words import SEND
from server.commands.parser import Instructions
from server.commands.word import MOVE
from server.inbound.authorization.yes_replies import shown_words
from server.inbound.reply import Reply
from server.interpretation.phrases import Read
from server.store.keys.sealing import Sealer
from server.store.models import Address

_MOST = 60
"""Lines that an address remembers; the oldest ones are forgotten."""
_MOST_ABOVE, _MOST_BELOW = 5, 15
"""Lines of one email that are remembered, counted from its beginning and its end."""
_ENOUGH = 2
"""Turns in whose emails a line stood."""
_DIGITS = 16
"""Hexadecimal digits of a hash."""


@dataclass(frozen=True)
class UsualLines:
    """The usual lines of the emails from one address; an unknown address has none."""

    session: Session
    sealer: Sealer
    address: str

    def part(self, text: str, names: Iterable[str], read: Read) -> Parted:
        """Split a text into what its writer wrote and stationery, such as a signature.

        `names` are the writer's; `read` reads the commands in a text.
        """
        if "\n" not in text.strip():
            return Parted(text, text)
        return part(text, names, self.has, lambda line: bool(read(line).commands))

    def has(self, line: str) -> bool:
        """Return whether a line is usual."""
        return any(self._known.get(mark, ("", 0))[1] >= _ENOUGH for mark in self._marks(line))

    def learn(self, turn: str, lines: Iterable[str]) -> None:
        """Count lines as those of an email about a turn, so that they may become usual."""
        known = dict(self._known)
        for line in dict.fromkeys(lines):
            first, *others = self._marks(line)
            stored = next((known.pop(mark) for mark in (first, *others) if mark in known), ("", 0))
            known[first] = (turn, stored[1] + (stored[0] != turn))
        self._store(known)

    def forget(self, lines: Iterable[str]) -> None:
        """Forget lines that their writer sent to other players."""
        gone = {mark for line in lines for mark in self._marks(line)}
        self._store({mark: stored for mark, stored in self._known.items() if mark not in gone})

    @cached_property
    def _row(self) -> Address | None:
        return self.session.get(Address, self.address) if self.address else None

    @property
    def _known(self) -> dict[str, tuple[str, int]]:
        """The hashes, each with the last turn, and the number of turns."""
        stored = self._row.usual_lines if self._row is not None else None
        return {mark: (turn, count) for mark, turn, count in stored or ()}

    def _store(self, known: dict[str, tuple[str, int]]) -> None:
        if self._row is not None and known != self._known:
            self._row.usual_lines = [[mark, *stored] for mark, stored in known.items()][-_MOST:]

    def _marks(self, line: str) -> list[str]:
        """Return the hashes of a line, that of the current key first."""
        plain = " ".join(unicodedata.normalize("NFKC", line).casefold().split())
        return [mark[:_DIGITS] for mark in self.sealer.marks_of(f"line of {self.address}\0{plain}")]


def read_without_stationery(reply: Reply, usual: UsualLines) -> Instructions:
    """Return the commands in the text of a reply without its stationery.

    The stationery stays if a line of it may mean a move or a command. Below a message to the players it always
    stays, as it may be the end of that.
    """
    text, read = reply.reading.text, reply.read_all
    parted = usual.part(text, [reply.reading.author.name, reply.player.name], read)
    if not parted.aside or any(_may_be_meant(reply, block, usual) for block in parted.aside):
        return read(text)
    found = read(parted.text)
    if not found.commands and any(read(line).commands for line in parted.lines_aside):
        return read(text)
    takes_all = any(command.word.takes.to_the_end for command in found.commands)
    return read(parted.to_the_end) if takes_all else found


def _may_be_meant(reply: Reply, block: Block, usual: UsualLines) -> bool:
    """Return whether a line that was set aside may be an instruction.

    In a usual block a line may look like a move if another one does not: “B2” below the name of an office.
    """
    known = [line for line in block.lines if "?" not in line and (block.is_disclaimer or usual.has(line))]
    unknown = [line for line in block.lines if line not in known]
    if any(map(reply.doubts.is_meant, unknown)):
        return True
    understood = [commands for line in known if (commands := reply.read_all(line).commands)]
    if block.is_usual and len(understood) < len(block.lines):
        return any(command.word is not MOVE for commands in understood for command in commands)
    return bool(understood)


def learn_from(reply: Reply, usual: UsualLines, *, is_done: bool) -> None:
    """Learn the lines around the commands of a reply, as they may be usual lines of its writer.

    `is_done` is true if the commands were carried out. Lines that the other players got are forgotten instead,
    as they are no stationery.
    """
    if reply.asks_for(SEND):
        usual.forget(map(str.strip, shown_words(reply).splitlines()))
        return
    written = reply.reading.written
    lines = [line.strip() for line in f"{written.text}\n\n{written.cut}".rstrip().split("\n")]
    if sum(map(bool, lines)) > 1:
        texts = [*map(str, reply.instructions.commands), reply.said if is_done else ""]
        own = {line.strip() for text in texts for line in text.split("\n")}
        courtesy = reply.doubts.courtesy
        said = {line for line in lines if courtesy.is_polite(line) and not courtesy.is_hollow(line)}
        usual.learn(f"{reply.target.game}.{reply.target.turn}", _around(lines, own, said, reply.read_all))


def _around(lines: Sequence[str], own: Set[str], said: Set[str], read: Read) -> Iterator[str]:
    """Yield the lines at the edges of a text that may be stationery.

    `own` are the lines of its commands, and `said` courtesies for the other players. A line that by itself is a
    move or command may be stationery only in a block with others that are not, below the commands.
    """
    filled = [number for number, line in enumerate(lines) if line]
    edges = {*filled[:_MOST_ABOVE], *filled[-_MOST_BELOW:]}
    below_command = False
    for begin, end in blocks(lines):
        understood = [line in own or bool(read(line).commands) for line in lines[begin:end]]
        is_mixed = below_command and not all(understood) and own.isdisjoint(lines[begin:end])
        for number in range(begin, end):
            if number in edges and (is_mixed or not understood[number - begin]) and lines[number] not in said:
                yield lines[number]
        below_command = below_command or any(understood)
