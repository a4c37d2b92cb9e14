"""Replies with “yes”: they answer the question in the email that they reply to, and no other."""

import re
from dataclasses import replace

from sqlmodel import col, select

from mail.reading.comparing import bare
from mail.reading.message import Reading
from server.commands.account_words import CONFIRM, REGISTER
from server.commands.game_words import ACCEPT, SEND, YES
from server.commands.parser import Command, Instructions
from server.commands.vocabulary import REPLY
from server.game.log import log
from server.inbound.reply import Reply
from server.outbound.letters.help import Hello, RefusalAccount
from server.outbound.letters.replies import Beside, Refusal
from server.store.inbox import QUESTION_STANDS
from server.store.letters.account import ChangeAsked
from server.store.letters.game import Invitation, Proposed, Watched
from server.store.letters.letter import Put, name_of, read
from server.store.models import Outbox
from server.store.outbox import ActionContext

_WORD = re.compile(r"[\w'’]+")
_AGREEING = frozenset(
    line
    for language in (
        "yes sure; yes of course; yes ok; yes okay; yes gladly; yes i agree; sure; of course; agreed",
        "i agree; certainly; gladly; absolutely; with pleasure; yeah; yep; fine with me",
        "ja klar; klar; na klar; ja gerne; gerne; ja natürlich; natürlich; ja sicher; ja ok; einverstanden",
        "yes i accept; ja ich nehme gerne an; ja ich nehme es an; ja ich nehme es gerne an",
        "sí acepto; sì accetto",
        "oui bien sûr; bien sûr; d'accord; oui d'accord; volontiers; sí claro; claro; de acuerdo",
        "sì certo; certo; d'accordo; claro que sim; конечно; да конечно; tabii; evet tabii; ja graag; graag",
    )
    for line in language.split("; ")
)
"""Lines that agree to an offer. A simple “ok” may only mean that someone has read it."""


def agreed_in_game(reply: Reply, instructions: Instructions) -> Instructions:
    """Return the commands of a reply, in which “yes” is replaced by the commands that Nabu has asked about.

    They stay as they are if there is no open question. To an offer, “Sure!” means the same as “yes”.
    """
    says_yes = _says_yes(instructions)
    if not says_yes and (instructions.commands or not _is_agreement(reply)):
        return instructions
    row = mail_answered(reply.action, reply.reading)
    asked = (reply.player.email, reply.reading.sender)
    if row is None or row.game_id != reply.game.id or row.recipient not in asked:
        return instructions
    put = _put(reply.action, row)
    is_clear = says_yes or isinstance(put.letter, (Proposed, Invitation))
    commands = _commands(reply, put) if is_clear else ()
    return replace(instructions, commands=commands) if commands else instructions


def has_agreement(text: str) -> bool:
    """Return True if a line of a text agrees to an offer, such as “Sure!”."""
    return any(_words(line) in _AGREEING for line in text.splitlines())


def _words(line: str) -> str:
    return " ".join(_WORD.findall(line.lower().replace("’", "'")))


def _is_agreement(reply: Reply) -> bool:
    """Return True if a reply consists of one line that agrees, and courtesies."""
    courtesy, text = reply.doubts.courtesy, reply.reading.text
    lines = [line for line in text.splitlines() if line.strip()]
    said = [line for line in lines if has_agreement(line) or not courtesy.is_polite(line)]
    return len(said) == 1 and has_agreement(said[0]) and "?" not in said[0]


def agreed_in_account(
    action: ActionContext, reading: Reading, given: Instructions
) -> tuple[str | None, Outbox | None]:
    """Return the command that “yes” stands for in an email to the plain address; None if there was no question.

    The second value is the letter with the question if it may be answered only once, else None.
    """
    if not _says_yes(given):
        return None, None
    row = mail_answered(action, reading) or _quoted(action, reading)
    if row is None or row.recipient != reading.sender:
        return None, None
    match _put(action, row).letter:
        case RefusalAccount(choices=[choice]):
            return choice, row
        case Hello(name=name, asks=True):
            return f"{REGISTER} {name}", None
        case ChangeAsked(change=number):
            return f"{CONFIRM} {number}", None
    return None, None


def mark_answered(action: ActionContext, row: Outbox) -> None:
    """Mark the question in a letter as answered, so that another “yes” to it has no effect."""
    row.sealed = action.sealer.seal_json({**action.sealer.open_json(row.sealed), "choices": []})


def shown_words(reply: Reply) -> str:
    """Return the extra text of the player that the answered email has shown to them; "" for none."""
    row = mail_answered(reply.action, reply.reading)
    return "" if row is None or row.game_id != reply.game.id else _put(reply.action, row).quoted


def _says_yes(instructions: Instructions) -> bool:
    return [str(command) for command in instructions.commands] == [YES.word]


def _quoted(action: ActionContext, reading: Reading) -> Outbox | None:
    """Return the latest refusal if an email quotes its only suggestion.

    Some gateways drop the fields that name the answered email.
    """
    if reading.answers:
        return None
    to_sender = col(Outbox.recipient) == reading.sender, col(Outbox.letter) == name_of(RefusalAccount)
    recent = col(Outbox.created_at) > action.now - QUESTION_STANDS
    query = select(Outbox).where(*to_sender, recent).order_by(col(Outbox.id).desc())
    row = action.session.exec(query.limit(1)).first()
    letter = None if row is None else _put(action, row).letter
    if not isinstance(letter, RefusalAccount) or len(letter.choices) != 1:
        return None
    quoted = {bare(line) for line in reading.written.rest.split("\n")}
    return row if quoted.issuperset(map(bare, letter.choices[0].split("\n"))) else None


def mail_answered(action: ActionContext, reading: Reading) -> Outbox | None:
    """Return the email from Nabu that this email replies to; None if it is unknown."""
    if not reading.answers:
        return None
    key = reading.answers[0].partition("@")[0].partition(".")[0]
    return action.session.exec(select(Outbox).where(Outbox.key == key)).first()


def watched_game(action: ActionContext, reading: Reading) -> int | None:
    """Return the number of the game whose report to spectators this email replies to; None for other emails."""
    row = mail_answered(action, reading)
    return row.game_id if row is not None and row.letter == name_of(Watched) else None


def _put(action: ActionContext, row: Outbox) -> Put:
    return read(row.letter, row.game_id, action.sealer.open_json(row.sealed))


def _commands(reply: Reply, put: Put) -> tuple[Command, ...]:
    """Return the commands that a letter about a game asks about, if the question is still open."""
    seats = [seat for seat, _ in log.seats(reply.action.session, reply.game)]
    match put.letter:
        case Refusal(choices=[choice]):
            return reply.read_all(choice).commands
        case Proposed(by=by, proposal=name) if name in seats[by].proposals:
            return (Command(REPLY.spelled[name]),)
        case Invitation():
            return (Command(ACCEPT),)
        case Beside():
            return (Command(SEND),)
    return ()
