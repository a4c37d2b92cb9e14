"""The base class of all letters: frozen dataclasses that are stored in the outbox and rendered later."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, ClassVar, dataclass_transform

from pydantic import PlainSerializer, PlainValidator, TypeAdapter

from rules.game import Json

LETTERS: dict[str, type["Letter"]] = {}
"""All letter classes by name. Importing `outbound.letters` fills it."""
_ADAPTERS: dict[type["Letter"], TypeAdapter[Any]] = {}

Moment = Annotated[datetime, PlainSerializer(datetime.isoformat)]
"""A moment in the data of a letter. Emails show it in the receiver's time zone."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
@dataclass(frozen=True)
class Letter:
    """An email from Nabu before it is rendered. Its fields contain everything that is not in the game's log.

    Each subclass becomes a frozen dataclass, without a decorator.

    Rows in the outbox store the name of the class in snake case, such as `login_link`, and the names of its
    fields, so do not change these, and give a new field a default. The template has the same name. A class
    whose name begins with an underscore is a base class, not a letter.
    """

    subject: ClassVar[str] = ""
    """The subject of the email; "" for a letter about a game, which has the subject of its game."""
    is_answer: ClassVar[bool] = False
    """Whether it answers an incoming email and counts towards the quota (see `inbound.quotas`)."""
    is_owed: ClassVar[bool] = False
    """Whether it is sent even if the quota of answers is used up."""
    shows_state: ClassVar[bool] = False
    """Whether it ends with the state of the game."""
    takes_commands: ClassVar[bool] = True
    """Whether it names a command for a reply. A letter about one game always takes moves or commands."""
    is_shown: ClassVar[bool] = False
    """Whether a page shows the same to the player who causes it there, so that no email is sent to them."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)
        if cls.__name__.startswith("_"):
            return
        if LETTERS.setdefault(name_of(cls), cls) is not cls:
            raise TypeError(f"there are two letters {name_of(cls)}")

    @property
    def may_wait(self) -> bool:
        """Return whether the letter can be deferred, because a later report or digest contains the same."""
        return False

    @property
    def actor(self) -> int | str | None:
        """Return the seat or name of the player who acted, for the From field: "Ann via Nabu"; or None."""
        return None

    @property
    def at_will_of(self) -> int | None:
        """Return the seat whose player can cause any number of these letters; None if no player can."""
        return None


def name_of(letter: type[Letter]) -> str:
    """Return the name of a letter: `time_given` for `TimeGiven`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", letter.__name__).lower()


@dataclass(frozen=True)
class About:
    """The game that a letter is about, and the receiver in it.

    The receiver is a seat or, until seats are drawn, a place in the list of invited players.
    """

    game: int
    seat: int | None = None
    place: int | None = None


@dataclass(frozen=True)
class AddressedLetter:
    """A letter with its receiver, for the outbox or as a part of another letter."""

    letter: Letter
    about: About | None = None
    answers: str = ""
    """The Message-ID of the email that it answers; "" for none."""
    notice_line: str = ""
    """A notice above the text of the letter."""
    quoted: str = ""
    """The lines that the notice refers to, shown below it."""
    player_id: int | None = None
    """The receiver, if a player; in the outbox this is a separate column."""


def write(addressed: AddressedLetter) -> Json:
    """Return the fields of a letter as JSON; its name and the number of its game are stored beside them."""
    data: Json = _json_of(type(addressed.letter)).dump_python(addressed.letter, mode="json")
    receiver = {} if addressed.about is None else {"seat": addressed.about.seat, "place": addressed.about.place}
    given = {
        **receiver,
        "answers": addressed.answers,
        "notice_line": addressed.notice_line,
        "quoted": addressed.quoted,
    }
    return data | {key: value for key, value in given.items() if value not in (None, "")}


def read(name: str, game: int | None, data: Json) -> AddressedLetter:
    """Return the letter from its name, game and JSON as by `write`. Raises KeyError or ValueError."""
    return AddressedLetter(
        _json_of(LETTERS[name]).validate_python(data),
        None if game is None else About(game, data.get("seat"), data.get("place")),
        answers=data.get("answers", ""),
        notice_line=data.get("notice_line", ""),
        quoted=data.get("quoted", ""),
    )


def _json_of(letter: type[Letter]) -> TypeAdapter[Any]:
    if letter not in _ADAPTERS:
        _ADAPTERS[letter] = TypeAdapter(letter)
    return _ADAPTERS[letter]


def _read_part(data: Json) -> AddressedLetter:
    return read(data["letter"], data["game"], data["what"])


def _write_part(addressed: AddressedLetter) -> Json:
    game = None if addressed.about is None else addressed.about.game
    return {"letter": name_of(type(addressed.letter)), "game": game, "what": write(addressed)}


_Part = Annotated[AddressedLetter, PlainValidator(_read_part), PlainSerializer(_write_part)]


class Answers(Letter):
    """The answers to all commands of one email, one below the other."""

    is_answer = True

    parts: tuple[_Part, ...]
