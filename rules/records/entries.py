"""The entries of a log and their form as JSON; only this module writes and reads them.

`docs/verify.md` describes these forms for others. Keys are written in the order that records have.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from rules.errors import BadData
from rules.game import Json
from rules.limits import LONGEST_NAME, MOST_SEATS
from rules.reasons import Reason
from rules.records.proof import Seed, is_hash, is_nonce
from rules.records.turns import Turn, is_list, read_result, read_turn
from rules.result import Result

_MOMENT = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True)
class Begin:
    """The beginning of a game; `asked` are the players in the order of naming, before seats were drawn.

    `terms` are the agreed terms besides the options, {} if they are left out: nothing here depends on them.
    """

    game: int
    game_type: str
    version: int
    options: Json
    terms: Json
    asked: tuple[str, ...]
    seats: tuple[str, ...]
    seed_hash: str
    client_seeds: tuple[str, ...]
    setup: Json
    turned: int | None = None
    """The previous game, if every player sits one seat further than there; with two players, they swap
    seats.
    """
    paired: int | None = None
    """The tournament that gave the players their seats; without it and `turned`, seats are drawn."""

    def to_json(self) -> Json:
        """Return the entry without its number and hash; its "type" names its class."""
        turned = {} if self.turned is None else {"turned": self.turned}
        paired = {} if self.paired is None else {"paired": self.paired}
        return (
            turned
            | paired
            | {
                "type": "begin",
                "game": self.game,
                "kind": self.game_type,
                "rules": self.version,
                "options": self.options,
                "house": self.terms,
                "asked": list(self.asked),
                "seats": list(self.seats),
                "seed_hash": self.seed_hash,
                "luck": list(self.client_seeds),
                "setup": self.setup,
            }
        )


@dataclass(frozen=True)
class Import:
    """The first entry of a game that started elsewhere, from a seed that is not known here."""

    game_type: str
    seats: tuple[str, ...]

    def to_json(self) -> Json:
        """Return the entry without its number and hash; its "type" names its class."""
        return {"type": "import", "kind": self.game_type, "seats": list(self.seats)}


@dataclass(frozen=True)
class Opened:
    """Sealed orders after the turn was resolved: the values that prove them, besides the orders themselves."""

    nonce: str
    commitment: str


@dataclass(frozen=True)
class Played:
    """A turn, with its number in the log.

    `opened` are its sealed orders by seat, None if it had none.
    """

    number: int
    turn: Turn
    opened: Mapping[int, Opened] | None = None

    def to_json(self) -> Json:
        """Return the entry without its number and hash; its "type" names its class."""
        body: Json = {"type": "turn", "turn": self.number, "line": self.turn.to_json()}
        if self.opened is not None:
            body["opened"] = {
                str(seat): {"nonce": envelope.nonce, "commitment": envelope.commitment}
                for seat, envelope in self.opened.items()
            }
        return body


@dataclass(frozen=True)
class TakenBack:
    """A takeback, by `seat`, of turn `of` and everything that was played since.

    It has its own `number`, like a turn.
    """

    number: int
    of: int
    seat: int

    def to_json(self) -> Json:
        """Return the entry without its number and hash; its "type" names its class."""
        return {"type": "undo", "turn": self.number, "of": self.of, "seat": self.seat}


@dataclass(frozen=True)
class Credit:
    """Time that the server credited to one seat, or with None to all; moments are in UTC, to the second."""

    why: str
    start: datetime
    end: datetime
    seat: int | None = None

    def to_json(self) -> Json:
        """Return the entry without its number and hash; its "type" names its class."""
        start, end = self.start.strftime(_MOMENT), self.end.strftime(_MOMENT)
        return {"type": "credit", "why": self.why, "from": start, "to": end, "seat": self.seat}


@dataclass(frozen=True)
class Names:
    """The real names of the players of an anonymous game, by seat, added at its end."""

    seats: tuple[str, ...]

    def to_json(self) -> Json:
        """Return the entry without its number and hash; its "type" names its class."""
        return {"type": "names", "seats": list(self.seats)}


@dataclass(frozen=True)
class End:
    """The result of a game, and its seed, which is published at its end."""

    result: Result
    seed: Seed

    def to_json(self) -> Json:
        """Return the entry without its number and hash; its "type" names its class."""
        return {"type": "end", "result": self.result.to_json(), "seed": self.seed.secret.hex()}


@dataclass(frozen=True)
class Ruling:
    """A result that an administrator has set in place of that of a finished game."""

    result: Result

    def to_json(self) -> Json:
        """Return the entry without its number and hash; its "type" names its class."""
        return {"type": "ruling", "result": self.result.to_json()}


Body = Begin | Import | Played | TakenBack | Credit | Names | End | Ruling


def read_first(body: Json) -> Begin | Import:
    """Return the first entry of a log. Raises BadData."""
    match body:
        case {"type": "import", "kind": str(game_type), "seats": list(seats)} if is_list(seats, str):
            return Import(game_type, tuple(seats))
    return read_begin(body)


def read_begin(body: Json) -> Begin:
    """Return the first entry of a log. Raises BadData, also for a game that started elsewhere."""
    match body:
        case {
            "type": "begin",
            "game": int(game),
            "kind": str(game_type),
            "rules": int(version),
            "options": dict(options),
            "setup": dict(setup),
            "seats": list(seats),
            "asked": list(asked),
            "luck": list(client_seeds),
            "seed_hash": seed_hash,
        } if is_list([game, version], int) and is_list([*seats, *asked, *client_seeds], str):
            pass
        case _:
            raise BadData("This is not the first entry of a game.")
    if len(seats) > MOST_SEATS or any(len(text) > LONGEST_NAME for text in (*seats, *asked, *client_seeds)):
        raise BadData(
            f"A game has at most {MOST_SEATS} players, whose names and words have at most {LONGEST_NAME} "
            "characters."
        )
    lines = "\n" not in "".join(client_seeds)
    if not len(seats) == len(asked) == len(client_seeds) or not lines or not is_hash(seed_hash):
        raise BadData("Each seat needs one player and one line of words, and the hash of the seed 64 digits.")
    terms, turned, paired = body.get("house"), body.get("turned"), body.get("paired")
    if turned is not None and not is_list([turned], int):
        raise BadData("“turned” must be the number of a game.")
    if paired is not None and (not is_list([paired], int) or turned is not None):
        raise BadData("“paired” must be the number of a tournament, without “turned”.")
    return Begin(
        game=game,
        game_type=game_type,
        version=version,
        options=options,
        terms=terms if isinstance(terms, dict) else {},
        asked=tuple(asked),
        seats=tuple(seats),
        seed_hash=seed_hash,
        client_seeds=tuple(client_seeds),
        setup=setup,
        turned=turned,
        paired=paired,
    )


def read_body(body: Json, seats: int, turn: int | None = None) -> Body | None:
    """Return an entry after the first, in a game with this many seats; None for an unknown type.

    If it has a turn's number, that must be `turn`, if given. Raises BadData.
    """
    match body.get("type"):
        case "begin":
            raise BadData("The game starts a second time.")
        case "turn":
            return _played(body, seats, turn)
        case "undo":
            return _taken_back(body, turn)
        case "names":
            return _names(body, seats)
        case "end":
            return _end(body, seats)
        case "ruling":
            return _ruling(body, seats)
        case "credit":
            return _credit(body, seats)
    return None


def _played(body: Json, seats: int, turn: int | None) -> Played:
    number = _number(body, turn)
    if "opened" not in body:
        return Played(number, read_turn(body.get("line"), seats))
    opened = body["opened"]
    if not isinstance(opened, dict) or not opened.keys() <= {str(seat) for seat in range(seats)}:
        raise BadData("Its envelopes must each belong to a seat.")
    envelopes = {int(seat): _opened(content) for seat, content in sorted(opened.items())}
    return Played(number, read_turn(body.get("line"), seats), envelopes)


def _opened(content: object) -> Opened:
    match content:
        case {"nonce": nonce, "commitment": commitment} if is_nonce(nonce) and is_hash(commitment):
            return Opened(nonce, commitment)
    raise BadData("An envelope must have a nonce of 32 and a commitment of 64 hexadecimal digits.")


def _taken_back(body: Json, turn: int | None) -> TakenBack:
    number, of, seat = _number(body, turn), body.get("of"), body.get("seat")
    if type(of) is not int or type(seat) is not int:
        raise BadData("It must name the turn and the seat of the takeback.")
    return TakenBack(number, of, seat)


def _number(body: Json, turn: int | None) -> int:
    number = body.get("turn")
    if type(number) is not int or turn not in (None, number):
        raise BadData(f"This is not turn {turn}, which must come next." if turn else "It has no number.")
    return number


def _names(body: Json, seats: int) -> Names:
    names = body.get("seats")
    if not is_list(names, str) or len(names) != seats or any(len(name) > LONGEST_NAME for name in names):
        raise BadData(f"Each seat must have one name, of at most {LONGEST_NAME} characters.")
    return Names(tuple(names))


def _end(body: Json, seats: int) -> End:
    result, seed = read_result(body.get("result"), seats), body.get("seed")
    if result is None or not is_hash(seed):
        raise BadData("The end must have a result, and a seed of 64 hexadecimal digits.")
    return End(result, Seed(bytes.fromhex(seed)))


def _ruling(body: Json, seats: int) -> Ruling:
    result = read_result(body.get("result"), seats)
    if result is None or result.reason != Reason.RULED:
        raise BadData('A ruling must have a result with the reason "ruled".')
    return Ruling(result)


def _credit(body: Json, seats: int) -> Credit | None:
    """Return None for an entry of another form, since no check depends on it."""
    match body:
        case {"why": str(why), "from": str(start), "to": str(end), "seat": seat}:
            whose = seat is None or seat in range(seats)
            with suppress(ValueError):
                return Credit(why, _moment(start), _moment(end), seat) if whose else None
    return None


def _moment(text: str) -> datetime:
    return datetime.strptime(text, _MOMENT).replace(tzinfo=UTC)
