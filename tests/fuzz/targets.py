"""The targets of fuzzing: readers of input from outside, as functions of bytes that raise only for a defect."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from itertools import islice

from mail.authentication.authenticating import authenticate
from mail.reading.markup import plain_text
from mail.reading.message import read, reread
from mail.reading.quoting import SENTINEL
from rules.errors import BadData, RuleError
from rules.records.record import Record, load_position
from rules.records.verification import read_heads, verify
from rules.registry import RULES
from server.commands.parser import read_commands
from server.commands.vocabulary import PLAIN, REPLY
from tests.support.rules.random_games import AnyRules, AnyStep, random_game

_OWN = "play@games.example"
_SENT = (f"{SENTINEL}\nIt is your turn, Ann.\nWhat you can write stands at the foot of this mail.",)
_NOW = datetime(2026, 3, 1, tzinfo=UTC)


def mail(data: bytes) -> None:
    """A whole mail, as it came."""
    reading = read(data, mail_from=None, own=_OWN)
    for each in (reading, reread(reading, _SENT)):
        # Text that cannot be encoded can be neither stored nor mailed, and a database takes no NUL.
        for text in (
            each.text,
            each.written.rest,
            each.written.below,
            each.written.aside,
            each.raw_text,
            each.subject,
            each.author.name,
            each.sender,
        ):
            assert "\0" not in text
            text.encode()
        f"{each.message_id}{each.recipients}{each.answers}{each.bounces}{each.complaint}{each.date}".encode()


def sender(data: bytes) -> None:
    """The field From, and what checks it."""
    raw = b"From: " + data.replace(b"\n\n", b"\n") + b"\nSubject: move\n\nc4\n"
    reading = read(raw, own=_OWN)
    reading.sender.encode()
    verdict = authenticate(raw, reading.author, now=_NOW)
    # The checked author is the one that acts.
    assert not reading.sender or verdict.domain in ("", reading.sender.rpartition("@")[2])


def html(data: bytes) -> None:
    """The HTML of a mail."""
    text = plain_text(data.decode(errors="replace"))
    text.encode()
    assert "\0" not in text


def commands(data: bytes) -> None:
    """The text of a mail to the plain address, and of one about a game."""
    text = data.decode(errors="replace")
    rules, step = _turns()[len(text) % len(_turns())]
    seat = rules.to_move(step.before)[0]
    for words, is_move in ((PLAIN, _never), (REPLY, lambda line: rules.reads(step.before, seat, line))):
        for command in read_commands(text, is_move, words).commands:
            assert command.word
            str(command).encode()


def move(data: bytes) -> None:
    """A move, in each game: every move that is read is legal, and its text can be read again."""
    rules, step = _turns()[sum(data[:1]) % len(_turns())]
    seat = rules.to_move(step.before)[0]
    text = data[1:].decode(errors="replace")
    with suppress(RuleError):
        understood = rules.understand(step.before, seat, text)
        assert rules.reads(step.before, seat, text)
        assert rules.parse(step.before, seat, rules.format(understood)) == understood
        rules.play(step.before, {**step.moves, seat: understood})


def record(data: bytes) -> None:
    """A record, and what verifies it."""
    text = data.decode(errors="replace")
    verdict = verify(text)
    "".join(verdict.checked).encode()
    (verdict.wrong or "").encode()
    with suppress(BadData):
        Record.from_json(text)
    with suppress(BadData):
        read_heads(text)


def position(data: bytes) -> None:
    """A position of a game."""
    with suppress(BadData):
        rules, _, found = load_position(data.decode(errors="replace"))
        rules.write(found)


@cache
def _turns() -> list[tuple[AnyRules, AnyStep]]:
    """A turn in the middle of each game."""
    return [(rules, list(islice(random_game(rules, rules.options({})), 12))[-1]) for rules in RULES.values()]


def _never(line: str) -> bool:
    return not isinstance(line, str)


TARGETS: dict[str, Callable[[bytes], None]] = {
    each.__name__: each for each in (mail, sender, html, commands, move, record, position)
}
