"""Replies with “yes”: they answer the question in the email that they reply to, and no other."""

from collections.abc import Sequence
from dataclasses import replace

from sqlmodel import col, select

from mail.reading.comparing import bare
from mail.reading.message import Reading
from server.commands.account_words import CONFIRM, REGISTER
from server.commands.game_words import ACCEPT, SEND, YES
from server.commands.parser import Instructions
from server.errors import BadRequest, Unclear
from server.game.log import log
from server.inbound.reply import Reply
from server.interpretation.agreement import Stance, stance
from server.outbound.letters.help import Hello, RefusalAccount
from server.outbound.letters.replies import Beside, Refusal
from server.store.inbox import QUESTION_STANDS
from server.store.letters.account import ChangeAsked
from server.store.letters.game import Digest, Invitation, Proposed, Report, Watched
from server.store.letters.letter import AddressedLetter, Answers, Letter, name_of, read
from server.store.models import Game, Outbox
from server.store.outbox import ActionContext

NOTHING_ASKED = (
    "No question is waiting for your “yes”: the email that you answered has no question, or its question was "
    "answered before or is too old. Send your move or command again."
)


def agreed_in_game(reply: Reply, instructions: Instructions) -> Instructions:
    """Return the commands of a reply, in which “yes” is replaced by the command that Nabu has asked about.

    They stay as they are if there is no open question, or several. To an offer, “Sure!” means the same as
    “yes”, and so does `accept` in a game that has started.
    """
    if _says_yes(instructions):
        asked = asked_about(reply)
    elif _accepts_offer(reply, instructions):
        asked = _asked_about(reply, is_offer=True)
    else:
        return instructions
    return (
        replace(instructions, commands=reply.read_all(asked[0]).commands) if len(asked) == 1 else instructions
    )


def _accepts_offer(reply: Reply, instructions: Instructions) -> bool:
    """Return True if a reply says nothing but that it accepts an offer."""
    if instructions.commands:
        is_accepted = [str(command) for command in instructions.commands] == [ACCEPT.word]
        return is_accepted and reply.game.state == "running"
    invited = reply.game.state == "invited"
    return stance(reply.reading.text, reply.doubts.courtesy, invited=invited) is Stance.AGREES


def asked_about(reply: Reply) -> list[str]:
    """Return the commands that the answered email suggests or asks about, if the question is still open."""
    return _asked_about(reply, is_offer=False)


def _asked_about(reply: Reply, *, is_offer: bool) -> list[str]:
    """Return the commands that the answered email asks about; with `is_offer`, only to accept an offer."""
    row = mail_answered(reply.action, reply.reading)
    addresses = (reply.player.email, reply.reading.sender)
    if row is None or row.game_id not in (None, reply.game.id) or row.recipient not in addresses:
        return []
    addressed = _addressed(reply.action, row)
    offers = [offer for each in _parts(addressed, reply.game) for offer in _offers(reply, each.letter)]
    if offers or is_offer:
        return list(dict.fromkeys(offers))
    match addressed.letter:
        case Refusal(choices=choices) if row.game_id is not None:
            return choices
        case Beside():
            return [SEND.word]
    return []


def open_offers(reply: Reply) -> list[str]:
    """Return the commands that accept the offers that are open to the player of a reply, shown there or not."""
    return [name for _, name in _open(reply)]


def unanswerable(choices: Sequence[str]) -> BadRequest:
    """Return the refusal of a “yes” to an email with these suggestions, of which there is not exactly one."""
    if len(choices) < 2:
        return BadRequest(NOTHING_ASKED)
    count = {2: "two", 3: "three"}.get(len(choices), str(len(choices)))
    return Unclear(
        f"There were {count} suggestions, so “yes” can mean any of them. Write one of them.", choices
    )


def suggested_in_account(action: ActionContext, reading: Reading) -> list[str]:
    """Return the commands that the answered email to the plain address suggests."""
    row = mail_answered(action, reading)
    letter = None if row is None or row.recipient != reading.sender else _addressed(action, row).letter
    return letter.choices if isinstance(letter, RefusalAccount) else []


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
    match _addressed(action, row).letter:
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
    return "" if row is None or row.game_id != reply.game.id else _addressed(reply.action, row).quoted


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
    letter = None if row is None else _addressed(action, row).letter
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


def _addressed(action: ActionContext, row: Outbox) -> AddressedLetter:
    return read(row.letter, row.game_id, action.sealer.open_json(row.sealed))


def _parts(addressed: AddressedLetter, game: Game) -> list[AddressedLetter]:
    """Return the letters about a game of which an email consists."""
    match addressed.letter:
        case Answers(parts=parts) | Digest(games=parts):
            return [part for part in parts if part.about is not None and part.about.game == game.id]
    return [addressed]


def _offers(reply: Reply, letter: Letter) -> list[str]:
    """Return the commands that accept the offers that a letter shows, if they are still open."""
    match letter:
        case Proposed(by=by, proposal=name):
            shown = [(by, name)]
        case Report(proposals=shown) if letter.asks or letter.messages is not None:
            pass
        case Invitation():
            return [ACCEPT.word]
        case _:
            return []
    still_open = _open(reply)
    return [name for by, name in shown if (by, name) in still_open and _is_of_turn(reply, by, name)]


def _open(reply: Reply) -> list[tuple[int, str]]:
    """Return the seats with an open offer that the player of a reply can accept, and its name."""
    seats = [seat for seat, _ in log.seats(reply.action.session, reply.game)]
    own = next((seat for seat in seats if seat.number == reply.target.seat), None)
    if own is None or reply.game.state != "running" or own.left:
        return []
    return [(seat.number, name) for seat in seats for name in seat.proposals if name not in own.proposals]


def _is_of_turn(reply: Reply, by: int, name: str) -> bool:
    """Return True if an open offer existed in the turn of the answered email, and is not a later one.

    One that is valid until the end of the current turn was made in the turn before.
    """
    seats = [seat for seat, _ in log.seats(reply.action.session, reply.game)]
    valid = next(seat.proposals[name] for seat in seats if seat.number == by)
    now = reply.game.turn
    return reply.target.turn in ((now - 1, now) if valid == now else (now,))
