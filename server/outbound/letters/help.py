"""The letters that say what can be written: to a game, and to the plain address."""

from dataclasses import dataclass, field

from server.accounts.computer_names import COMPUTER
from server.commands.vocabulary import PLAIN, REPLY
from server.commands.word import When
from server.game.computer import inquiries
from server.game.log import log
from server.outbound.letters.context import Draft, Sources, template_fields
from server.store.letters.letter import Letter


@dataclass(frozen=True)
class HelpGame(Letter):
    """The commands of a reply, those that make sense in the game as it is now."""

    is_answer = True
    tells_standing = True

    def draft(self, sources: Sources) -> Draft:
        view = sources.view
        true = {When.BEFORE if view.state == "invited" else When.BEGUN}
        true |= {When.OVER} if view.state == "over" else set()
        true |= {When.SEVERAL} if len(view.seats) > 2 else set()
        true |= {When.SERIES} if view.series and view.series.goes_on else set()
        seated = log.seats(sources.session, sources.game)
        true |= {When.COACHED} if not inquiries.why_no_hints(sources.game, seated, sources.seat) else set()
        true |= {When.SEALED} if view.simultaneous else set()
        true |= {When.IN_TURN} if not view.simultaneous and not view.dice else set()
        return sources.draft(commands=REPLY.help_by_usage(true))


@dataclass(frozen=True)
class HelpAccount(Letter):
    """The commands of the plain address."""

    subject = "How to use Nabu by email"
    is_answer = True

    def draft(self, sources: Sources) -> Draft:
        context = {"commands": PLAIN.help_by_usage(), "game_commands": REPLY.help_by_usage()}
        return Draft(self.subject, context)


@dataclass(frozen=True)
class Hello(Letter):
    """A first letter to somebody who does not know what to write: three things."""

    subject = "Hello from Nabu"
    is_answer = True

    name: str = ""
    """What to register as; "" for a player."""

    def draft(self, sources: Sources) -> Draft:
        return Draft(self.subject, {**template_fields(self, sources), "computer": COMPUTER})


@dataclass(frozen=True)
class RefusalAccount(Letter):
    """A mail to the plain address that could not be carried out."""

    subject = "Nabu could not do that"
    is_answer = True

    problem: str
    read: list[str]
    """The first lines of it."""
    choices: list[str] = field(default_factory=list)
    """The commands that may have been meant."""
