"""Confirmations: if the sender of an email is not certain, Nabu asks them before it carries out the email."""

from dataclasses import dataclass, replace
from typing import Literal

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
from server.interpretation.agreement import Stance, stance
from server.interpretation.reply_checks import courtesy_among, top
from server.outbound.letters.account import Asked, Confirmation
from server.store.letters.letter import About, name_of, read
from server.store.models import Game, Outbox, Player, Seat
from server.store.tokens import ReplyToken

_CONFIRM = Word("confirm", "a word that other services ask for, so people write it here, too", WORD)
_ANSWER = Vocabulary((YES, _CONFIRM))
_ENOUGH = quarantined("daily limit of questions whether an email is theirs", needs_text=False)
_NOT_THEIRS = "Nabu will not carry out the email that is not yours. It has changed nothing."
_NOT_CLEAR = "Your answer does not say clearly whether you wrote this email. Please answer “yes” or “no”."


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

    For a stranger, the question explains the commands but quotes nothing: otherwise others could send them any
    text through Nabu.
    """
    player = players.by_email(mail.action.session, mail.reading.sender)
    stranger = not newcomers.is_known(player)
    if not stranger:
        read = top(mail.action.sealer, mail.text)
    else:
        mail.action = newcomers.by_stranger(mail.action, mail.peer)
        words = dict.fromkeys(command.word for command in mail.instructions.commands)
        read = [f"{word.usage}: {word.help}" if isinstance(word, Word) else str(word) for word in words]
    question = Asked(mail.reading.sender, mail.row.id or 0, read, known=True, stranger=stranger)
    return _ask(mail, player, mail.reading.sender, question)


def answer_in(answer: Reading) -> Literal["yes", "always", "no"] | None:
    """Return the answer to the question whether an email is one's own; None if it is not clear.

    Labels and signatures in the answer are ignored.
    """
    text = part(answer.text, [answer.author.name]).text
    commands = read_commands(text, lambda line: False, _ANSWER).commands
    if commands:
        return "always" if commands[0].argument == "always" else "yes"
    found = stance(text, courtesy_among([answer.author.name]), wrote_it=True)
    answers: dict[Stance | None, Literal["yes", "no"]] = {Stance.AGREES: "yes", Stance.REFUSES: "no"}
    return answers.get(found)


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


def ask_again(answer: Request, question: Question) -> Ending:
    """Ask the question again, as the answer to it is not clear; it stays open."""
    action, sender = answer.action, answer.reading.sender
    asking, player = letter_of(question), players.by_email(action.session, sender)
    if asking is None or quotas.had_enough_questions(action, sender, player):
        return _ENOUGH
    about = None
    if question.about is not None:
        game = action.session.get_one(Game, question.about.game)
        about = letter_about(game, target_of(action.session, game, question.about).seat)
    action = replace(action, notice_lines={sender: _NOT_CLEAR})
    action.put(
        sender, asking, about, player_id=question.request.row.asked_id, answers=answer.reading.message_id
    )
    return Ending("done", "asked again, as the answer is not clear")


def leave(answer: Request, question: Question) -> Ending:
    """Close a question to which the answer is no: the email is not carried out."""
    row, now = question.request.row, answer.action.now
    row.state, row.why, row.handled_at = "refused", "its sender says that it is not theirs", now
    answer.answer(Confirmation(_NOT_THEIRS, page="/", headline="Not carried out"))
    return Ending("done", "the email is not theirs")


def _logs_in_from(session: Session, player: Player | None, address: str) -> bool:
    return player is not None and players.logs_in_from(session, player, address)


def _ask(
    request: Request, player: Player | None, address: str, question: Asked, about: About | None = None
) -> Ending:
    if not address or quotas.had_enough_questions(request.action, address, player):
        return _ENOUGH
    request.row.asked_id = None if player is None else players.identity(player)
    request.action.put(address, question, about, player_id=request.row.asked_id)
    return Ending("asked", "waits for its sender's confirmation", needs_text=True)
