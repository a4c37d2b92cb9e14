"""Reading the entries of a stored log, and building a game's record."""

from collections.abc import Sequence

from rules.errors import BadData
from rules.game import Json
from rules.records.entries import Begin, Body, Import, Played, read_body, read_first
from rules.records.record import Record
from rules.records.turns import Turn, read_result
from server.errors import Damaged
from server.store.models import Entry, Game


def first_entry(entry: Entry) -> Begin | Import:
    """Return the content of the first entry of a log. Raises Damaged."""
    try:
        return read_first(entry.body)
    except BadData:
        raise _damaged(entry.game_id, entry.number) from None


def entry_body(game: Game, entry: Entry) -> Body | None:
    """Return the content of an entry after the first; None if its type is unknown. Raises Damaged."""
    return stored_body(game, entry.number, entry.body)


def stored_body(game: Game, number: int, body: Json) -> Body | None:
    """Return the same as `entry_body` for the stored body of entry `number`."""
    try:
        return read_body(body, len(game.asked))
    except (BadData, AttributeError):  # the database may contain anything in place of a body
        raise _damaged(game.id, number) from None


def turn_of(game: Game, entry: Entry) -> Played:
    """Return the turn in an entry. Raises Damaged."""
    found = entry_body(game, entry)
    if not isinstance(found, Played):
        raise _damaged(entry.game_id, entry.number)
    return found


def record(game: Game, names: Sequence[str], turns: Sequence[Turn], proof: Json | None = None) -> Record:
    """Return a game as a record of its valid turns. Raises BadData if its result is invalid."""
    return Record(
        game=game.game_type,
        options=game.options,
        setup=game.setup,
        seats=tuple(names),
        turns=tuple(turns),
        result=read_result(game.result, len(names)),
        proof=proof,
    )


def _damaged(game: int | None, number: int) -> Damaged:
    return Damaged(game, f"entry {number} cannot be read")
