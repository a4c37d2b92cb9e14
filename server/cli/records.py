"""`nabu replay` and `nabu moves`: check records and positions in files, without database or settings."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from rules.drawing import ascii_board
from rules.errors import BadData, NotYours, RuleError
from rules.game import Rules
from rules.records.documents import read_json
from rules.records.record import Record, Replay, load_position
from rules.records.record import replay as replay_record
from server.admin.sanitize import escaped

FILES = click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
JSON_LINES = click.option("--json", "as_json", is_flag=True, help="One line of JSON per file.")


@click.command()
@FILES
@JSON_LINES
def replay(files: tuple[Path, ...], as_json: bool) -> None:
    """Replay records, and show how they end.

    The output has the last position and the result, or the turn that is wrong and why. The exit code is 1 if
    any record is wrong.
    """
    failed = False
    for file in files:
        try:
            played = replay_record(Record.from_json(_text(file)))
        except BadData as error:
            failed = True
            _tell_error(file, str(error), as_json)
            continue
        if played.error is not None:
            failed = True
            _tell_error(file, played.error, as_json)
        elif as_json:
            click.echo(json.dumps(_summary(file, played)))
        else:
            _show(file, played)
    sys.exit(1 if failed else 0)


@click.command()
@FILES
@JSON_LINES
@click.option(
    "--kind",
    "only",
    default="",
    help="List only one kind of action, in games that have several, such as rings.",
)
@click.option(
    "--check", "text", help="Print “legal” or the reason why this move is not, instead of listing moves."
)
@click.option("--limit", type=click.IntRange(min=1), help="List at most this many moves.")
def moves(files: tuple[Path, ...], as_json: bool, only: str, text: str | None, limit: int | None) -> None:
    """List the legal moves in a position.

    Each file is a position, or a record, of which the last position counts.
    """
    failed = False
    for file in files:
        try:
            rules, position = _last_position(_text(file))
            listing = rules.listing(position, only, limit) if text is None else []
        except BadData as error:
            failed = True
            _tell_error(file, str(error), as_json)
            continue
        if text is not None:
            verdict = _verdict(rules, position, text)
            failed = failed or verdict != "legal"
            say(json.dumps({"file": str(file), "check": verdict}) if as_json else verdict)
            continue
        if as_json:
            click.echo(json.dumps({"file": str(file), "moves": listing}))
        else:
            for line in _lines(listing):
                say(line)
    sys.exit(1 if failed else 0)


def _last_position(text: str) -> tuple[Rules[Any, Any], Any]:
    """Return the rules and the last position of a record or a position file. Raises BadData."""
    data = read_json(text)
    if isinstance(data, dict) and str(data.get("format", "")).startswith("nabu-position/"):
        rules, _, position = load_position(data)
        return rules, position
    played = replay_record(Record.from_json(data if isinstance(data, dict) else text))
    if played.error is not None:
        raise BadData(played.error)
    return played.rules, played.position


def _verdict(rules: Rules[Any, Any], position: Any, text: str) -> str:
    """Return `legal`, or why not; the reason is that of the seat whose pieces the move names, if any."""
    reasons: list[RuleError] = []
    for seat in rules.to_move(position):
        try:
            rules.parse(position, seat, text)
        except RuleError as error:
            reasons.append(error)
        else:
            return "legal"
    reasons.sort(key=lambda reason: isinstance(reason, NotYours))
    return str(reasons[0]) if reasons else "The game is over."


def _summary(file: Path, played: Replay) -> dict[str, Any]:
    rules, position = played.rules, played.position
    over = played.result is not None
    return {
        "file": str(file),
        "position": rules.write(position),
        "to_move": [] if over else list(rules.to_move(position)),
        "result": played.result.to_json() if played.result is not None else None,
    }


def _show(file: Path, played: Replay) -> None:
    turns = len(played.steps)
    say(f"{file}: {played.rules.title}, {turns} {'turn' if turns == 1 else 'turns'}")
    click.echo(
        ascii_board(played.rules.diagram(played.position, step=played.steps[-1] if played.steps else None))
    )
    click.echo(f"result: {json.dumps(played.result.to_json())}" if played.result else "not over yet")


def _tell_error(file: Path, message: str, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"file": str(file), "error": message}))
    say(message, err=True)


def say(text: str, *, err: bool = False) -> None:
    """Print a line that may contain other people's text, with control characters escaped."""
    click.echo(escaped(text), err=err)


def _lines(listing: list[str] | dict[str, Any]) -> list[str]:
    if isinstance(listing, list):
        return listing
    return [
        f"{piece} {order}"
        for pieces in listing.values()
        for piece, orders in pieces.items()
        for order in orders
    ]


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise BadData(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise BadData(f"{file} is not UTF-8 text.") from None
