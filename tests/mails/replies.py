"""Answers to real turn emails, as many programs write them in many languages, and the commands in them.

`python -m tests.mails.replies` prints a table, program by language, and counts as in `counts.txt`; with a
folder it writes the emails there.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from typing import Literal

import click

from mail.reading.message import read
from mail.reading.quoting import SENTINEL
from rules.errors import RuleError
from server.commands.parser import Instructions
from server.commands.word import MOVE
from server.errors import BadRequest
from server.interpretation.reply_checks import check_clear, read_reply
from tests.mails.flattening import as_html
from tests.mails.programs import Answer, Place, Program, programs
from tests.mails.turns import Turn, turns

Outcome = Literal["right", "missed", "wrong"]
_WIDE = {code: chr(code + 0xFEE0) for code in range(ord("!"), ord("~") + 1)}
_LOOKALIKE = str.maketrans("aceopxyk", "асеорхук")


@dataclass(frozen=True)
class Reply:
    """A mail, and the commands that are to be read in it; `name` says program, language, place and style."""

    name: str
    program: str
    language: str
    place: Place
    turn: Turn
    raw: bytes
    commands: tuple[str, ...]

    @property
    def form(self) -> str:
        """Return the form: plain text, HTML, or both."""
        forms = [form for form in ("text/plain", "text/html") if form.encode() in self.raw]
        return " and ".join(forms)

    def outcome(self, sent: Sequence[str] = ()) -> Outcome:
        """Return the outcome: `wrong` if a move would be played other than the written one."""
        reading = read(self.raw, own="play@games.example.org", sent=sent)
        if reading.kind != "reply":
            return "missed"
        instructions = read_reply(reading.text, self.turn.doubts)
        found = instructions.commands if self._is_clear(instructions) else ()
        if [self._same(str(command)) for command in found] == [self._same(text) for text in self.commands]:
            return "right"
        moves = [command.argument for command in found if command.word is MOVE]
        return "wrong" if any(map(self._is_another, moves)) else "missed"

    def _is_clear(self, instructions: Instructions) -> bool:
        try:
            check_clear(instructions, self.turn.doubts)
        except BadRequest:
            return False
        return True

    def _same(self, command: str) -> str:
        """A command in one spelling."""
        try:
            return self.turn.canonical(command)
        except RuleError:
            return command

    def _is_another(self, move: str) -> bool:
        """Return whether a move would be played other than the written one."""
        try:
            return self.turn.canonical(move) != self.turn.move
        except RuleError:
            return False


@dataclass(frozen=True)
class Style:
    """A form in which a player writes a move: lines of text, and the HTML of each line."""

    lines: Callable[[list[str]], list[str]]
    html: Callable[[list[str]], list[str]] = lambda move: []
    said: str = ""
    languages: str = ""


STYLES = {
    "bare": Style(lambda move: move),
    "thanks": Style(lambda move: [*move, "", "Thanks, that was a surprise!", "Ann"]),
    "empty first": Style(lambda move: ["", *move]),
    "say": Style(
        lambda move: [*move, "say Good luck!", "See you on 3.3. at 15:04"],
        said="say Good luck!\nSee you on 3.3. at 15:04",
    ),
    "signature": Style(lambda move: [*move, "", "-- ", "Ann Lee", "Tel. +49 30 123456", "a1"]),
    "capitals": Style(lambda move: [line.upper() for line in move]),
    "list": Style(
        lambda move: [f"* {line}" for line in move],
        lambda move: [f"<ul><li>{_(line)}</li></ul>" for line in move],
    ),
    "bold": Style(
        lambda move: [f"*{line}*" for line in move], lambda move: [f"<b>{_(line)}</b>" for line in move]
    ),
    "wide": Style(lambda move: [line.translate(_WIDE) for line in move], languages="ja zh-cn zh-tw ko"),
    "look-alike": Style(lambda move: [line.translate(_LOOKALIKE) for line in move], languages="ru uk bg sr"),
}
"""Ways to write a move."""


def replies(*, sentinel: bool = True) -> Iterator[Reply]:
    """Each program in each of its languages, in each of its places; kinds of games and styles take turns.

    Without `sentinel`, that line is missing in the quotes, as where a program leaves out small print.
    """
    game_types, plain = (
        cycle(turns() if sentinel else map(_without_sentinel, turns())),
        cycle(name for name, style in STYLES.items() if not style.languages),
    )
    for program in programs():
        for language in program.languages:
            for place in program.places:
                own = [name for name, style in STYLES.items() if language in style.languages.split()]
                yield _reply(
                    program,
                    language,
                    place,
                    next(game_types),
                    own[0] if own and place == "top" else next(plain),
                )


def counts(found: Sequence[Reply]) -> Iterator[str]:
    """How many replies there are of each sort, in lines."""
    yield f"{len(found)} replies"
    sorts = (
        ("by place", [reply.place for reply in found]),
        ("by form", [reply.form for reply in found]),
        ("by language", [reply.language for reply in found]),
        ("by program", [reply.program for reply in found]),
    )
    for title, names in sorts:
        counted = Counter(names)
        yield ""
        yield f"{title}: {len(counted)}"
        yield from (f"{count:>5} {name}" for name, count in sorted(counted.items()))


def _reply(program: Program, language: str, place: Place, turn: Turn, style_name: str) -> Reply:
    style = STYLES[style_name]
    move = turn.move.split("\n") if "\n" in turn.move else turn.move.replace(", ", "\n").split("\n")
    raw = program.write(turn, language, Answer(style.lines(move), place, style.html(move)))
    commands = ("\n".join(move), *([style.said] if style.said else []))
    name = f"{program.name} {language} {place} {style_name} {turn.game_type}"
    return Reply(name, program.name, language, place, turn, raw, commands)


def _without_sentinel(turn: Turn) -> Turn:
    return replace(turn, text=turn.text.replace(SENTINEL, ""), html=turn.html.replace(SENTINEL, ""))


def _(line: str) -> str:
    return as_html(line)


def _table(found: list[tuple[Reply, Outcome]]) -> Iterator[str]:
    """Program by language: `.` for all right, else how many are asked back, `!` for a wrong move."""
    languages = list(dict.fromkeys(reply.language for reply, _ in found))
    yield f"{'':<18}" + " ".join(f"{language[:2]:>2}" for language in languages)
    for program in dict.fromkeys(reply.program for reply, _ in found):
        cells = []
        for language in languages:
            here = [
                outcome for reply, outcome in found if (reply.program, reply.language) == (program, language)
            ]
            missed = str(here.count("missed") or ".") if here else " "
            cells.append("!" if "wrong" in here else missed)
        yield f"{program:<18}" + " ".join(f"{cell:>2}" for cell in cells)


def _main(folder: str = "") -> None:
    found = [(reply, reply.outcome()) for reply in replies()]
    for line in [*_table(found), "", *counts([reply for reply, _ in found])]:
        click.echo(line)
    for reply, outcome in found:
        if outcome != "right":
            click.echo(f"{outcome}: {reply.name}")
        if folder:
            (Path(folder) / f"{reply.name.replace(' ', '-')}.eml").write_bytes(reply.raw)
    right = sum(outcome == "right" for _, outcome in found)
    click.echo(f"{right} of {len(found)} read right, {100 * right / len(found):.2f} %")


if __name__ == "__main__":
    _main(*sys.argv[1:])
