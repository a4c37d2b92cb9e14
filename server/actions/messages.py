"""Actions about messages, notes, and reports of abuse."""

from pydantic import Field

from server.actions.action import Action, Arguments, Door, GameActor, Line, Outcome, Text
from server.commands import account_words, game_words
from server.errors import NotYours
from server.game.log import log
from server.game.messages import extra_text, messages
from server.game.spectators import abuse_reports, chat
from server.outbound.letters.account import Confirmation
from server.outbound.letters.game_parts import Noted
from server.outbound.letters.replies import WordsReported
from server.store.letters.letter import About

_REPORTED = "The message has been reported."


class SayArguments(Arguments):
    """A message to the other players."""

    text: Text = Field(min_length=1)
    to: int | None = Field(default=None, ge=0, le=99, description="The seat that gets it; null for all.")


class TextArguments(Arguments):
    """A text."""

    text: Text = Field(min_length=1)


class ExtraTextArguments(Arguments):
    """The text beside a move, as it was shown to the player."""

    seen: Text = Field(default="", description="`extra_text` of the game.")


class ReportArguments(Arguments):
    """A message of another player, and the reason for reporting it."""

    why: Line = Field(default="", description="The reason for the report, for the administrator.")
    place: int | None = Field(
        default=None, ge=1, description="The number of the message in the game, from 1; null for the last."
    )


class SpectatorReportArguments(Arguments):
    """A message of another spectator, and the reason for reporting it."""

    why: Line = Field(default="", description="The reason for the report, for the administrator.")
    message: int | None = Field(default=None, ge=1, description="The number of the message; null for the last.")


def _say(here: GameActor, said: SayArguments) -> Outcome:
    context, game, seat = here.context, here.game, here.target.seat
    messages.check_amount(context, game, seat)
    if said.to is None:
        messages.say(context, game, seat, said.text)
    elif said.to in messages.listeners(game, log.seats(context.session, game), seat):
        messages.tell(context, game, seat, said.to, said.text)
    else:
        raise NotYours(f"You cannot send messages to seat {said.to}. To send it to all, leave out “to”.")
    return _said(here, "Your message has been sent.", quiet=True)


def _said(here: GameActor, sentence: str, *, quiet: bool = False) -> Outcome:
    """Return the outcome of a message; with `quiet`, emails are confirmed only after many messages."""
    if messages.has_said_much(here.context, here.game, here.target.seat):
        return Outcome(messages.SAID_MUCH)
    return Outcome(sentence, is_mailed=quiet)


def _note(here: GameActor, note: TextArguments) -> Outcome:
    messages.check_amount(here.context, here.game, here.target.seat)
    messages.keep(here.context, here.game, here.target.seat, note.text.strip(), private=True)
    return Outcome("Your note is saved. Only you can see it.", Noted())


def _send(here: GameActor, extra: ExtraTextArguments) -> Outcome:
    extra_text.send(here.context, here.game, here.own_seat, extra.seen)
    listeners = messages.listeners(here.game, log.seats(here.context.session, here.game), here.target.seat)
    return _said(here, f"Your message has been sent to {' and '.join(listeners.values())}.")


def _drop(here: GameActor, extra: ExtraTextArguments) -> Outcome:
    extra_text.drop(here.context, here.own_seat, extra.seen)
    return Outcome("Your message has been discarded.")


def _report(here: GameActor, report: ReportArguments) -> Outcome:
    message = abuse_reports.message_at(here.context, here.game, here.target.seat, report.place)
    words = abuse_reports.report(here.context, here.player, message, report.why)
    return Outcome(_REPORTED, WordsReported(message.seat, words))


def _report_spectator(here: GameActor, report: SpectatorReportArguments) -> Outcome:
    said = chat.to_report(here.context.session, here.number, here.player, report.message)
    words = abuse_reports.report(here.context, here.player, said, report.why)
    letter = Confirmation(f"You have reported a message to the spectators of game {here.number}: “{words}”")
    return Outcome(_REPORTED, letter, About(here.number))


def _say_to_spectators(here: GameActor, said: TextArguments) -> Outcome:
    return Outcome(chat.post(here.context, here.player, here.number, said.text), about=About(here.number))


SAY = Action(
    "say",
    game_words.SAY,
    SayArguments,
    _say,
    what="send a message to the other players, or to one of them",
    anchor="messages",
)
NOTE = Action(
    "note", game_words.NOTE, TextArguments, _note, what="write a note that only you can see", anchor="messages"
)
SEND = Action(
    "send",
    game_words.SEND,
    ExtraTextArguments,
    _send,
    what="send the text that you wrote beside a move by email",
)
DROP = Action(
    "drop",
    game_words.DROP,
    ExtraTextArguments,
    _drop,
    what="discard the text that you wrote beside a move by email",
)
REPORT = Action(
    "report",
    game_words.REPORT,
    ReportArguments,
    _report,
    what="report a message of another player to the administrator",
    not_offered={Door.WEB: "each message has its own page, which shows it once more"},
)
SAY_TO_SPECTATORS = Action(
    "spectator-message",
    account_words.SAY_TO_SPECTATORS,
    TextArguments,
    _say_to_spectators,
    what="send a message to the other spectators of the game",
    for_spectators=True,
    anchor="spectator-messages",
)

REPORT_SPECTATOR = Action(
    "report-spectator",
    account_words.REPORT_A_SPECTATOR,
    SpectatorReportArguments,
    _report_spectator,
    for_spectators=True,
    what="report a message of another spectator to the administrator",
    anchor="spectator-messages",
)

ACTIONS = (SAY, NOTE, SEND, DROP, REPORT, SAY_TO_SPECTATORS, REPORT_SPECTATOR)
