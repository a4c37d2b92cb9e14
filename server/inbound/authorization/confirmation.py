"""Confirmations: if the sender of an email is not certain, Nabu asks them before it carries out the email."""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from mail.reading.message import Reading
from mail.reading.stationery import part
from server.accounts import newcomers, players
from server.commands.arguments import WORD
from server.commands.game_words import YES
from server.commands.parser import read_commands
from server.commands.word import Vocabulary, Word
from server.game.log import log
from server.game.log.display_names import is_nameless
from server.game.play.target import letter_about, target_of
from server.inbound.authorization import quotas
from server.inbound.authorization.senders import SenderTrust
from server.inbound.reply import Reply
from server.inbound.request import AccountMail, Ending, Request, quarantined
from server.interpretation.reply_checks import top
from server.outbound.letters.account import Asked
from server.store.letters.letter import About, name_of, read
from server.store.models import Game, Outbox, Player, Seat
from server.store.tokens import ReplyToken

NOTHING_ASKED = (
    "No question is waiting for your “yes”: the email that you answered has no question, or its question was "
    "answered before or is too old. Send your move or command again."
)
_CONFIRM = Word("confirm", "a word that other services ask for, so people write it here, too", WORD)
_ANSWER = Vocabulary((YES, _CONFIRM))


@dataclass(frozen=True)
class Question:
    """An email that waits for the confirmation of its sender; `game` is None if it is about no game."""

    request: Request
    about: ReplyToken | None


def ask_player(reply: Reply, *, proved: bool) -> Ending:
    """Ask the player of a seat whether they have written a reply, instead of carrying it out.

    `proved` is true if the reply is certainly from the address in From, which is not the player's.
    """
    player, sender = reply.player, reply.reading.sender
    denied = reply.trust is SenderTrust.DENIED
    if denied and (player.mail_stopped or player.suspended_at is not None):
        return quarantined("the sender is not certain, and the player gets no emails")
    others = _whose(reply.action.session, reply.game, sender) if denied and proved else None
    read, addable = top(reply.action.sealer, reply.reading.text), denied and proved and others is None
    question = Asked(sender, reply.row.id or 0, read, known=not denied, others=others, addable=addable)
    return _ask(reply, player, player.email, question, letter_about(reply.game, reply.target.seat))


def _whose(session: Session, game: Game, address: str) -> str | None:
    """Return the name of the player with an address; "" if they do not play in this game, None without any.

    Call it only if the email is certainly from there; otherwise people could find out the owner of any address.
    """
    owner = players.by_email(session, address)
    if owner is None:
        return None
    sits = any(player.id == owner.id for _, player in log.seats(session, game))
    return owner.name if sits and not is_nameless(game) else ""


def ask_sender(mail: AccountMail) -> Ending:
    """Ask at the address in From whether an email to the plain address is from there, without carrying it out.

    For a stranger, the question quotes only command words; otherwise others could send them any text through
    Nabu.
    """
    player = players.by_email(mail.action.session, mail.reading.sender)
    if newcomers.is_known(player):
        read = top(mail.action.sealer, mail.text)
    else:
        mail.action = newcomers.by_stranger(mail.action, mail.peer)
        read = list(dict.fromkeys(str(command.word) for command in mail.instructions.commands))
    question = Asked(mail.reading.sender, mail.row.id or 0, read, known=True)
    return _ask(mail, player, mail.reading.sender, question)


def said_yes(answer: Reading) -> str | None:
    """Return "yes" or "always" if the answer to a question says so; None if not.

    Labels and signatures in the answer are ignored.
    """
    text = part(answer.text, [answer.author.name]).text
    commands = read_commands(text, lambda line: False, _ANSWER).commands
    return (commands[0].argument or "yes") if commands else None


def letter_of(question: Question) -> Asked | None:
    """Return the letter in which a player was asked; None if it was deleted, or another person was asked."""
    action, asked = question.request.action, question.request.row
    player = None if asked.asked_id is None else action.session.get(Player, asked.asked_id)
    addresses = [question.request.reading.sender]
    addresses += [] if player is None else players.addresses_of(action.session, player)
    query = select(Outbox).where(
        Outbox.letter == name_of(Asked),
        Outbox.player_id == asked.asked_id,
        col(Outbox.recipient).in_(addresses),
    )
    put = (
        read(row.letter, row.game_id, action.sealer.open_json(row.sealed)) for row in action.session.exec(query)
    )
    letters = (each.letter for each in put if isinstance(each.letter, Asked))
    return next((letter for letter in letters if letter.mail == asked.id), None)


def may_answer(question: Question, sender: str) -> bool:
    """Return whether an address may confirm an email: the player who was asked can log in from it."""
    session, asked = question.request.action.session, question.request.reading.sender
    if question.about is None:
        return sender == asked or _logs_in_from(session, players.by_email(session, asked), sender)
    game = session.get_one(Game, question.about.game)
    seat = session.get_one(Seat, (question.about.game, target_of(session, game, question.about).seat))
    return _logs_in_from(session, session.get_one(Player, seat.player_id), sender)


def _logs_in_from(session: Session, player: Player | None, address: str) -> bool:
    return player is not None and players.logs_in_from(session, player, address)


def _ask(
    request: Request, player: Player | None, address: str, question: Asked, about: About | None = None
) -> Ending:
    if not address or quotas.had_enough_questions(request.action, address, player):
        return quarantined("daily limit of questions whether an email is theirs", needs_text=False)
    request.row.asked_id = None if player is None else players.identity(player)
    request.action.put(address, question, about, player_id=request.row.asked_id)
    return Ending("asked", "waits for its sender's confirmation", needs_text=True)
