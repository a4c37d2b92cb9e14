"""If it is not certain who wrote a mail, whoever should have is asked; at their yes it is carried out."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, select

from mail.reading.message import Reading
from server.accounts import newcomers, players
from server.commands.arguments import WORD
from server.commands.parser import read_commands
from server.commands.vocabulary import YES
from server.commands.word import Vocabulary, Word
from server.game.log import log
from server.game.log.names import is_nameless
from server.inbound.authorization import quotas
from server.inbound.authorization.endings import Ending, asked, held
from server.inbound.authorization.targets import target_of, told_of
from server.interpretation.clearness import top
from server.outbound.letters.account import Asked
from server.store.inbox import QUESTION_STANDS
from server.store.letters.letter import About, name_of, read
from server.store.models import Game, Inbox, Outbox, Player, Seat
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken

NOTHING_ASKED = (
    "Nothing is waiting for your “yes”. It answers an email that asks you something: in a reply to it, once, "
    f"and, if it asks whether another email is yours, within {QUESTION_STANDS.days} days. Please write again "
    "what you want."
)
_CONFIRM = Word("confirm", "what other services ask for, so people write it here, too", WORD)
_ANSWER = Vocabulary((YES, _CONFIRM))


@dataclass(frozen=True)
class Question:
    """A mail about which someone was asked, and the game that it is about, if any."""

    row: Inbox
    reading: Reading
    about: ReplyToken | None


def ask_player(
    action: ActionContext,
    row: Inbox,
    reading: Reading,
    game: Game,
    seat: Seat,
    player: Player,
    *,
    denied: bool,
    proved: bool,
) -> Ending:
    """Do nothing that a reply says, and ask the player whose game it is about whether it is theirs.

    `denied` says that it is not from an address of theirs, or only pretends to be; `proved` that it certainly
    is from the address in From.
    """
    if denied and (player.mail_stopped or player.suspended_at is not None):
        return held("the sender is not certainly the player, who gets no mail")
    others = _whose(action.session, game, reading.sender) if denied and proved else None
    known, read = not denied, top(action.sealer, reading.text)
    addable = denied and proved and others is None
    question = Asked(reading.sender, row.id or 0, read, known=known, others=others, addable=addable)
    return _ask(action, row, player, player.email, question, told_of(game, seat.number))


def _whose(session: Session, game: Game, address: str) -> str | None:
    """The name of the player who has an address, "" if they do not sit at this table, as far as may be known;
    None if nobody has it.

    Only for what is certainly from there: otherwise anybody could find out whose address some address is.
    """
    owner = players.by_email(session, address)
    if owner is None:
        return None
    sits = any(player.id == owner.id for _, player in log.seats(session, game))
    return owner.name if sits and not is_nameless(game) else ""


def ask_sender(action: ActionContext, row: Inbox, reading: Reading, text: str, words: Sequence[str]) -> Ending:
    """Do nothing that a mail to the plain address says, and ask at the address in From whether it is theirs.

    A stranger is told only the `words` of its commands: otherwise others could have us mail them anything.
    """
    player = players.by_email(action.session, reading.sender)
    if not newcomers.is_known(player):
        action = newcomers.by_stranger(action, row.peer if row.source == "smtp" else "")
        read = list(dict.fromkeys(words))
    else:
        read = top(action.sealer, text)
    question = Asked(reading.sender, row.id or 0, read, known=True)
    return _ask(action, row, player, reading.sender, question)


def said_yes(answer: Reading) -> str | None:
    """`yes`, or `always`, when an answer says so; None when it says anything else."""
    commands = read_commands(answer.text, lambda line: False, _ANSWER).commands
    return (commands[0].argument or "yes") if commands else None


def letter_of(action: ActionContext, question: Question) -> Asked | None:
    """The letter that asks a player about a mail; None if it is gone, or somebody else is asked."""
    query = select(Outbox).where(Outbox.letter == name_of(Asked), Outbox.player_id == question.row.asked_id)
    put = (
        read(row.letter, row.game_id, action.sealer.open_json(row.sealed)) for row in action.session.exec(query)
    )
    letters = (each.letter for each in put if isinstance(each.letter, Asked))
    return next((letter for letter in letters if letter.mail == question.row.id), None)


def may_answer(session: Session, question: Question, sender: str) -> bool:
    """Return whether an address may answer a question: the player who was asked can log in from there."""
    if question.about is None:
        player = players.by_email(session, question.reading.sender)
        return sender == question.reading.sender or _logs_in_from(session, player, sender)
    game = session.get_one(Game, question.about.game)
    seat = session.get_one(Seat, (question.about.game, target_of(session, game, question.about).seat))
    return _logs_in_from(session, session.get_one(Player, seat.player_id), sender)


def _logs_in_from(session: Session, player: Player | None, address: str) -> bool:
    return player is not None and players.logs_in_from(session, player, address)


def _ask(
    action: ActionContext,
    row: Inbox,
    player: Player | None,
    address: str,
    question: Asked,
    about: About | None = None,
) -> Ending:
    if not address or quotas.had_enough_questions(action, address, player):
        return held("asked often enough today whether a mail is theirs", needs_text=False)
    row.asked_id = None if player is None else players.identity(player)
    action.put(address, question, about, player_id=row.asked_id)
    return asked("whether it is from its sender")
