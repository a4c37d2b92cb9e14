"""Actions: one object for each thing that people can do by email, on the web or through the API."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import Enum
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from server.accounts.access import Act
from server.commands.word import Word
from server.errors import BadRequest, NotYours
from server.game.log import log
from server.game.play.target import Target
from server.game.views.game_view import GameView
from server.limits import LONGEST_LINE, LONGEST_MESSAGE
from server.store.letters.letter import About, Letter
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext


class Door(Enum):
    """A way in which people act: by email, on the web or through the API."""

    EMAIL = "by email"
    WEB = "on the web"
    API = "through the API"


_WITHOUT_NUL = r"^[^\x00]*$"
Line = Annotated[str, Field(max_length=LONGEST_LINE, pattern=_WITHOUT_NUL)]
"""A line of text."""
Text = Annotated[str, Field(max_length=LONGEST_MESSAGE, pattern=_WITHOUT_NUL)]
"""A message."""


class Arguments(BaseModel):
    """The arguments of an action: the fields of its form, and of the JSON that programs send."""

    model_config = ConfigDict(extra="forbid", strict=True)


@dataclass(frozen=True, kw_only=True)
class Actor:
    """A player who acts, within one transaction."""

    context: ActionContext
    player: Player
    door: Door
    plain_address: str
    """The server's address for emails that are not replies."""
    origin: str
    """Where they act, for the report of an account change: "in Firefox on Android"."""


@dataclass(frozen=True, kw_only=True)
class TournamentActor(Actor):
    """A player who acts in a tournament."""

    tournament: int


@dataclass(frozen=True, kw_only=True)
class GameActor(Actor):
    """A player who acts in a game: their seat (None for a spectator), and the turn for which they act.

    `mark` identifies the board that they saw; 0 if it is unknown.
    """

    game: Game
    seat: int | None
    turn: int
    mark: int = 0

    @property
    def number(self) -> int:
        """The number of the game."""
        return log.id_of(self.game)

    @property
    def target(self) -> Target:
        """Their seat and turn. Raises NotYours without a seat."""
        if self.seat is None:
            raise NotYours(f"You have no seat in game {self.number}.")
        return Target(self.number, self.seat, self.turn, self.mark)

    @property
    def own_seat(self) -> Seat:
        """Their seat as it is stored. Raises NotYours without one."""
        return self.context.session.get_one(Seat, (self.number, self.target.seat))

    @property
    def by_email(self) -> bool:
        """True if an answer that takes time, such as a hint, is to be emailed."""
        return self.door is Door.EMAIL


ActorT = TypeVar("ActorT", bound=Actor)
ArgumentsT = TypeVar("ArgumentsT", bound=Arguments)


@dataclass(frozen=True)
class Outcome:
    """The result of an action, for the person who acted."""

    sentence: str
    """The confirmation: shown on the page, part of the API's answer, and emailed unless a letter says more."""
    letter: Letter | None = None
    """The answer to an email, in place of the sentence."""
    about: About | None = None
    """The game that this letter is about, if it is not a reply to an email of the same game."""
    is_mailed: bool = False
    """True if the game's own emails say it, so that no further answer is needed."""
    asked: str = ""
    """The address that got an email with a question about it, so that it needs no other answer."""
    game: Game | None = None
    """The new game, if the action has created one."""
    tournament: int | None = None
    """The new tournament, if the action has created one."""


@dataclass(frozen=True, eq=False)
class Action(Generic[ActorT, ArgumentsT]):
    """Something that a player can do, by email, on the web and through the API.

    Its `word` defines the command in emails, its help, the trust that its sender needs, and the states of a
    game in which it makes sense. `act` checks whether it is allowed, and raises Refused or WrongMove.
    """

    name: str
    """Its name in addresses of web pages and of the API."""
    word: Word
    arguments: type[ArgumentsT]
    act: Callable[[ActorT, ArgumentsT], Outcome]
    _: KW_ONLY
    read: Callable[[str], Mapping[str, object]] | None = None
    """Reads the arguments from the text behind the word in an email; None if that is the only argument."""
    in_turn: bool = False
    """True if the player has to say which turn they mean."""
    for_spectators: bool = False
    """True if the player needs no seat in the game."""
    button: Callable[[GameView], str] | None = None
    """The label of its button beside the board, "" where it makes no sense; None if it has a form."""
    warning: str = ""
    """The warning that a web page shows before an action that cannot be undone."""
    shows_game: bool = True
    """True if the game's page follows: that of the game in which they acted, or of the new one."""
    anchor: str = ""
    """The part of the page that shows its effect."""
    grants: Act | None = None
    """The access to the account that it grants or removes: on the web this requires a fresh login."""
    what: str = ""
    """Its description, if the help of its word is about emails or about more than this."""
    not_offered: Mapping[Door, str] = field(default_factory=dict)
    """For each door where it is not offered, the reason, or the page that has it."""

    @property
    def summary(self) -> str:
        """Its description, as a sentence for the API's document."""
        what = self.what or self.word.help
        return f"{what[:1].upper()}{what[1:]}."

    def carry_out(self, actor: ActorT, values: Mapping[str, object]) -> Outcome:
        """Carry out the action. Arguments are texts or JSON. Raises Refused or WrongMove."""
        if isinstance(actor, GameActor) and actor.seat is None and not self.for_spectators:
            raise NotYours(f"You have no seat in game {actor.number}.")
        try:
            arguments = self.arguments.model_validate(values, strict=False)
        except ValidationError as error:
            raise BadRequest(self._wrong(error.errors()[0])) from None
        return self.act(actor, arguments)

    def carry_out_text(self, actor: ActorT, text: str) -> Outcome:
        """Carry out the action with the text that follows its word in an email."""
        if self.read is not None:
            return self.carry_out(actor, self.read(text))
        names = list(self.arguments.model_fields)
        return self.carry_out(actor, {names[0]: text} if names and text else {})

    def _wrong(self, error: Mapping[str, Any]) -> str:
        """Return a sentence about a wrong argument, and how to write it."""
        if error["type"] == "string_too_long":
            return f"That is too long: use at most {error['ctx']['max_length']} characters."
        if error["type"] in ("missing", "string_too_short"):
            return f"There is nothing after “{self.word.word}”. Write: {self.word.usage}"
        return f"{'.'.join(map(str, error['loc']))}: {error['msg']}"


class NoArguments(Arguments):
    """No arguments."""
