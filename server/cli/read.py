"""`nabu read`: show how Nabu reads an email, without database or settings."""

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
from server.interpretation.doubts import Doubts, PossibleMoves
from server.interpretation.phrases import IN_REPLIES
from server.interpretation.reply_checks import courtesy_among, without_prefix


@click.command()
@FILES
@JSON_LINES
def read(files: tuple[Path, ...], as_json: bool) -> None:
    """Show how Nabu reads emails.

    The output has the sender, the text and the commands of each file.
    """
    for file in files:
        found = {"file": str(file), **_reading(_bytes(file))}
        if as_json:
            click.echo(json.dumps(found))
            continue
        why = f" ({found['why']})" if found["why"] else ""
        say(f"{file}: {found['kind']} from {found['sender'] or 'no sender'}{why}")
        for line in found["text"].splitlines():
            say(f"  | {line}")
        for name in ("commands", "changes"):
            for each in found[name]:
                say(f"  {name.removesuffix('s')}: {each}")
        if found["stopped_at"]:
            say(f"  not a command: {found['stopped_at']}")


def _reading(raw: bytes) -> dict[str, Any]:
    """Return how an email is read, as JSON values.

    `token` comes from the reply address. `below` is the text below the quoted lines, `rest` the ignored text,
    `ended_by` the reason for ignoring it. `changes` lists corrections and translations; `stopped_at` is the
    line that ended the commands. `unread` is the reason if the text cannot be read.
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
    """Return the possible moves and places of all games."""

    def places() -> frozenset[str]:
        rows = (row for rules, position in _first_positions() for row in rules.diagram(position).rows)
        return frozenset(cell.name.lower() for row in rows for cell in row.cells if cell.name)

    return PossibleMoves(_looks_like_a_move, _looks_like_a_move, places)


def _looks_like_a_move(lines: str) -> bool:
    """Return whether the lines are a move in any game, as a file does not name the game."""
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
