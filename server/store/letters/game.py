"""The letters that a game puts: what happened at its table, and how it comes about."""

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import PlainSerializer, PlainValidator

from rules.game import Json
from server.store.letters.letter import Letter, Moment, Put, name_of, read, write


@dataclass
class Aside:
    """What a report tells one player of turns that were played at once."""

    answered: list[int] = field(default_factory=list)
    """Those that their conditional moves answered."""
    dropped: list[str] = field(default_factory=list)
    """Their conditional moves that did not fit what was played."""
    kept: list[str] = field(default_factory=list)
    """Their conditional moves that go on."""
    forced: list[int] = field(default_factory=list)
    """The turns in which nothing else could be played; all players are told of them."""

    def is_told_once(self) -> bool:
        """Whether it holds anything that is told beside a report and nowhere else."""
        return bool(self.answered or self.dropped or self.forced)

    def behind(self, earlier: "Aside") -> "Aside":
        """What this and an earlier one say together; `kept` are those that go on now."""
        return Aside(
            earlier.answered + self.answered,
            earlier.dropped + self.dropped,
            self.kept,
            earlier.forced + self.forced,
        )


@dataclass(frozen=True)
class Undone:
    """A turn that was taken back, and the seat that asked for it."""

    turn: int
    seat: int


@dataclass(frozen=True)
class Report(Letter):
    """After a turn: what was played, the board, whose turn it is. How things stood then is fixed here."""

    is_owed = True

    first: int
    """The first turn that is told; 0 tells that the game has begun, too."""
    last: int
    """The last turn that was over."""
    aside: Aside
    rolled: list[int] | None
    """The dice for the next turn, where there are any."""
    result: Json | None
    """How the game ended, as the rules write it; None while it goes on."""
    head: str
    """The hash of the last entry of the log."""
    entries: int
    """How many entries the log had."""
    due: dict[int, Moment]
    """When moves were due, by seat, as far as the receiver may know."""
    misses: dict[int, int]
    """How many turns in a row were missed, by seat."""
    said: str = ""
    speaker: int | None = None
    undone: Undone | None = None
    """What was taken back instead of a turn that was played."""
    messages: list[int] | None = None
    """The numbers of everything said and not told yet, instead of `said`; None if none of that was deferred."""
    asks: bool = False
    """Whether the receiver was to move."""
    offers: list[int] = field(default_factory=list)
    """The seats of others whose offers of a draw stood."""
    solo: bool = False
    """Whether only computers play against the receiver."""

    @property
    def may_wait(self) -> bool:
        """A takeback is told at once, since all have agreed to it."""
        return self.undone is None


def _read_section(data: Json) -> Put:
    return read(name_of(Report), data["game"], data)


def _write_section(put: Put) -> Json:
    return {"game": put.about and put.about.game, **write(put)}


_Section = Annotated[Put, PlainValidator(_read_section), PlainSerializer(_write_section)]


@dataclass(frozen=True)
class Digest(Letter):
    """All that has happened since a player was last told, and all that they owe: one report per game."""

    player: int
    games: tuple[_Section, ...]
    """Each is a `Report`."""


@dataclass(frozen=True)
class Watched(Letter):
    """What everybody can see of a game, for somebody who watches it; how things stood then is fixed here."""

    first: int
    """The first turn that is told; beyond `last` if none is."""
    last: int
    """The last turn that was over."""
    undone: list[int]
    """Turns that were taken back."""
    rolled: list[int] | None
    """The dice for the next turn, where there are any."""
    result: Json | None
    entries: int
    """How many entries the log had."""
    head: str
    """The hash of the last of them."""
    watcher: int
    """The player who is told."""
    follows: int | None = None
    """The player whose games they watch, if that is why they are told."""
    messages: list[int] = field(default_factory=list)
    """The numbers of what others who watch have said since the last letter."""


@dataclass(frozen=True)
class Receipt(Letter):
    """Orders were read and sealed: what was read, and the commitment."""

    is_owed = True

    orders: str
    commitment: str
    turn: int
    position: Json
    """The position before the turn, as the rules write it."""
    opened_at: Moment | None = None
    """When all orders are opened, if that was known."""


@dataclass(frozen=True)
class Withdrawn(Letter):
    """Orders were taken back."""

    is_owed = True
    tells_standing = True
    is_shown = True

    turn: int


@dataclass(frozen=True)
class _AtWill(Letter):
    """What the seat `by` can cause to be mailed as often as it likes."""

    by: int

    @property
    def may_wait(self) -> bool:
        return True

    @property
    def at_will_of(self) -> int:
        return self.by

    @property
    def actor(self) -> int | None:
        return self.by


@dataclass(frozen=True)
class DrawOffered(_AtWill):
    """Another player offers a draw."""

    tells_standing = True


@dataclass(frozen=True)
class TimeGiven(_AtWill):
    """Another player gave time for the move that is owed; None where it has no deadline."""

    due: Moment | None


@dataclass(frozen=True)
class ClockStands(_AtWill):
    """The clock of another player stands still, or runs again."""

    due: Moment | None
    stands: bool

    @property
    def actor(self) -> None:
        """Not told: perhaps our mail does not reach them."""


@dataclass(frozen=True)
class Message(Letter):
    """Another player said something, to all or to the receiver alone."""

    speaker: int
    said: str
    alone: bool = False

    @property
    def may_wait(self) -> bool:
        """It is kept among the messages of the game."""
        return True

    @property
    def at_will_of(self) -> int:
        """Whoever says it."""
        return self.speaker

    @property
    def actor(self) -> int:
        return self.speaker


@dataclass(frozen=True)
class Overdue(Letter):
    """A player's time is up: the others can claim the game, and they can still move."""

    by: int

    @property
    def may_wait(self) -> bool:
        """A report tells it as long as it is so."""
        return True


@dataclass(frozen=True)
class UndoAsked(Letter):
    """Another player asks to take their move back."""

    tells_standing = True

    by: int
    turn: int

    @property
    def actor(self) -> int:
        return self.by


@dataclass(frozen=True)
class Invitation(Letter):
    """Someone of this name wants to play, with these players, the challenger first."""

    by: str
    players: tuple[str, ...] = ()

    @property
    def actor(self) -> str:
        return self.by


@dataclass(frozen=True)
class SeriesOver(Letter):
    """No further game of a series follows: someone of this name ended it, or, if "", not all can."""

    by: str = ""

    @property
    def actor(self) -> str | None:
        return self.by or None


@dataclass(frozen=True)
class Accepted(Letter):
    """One's own acceptance was noted; others have still to accept."""

    is_answer = True
    is_shown = True


@dataclass(frozen=True)
class Declined(Letter):
    """Someone of this name declined: the game will not be played."""

    by: str

    @property
    def actor(self) -> str:
        return self.by
