"""What every letter is: a frozen dataclass, put into the outbox, and read from there to be written."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import PlainSerializer, PlainValidator, TypeAdapter

from rules.game import Json

LETTERS: dict[str, type["Letter"]] = {}
"""Every letter, by its name, once `outbound.letters` is imported, which has all files that hold some."""
_ADAPTERS: dict[type["Letter"], TypeAdapter[Any]] = {}

Moment = Annotated[datetime, PlainSerializer(datetime.isoformat)]
"""A moment in the data of a letter; written out, it stands in the receiver's zone."""


@dataclass(frozen=True)
class Letter:
    """A letter: its fields are everything that it says beyond the log.

    Rows wait in the outbox under the name of the class, in small letters, and with the names of its fields:
    these stay as they are, and a field that is added has a default. The template has the name, too. A class
    whose name begins with an underscore is no letter, but what several share.
    """

    subject: ClassVar[str] = ""
    """What stands in the header; "" for a letter about a game, which has the subject of its game."""
    is_answer: ClassVar[bool] = False
    """Whether it is mailed because a mail asked for it, and counted (see `inbound.quotas`)."""
    is_owed: ClassVar[bool] = False
    """Whether it is mailed however much was answered today."""
    tells_standing: ClassVar[bool] = False
    """Whether it ends with how the game stands."""
    is_shown: ClassVar[bool] = False
    """Whether a page says the same to whoever causes it there, so that it is not mailed to them."""

    def __init_subclass__(cls) -> None:
        if cls.__name__.startswith("_"):
            return
        if LETTERS.setdefault(name_of(cls), cls) is not cls:
            raise TypeError(f"there are two letters {name_of(cls)}")

    @property
    def may_wait(self) -> bool:
        """Whether it can wait for a digest, because a later report will say the same."""
        return False

    @property
    def actor(self) -> int | str | None:
        """Who did what it tells, a seat or a name: the mail is from them, through us. None if nobody did."""
        return None

    @property
    def at_will_of(self) -> int | None:
        """The seat that can have it mailed to others as often as it likes; None if none can."""
        return None


def name_of(letter: type[Letter]) -> str:
    """The name of a letter: `time_given` for `TimeGiven`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", letter.__name__).lower()


@dataclass(frozen=True)
class About:
    """The game that a letter is about, and which of its players the letter is for.

    That is a seat or, until seats are drawn, a place among those who were asked.
    """

    game: int
    seat: int | None = None
    place: int | None = None


@dataclass(frozen=True)
class Put:
    """A letter that was put for somebody: into the outbox, or to become a part of another one."""

    letter: Letter
    about: About | None = None
    answers: str = ""
    """The Message-ID of the mail that it answers; "" if it answers none."""
    notice_line: str = ""
    """What it says first, whatever it is about."""
    quoted: str = ""
    """The lines that the notice line is about, shown below it."""
    player_id: int | None = None
    """The receiver, if a player; in the outbox this is a column of its own."""


def write(put: Put) -> Json:
    """What is kept of a letter beside its name and the number of its game."""
    data: Json = _json_of(type(put.letter)).dump_python(put.letter, mode="json")
    receiver = {} if put.about is None else {"seat": put.about.seat, "place": put.about.place}
    given = {**receiver, "answers": put.answers, "notice_line": put.notice_line, "quoted": put.quoted}
    return data | {key: value for key, value in given.items() if value not in (None, "")}


def read(name: str, game: int | None, data: Json) -> Put:
    """A letter as `write` kept it; raises KeyError or ValueError if it was no letter."""
    return Put(
        _json_of(LETTERS[name]).validate_python(data),
        None if game is None else About(game, data.get("seat"), data.get("place")),
        answers=data.get("answers", ""),
        notice_line=data.get("notice_line", ""),
        quoted=data.get("quoted", ""),
    )


def _json_of(letter: type[Letter]) -> TypeAdapter[Any]:
    """What reads and writes the fields of a letter; made once for each."""
    if letter not in _ADAPTERS:
        _ADAPTERS[letter] = TypeAdapter(letter)
    return _ADAPTERS[letter]


def _read_part(data: Json) -> Put:
    return read(data["letter"], data["game"], data["what"])


def _write_part(put: Put) -> Json:
    game = None if put.about is None else put.about.game
    return {"letter": name_of(type(put.letter)), "game": game, "what": write(put)}


_Part = Annotated[Put, PlainValidator(_read_part), PlainSerializer(_write_part)]


@dataclass(frozen=True)
class Answers(Letter):
    """Everything that one mail asked for, one below the other."""

    is_answer = True

    parts: tuple[_Part, ...]
