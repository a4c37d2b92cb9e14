"""`nabu read`: what is read in files of emails. It needs no database and no settings."""

import json
from functools import cache, partial
from pathlib import Path
from typing import Any

import click

from mail.addresses import tagged
from mail.reading.message import read as read_mail
from rules.chance import Chance
from rules.game import Rules
from rules.registry import RULES
from server.admin.sanitize import escaped
from server.cli.records import FILES, JSON_LINES, say
from server.commands.parser import Instructions, read_commands
from server.commands.vocabulary import PLAIN, REPLY
from server.interpretation.clearness import courtesy_among, without_prefix
from server.interpretation.doubts import Doubts, PossibleMoves
from server.interpretation.phrases import IN_REPLIES


@click.command()
@FILES
@JSON_LINES
def read(files: tuple[Path, ...], as_json: bool) -> None:
    """Show what Nabu reads in a mail."""
    for file in files:
        found = {"file": str(file), **_reading(_bytes(file))}
        if as_json:
            click.echo(json.dumps(found))
            continue
        why = f" ({found['why']})" if found["why"] else ""
        say(f"{file}: {found['kind']} from {found['sender'] or 'nobody'}{why}")
        for line in found["text"].splitlines():
            say(f"  | {line}")
        for name in ("commands", "changes"):
            for each in found[name]:
                say(f"  {name.removesuffix('s')}: {each}")
        if found["stopped_at"]:
            say(f"  no command: {found['stopped_at']}")


def _reading(raw: bytes) -> dict[str, Any]:
    """What is read in a mail, as JSON values.

    `token` is that of a reply address. `below` is what is below quoted lines, too; `rest` is what is ignored,
    and `ended_by` says why. `changes` say what was read as what; `stopped_at` is the line that ended the
    commands. `unread` is why the text cannot be read, if so.
    """
    found = read_mail(raw)
    tags = (tagged(address)[1] for address in found.recipients)
    token = next(filter(None, tags), "")
    text = found.text or ("" if token or found.unread else without_prefix(found.subject))
    courtesy = courtesy_among([found.author.name])
    read = partial(read_commands, is_move=_looks_like_a_move, words=REPLY | PLAIN, courtesy=courtesy)
    written = text if found.kind == "reply" else ""
    given = read(IN_REPLIES.translate(written, _looks_like_a_move, read, courtesy))
    if given.found and (doubt := Doubts(_moves_of_any_game(), courtesy).line(given)):
        given = Instructions((), doubt)
    return {
        "kind": found.kind,
        "why": found.why,
        "sender": found.sender,
        "token": token,
        "text": found.text,
        "commands": [str(command) for command in given.commands],
        "changes": [change for command in given.commands for change in command.changes],
        "stopped_at": given.stopped_at,
        "below": found.written.below,
        "rest": found.written.rest,
        "ended_by": found.written.ended_by,
        "aside": found.written.aside,
        "unread": found.unread,
    }


def _moves_of_any_game() -> PossibleMoves:
    """What may be a move, or a place, in any game."""

    def places() -> frozenset[str]:
        rows = (row for rules, position in _first_positions() for row in rules.diagram(position).rows)
        return frozenset(cell.name.lower() for row in rows for cell in row.cells if cell.name)

    return PossibleMoves(_looks_like_a_move, _looks_like_a_move, places)


def _looks_like_a_move(lines: str) -> bool:
    """Whether a text is written like a move of any game: a file does not say which game it is for."""
    return any(
        rules.reads(position, seat, lines)
        for rules, position in _first_positions()
        for seat in rules.to_move(position)
    )


@cache
def _first_positions() -> list[tuple[Rules[Any, Any], Any]]:
    found = []
    for rules in RULES.values():
        options = rules.options({})
        found.append((rules, rules.start(options, rules.setup(options, Chance(bytes(32), "any")))))
    return found


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise click.UsageError(escaped(f"{file}: {error.strerror}")) from None
