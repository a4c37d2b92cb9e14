"""The letters that a game queues, from the invitation to the result."""

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import PlainSerializer, PlainValidator

from rules.game import Json
from server.store.letters.letter import AddressedLetter, Letter, Moment, name_of, read, write


@dataclass
class Aside:
    """Lines of a report for one player only, about turns that were played automatically."""

    answered: list[int] = field(default_factory=list)
    """The turns that the player's conditional moves answered."""
    dropped: list[str] = field(default_factory=list)
    """The player's conditional moves that no longer fit the game and were deleted."""
    kept: list[str] = field(default_factory=list)
    """The player's conditional moves that remain."""
    forced: list[int] = field(default_factory=list)
    """The turns with only one legal move; all players see these."""

    def is_reported_once(self) -> bool:
        """Return whether it has lines that no later report repeats."""
        return bool(self.answered or self.dropped or self.forced)

    def behind(self, earlier: "Aside") -> "Aside":
        """Return these lines merged with earlier ones; `kept` is that of these."""
        return Aside(
            earlier.answered + self.answered,
            earlier.dropped + self.dropped,
            self.kept,
            earlier.forced + self.forced,
        )


@dataclass(frozen=True)
class Undone:
    """A turn that was taken back; `seat` requested the takeback."""

    turn: int
    seat: int


class Report(Letter):
    """A report after a turn: the moves, the board, the next player. Its fields store the state at that time."""

    is_owed = True

    first: int
    """The first turn that is reported; 0 if the report also announces the start of the game."""
    last: int
    """The last completed turn."""
    aside: Aside
    rolled: list[int] | None
    """The dice for the next turn; None in games without dice."""
    result: Json | None
    """The result, as the rules write it; None while the game is running."""
    head: str
    """The hash of the last entry of the log."""
    entries: int
    """The number of entries in the log."""
    due: dict[int, Moment]
    """The deadlines by seat, as far as the receiver may know them."""
    misses: dict[int, int]
    """The number of turns missed in a row, by seat."""
    said: str = ""
    speaker: int | None = None
    undone: Undone | None = None
    """The takeback that this reports, if no turn was played."""
    messages: list[int] | None = None
    """The numbers of all messages not sent yet, instead of `said`; None if none was deferred."""
    asks: bool = False
    """Whether the receiver was to move."""
    proposals: list[tuple[int, str]] = field(default_factory=list)
    """The seats of other players with a valid proposal, and its name."""
    solo: bool = False
    """Whether all opponents of the receiver are computer players."""

    @property
    def may_wait(self) -> bool:
        """Return False for a takeback, which is reported immediately, and True for other reports."""
        return self.undone is None


def _read_section(data: Json) -> AddressedLetter:
    return read(name_of(Report), data["game"], data)


def _write_section(addressed: AddressedLetter) -> Json:
    return {"game": addressed.about and addressed.about.game, **write(addressed)}


_Section = Annotated[AddressedLetter, PlainValidator(_read_section), PlainSerializer(_write_section)]


class Digest(Letter):
    """A digest: one report for each game in which anything happened or the player has to move."""

    player: int
    games: tuple[_Section, ...]
    """A `Report` each."""


class Watched(Letter):
    """A report to a spectator, as everyone may see the game. Its fields store the state at that time."""

    first: int
    """The first turn that is reported; greater than `last` if none is."""
    last: int
    """The last completed turn."""
    undone: list[int]
    """Turns that were taken back."""
    rolled: list[int] | None
    """The dice for the next turn; None in games without dice."""
    result: Json | None
    entries: int
    """The number of entries in the log."""
    head: str
    """The hash of the last entry."""
    watcher: int
    """The player number of the receiver."""
    follows: int | None = None
    """The player whose games the receiver follows, if that is the reason for this letter."""
    messages: list[int] = field(default_factory=list)
    """The numbers of the spectator messages since the last letter."""


class Receipt(Letter):
    """A confirmation that orders were encrypted and stored, with their commitment."""

    is_owed = True

    orders: str
    commitment: str
    turn: int
    position: Json
    """The position before the turn, as the rules write it."""
    opened_at: Moment | None = None
    """When all orders are opened, if already known."""


class Withdrawn(Letter):
    """A confirmation that sealed orders were withdrawn."""

    is_owed = True
    shows_state = True
    is_shown = True

    turn: int


class _AtWill(Letter):
    """The base of letters that the player in seat `by` can cause any number of times."""

    by: int

    @property
    def may_wait(self) -> bool:
        return True

    @property
    def at_will_of(self) -> int | None:
        return self.by

    @property
    def actor(self) -> int | None:
        return self.by


class Proposed(_AtWill):
    """A notification that another player makes a proposal, for example a takeback."""

    shows_state = True

    proposal: str
    turn: int | None = None
    """The turn to take back; None for another proposal."""

    @property
    def may_wait(self) -> bool:
        """Return False for a takeback, which can be proposed only once in a turn."""
        return self.turn is None

    @property
    def at_will_of(self) -> int | None:
        return self.by if self.may_wait else None


class TimeGiven(_AtWill):
    """A notification that another player gave more time; `due` is None for a move without a deadline."""

    due: Moment | None


class ClockStands(_AtWill):
    """A notification that the clock of another player is paused, or runs again."""

    due: Moment | None
    stands: bool

    @property
    def actor(self) -> None:
        """Return None: the reason may be that emails to the player bounce."""


class Message(Letter):
    """A message from another player, to all or only to the receiver."""

    speaker: int
    said: str
    alone: bool = False

    @property
    def may_wait(self) -> bool:
        """Return True, because the next report can contain the message."""
        return True

    @property
    def at_will_of(self) -> int:
        """Return the seat of the sender, who can send any number of messages."""
        return self.speaker

    @property
    def actor(self) -> int:
        return self.speaker


class Overdue(Letter):
    """A notification that a player is out of time: the others can claim the game until the player moves."""

    by: int

    @property
    def may_wait(self) -> bool:
        """Return True, because each report repeats it while it is true."""
        return True


class Invitation(Letter):
    """An invitation to a game by the player named `by`; `players` are all names, the challenger first."""

    by: str
    players: tuple[str, ...] = ()

    @property
    def actor(self) -> str:
        return self.by


class SeriesOver(Letter):
    """The end of a series: the player named `by` ended it, or, if "", not all players can continue."""

    by: str = ""

    @property
    def actor(self) -> str | None:
        return self.by or None


class Accepted(Letter):
    """A confirmation of the receiver's acceptance while others have not accepted yet."""

    is_answer = True
    is_shown = True


class Declined(Letter):
    """A notification that the player named `by` declined, so the game will not be played."""

    by: str

    @property
    def actor(self) -> str:
        return self.by
