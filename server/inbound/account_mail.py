"""Mails to the plain address: becoming a player, challenges, and everything that belongs to no game."""

from collections.abc import Sequence
from dataclasses import replace

from mail.reading.message import Reading
from server.accounts import bounces, newcomers, players
from server.commands.arguments import NUMBER, OPTIONS
from server.commands.courtesy import Courtesy
from server.commands.parser import Command, Instructions, read_commands, words_beside
from server.commands.vocabulary import (
    CANCEL,
    CONFIRM,
    HELLO,
    LOGIN,
    LUCK_WITH_A_CHALLENGE,
    PLAIN,
    REPLY,
    STOP_ALL,
)
from server.commands.word import Effect
from server.errors import BadRequest, NotUnderstood
from server.inbound import coaching_commands
from server.inbound.authorization.confirmation import ask_sender
from server.inbound.authorization.quotas import check_amount, had_enough_refusals
from server.inbound.authorization.senders import SenderTrust, is_enough
from server.inbound.authorization.yes_replies import agreed_in_account, mark_answered
from server.inbound.handlers import account, lobby, player, tournaments, watching
from server.inbound.handlers.account import greeting
from server.inbound.request import COPY, PROBLEMS, TOLD_OFTEN, AccountMail, Ending, Request, refused
from server.interpretation.clearness import (
    brief_quote,
    check_unread,
    nothing_written,
    stop_in_subject,
    without_prefix,
)
from server.interpretation.suggestions import meant_by
from server.outbound.letters.account import Games
from server.outbound.letters.help import Hello, RefusalAccount
from server.store.models import Player

HANDLERS = (
    account.HANDLERS
    | player.HANDLERS
    | lobby.HANDLERS
    | tournaments.HANDLERS
    | watching.HANDLERS
    | coaching_commands.HANDLERS
)
HANDLERS.check(PLAIN)

_COURTESY = Courtesy(meant=PLAIN.spelled.keys())
_FROM_ANYWHERE = (CONFIRM, CANCEL, STOP_ALL)
"""Commands that check by themselves which address may send them."""
_MOST_QUOTED = 15  # lines that were no commands
_MOST_TRIED = 5  # commands of a mail for which better ones are looked for
_MOST_BELOW = 3  # commands below other words that are offered
_MOST_LINES = 30  # in which they are looked for


def act_on_account(request: Request) -> Ending:
    """Do what a mail to the plain address asks for, and make sure that it is answered.

    If its sender is not certain enough for that, the address in From is asked whether it is from there.
    """
    action, reading = replace(request.action, doubtful=request.trust.doubtful), request.reading
    instructions, asked = agreed_in_account(action, reading, _read(reading))
    known = vars(request) | {"action": action, "instructions": instructions}
    mail = AccountMail(**known, text=_written(reading), asked=asked)
    marks = mail.marks_of_copies()
    if mail.is_copy(marks):
        return COPY
    ending = _carry_out(mail) if is_enough(mail.trust, instructions.commands) else ask_sender(mail)
    if ending.is_final:
        request.row.mark = next(iter(marks), None)
    return ending


def is_for_account(reading: Reading) -> bool:
    """Whether a mail begins with a command that only the plain address knows, whatever it answers."""
    commands = [command for command in _read(reading).commands if command.word is not HELLO]
    return bool(commands) and (commands[0].word.word not in REPLY or _names_a_game(commands[0]))


def _names_a_game(command: Command) -> bool:
    """Whether it says by a number, as in `accept 12`, which game it is about."""
    first = command.argument.lstrip("#").partition(" ")[0]
    return command.word.takes in (NUMBER, OPTIONS) and first.isdecimal()


def _written(reading: Reading) -> str:
    """The text, or the subject of an empty mail, or one that asks for no more email above a text in prose."""
    if (stop := stop_in_subject(reading)) and not _telling_commands(reading.text):
        return stop
    return reading.text if reading.text.strip() or reading.unread else without_prefix(reading.subject)


def _read(reading: Reading) -> Instructions:
    return read_commands(_written(reading), lambda line: False, PLAIN, _COURTESY)


def _commands(text: str) -> Sequence[Command]:
    return read_commands(text, lambda line: False, PLAIN, _COURTESY).commands


def _telling_commands(text: str) -> Sequence[Command]:
    """The commands in a text that are no mere greeting."""
    return [command for command in _commands(text) if command.word is not HELLO]


def _carry_out(mail: AccountMail) -> Ending:
    """Do what a mail asks for, all or nothing, and answer it."""
    player = players.by_email(mail.action.session, mail.reading.sender)
    if not newcomers.is_known(player):
        mail.action = newcomers.by_stranger(mail.action, mail.peer)
    if player is not None:
        mail.action = replace(mail.action, writer=player.id)
    if player is not None and mail.trust is SenderTrust.VOUCHED:
        bounces.heard_from(mail.action, player, Games(players.identity(player)))
    try:
        with mail.attempt(player):
            _do_all(mail)
    except PROBLEMS as problem:
        return _refuse(mail, problem)
    return mail.put_answers(player)


def _do_all(mail: AccountMail) -> None:
    """Do everything that a mail asks for, in order; raises at the first thing that cannot be done."""
    if not mail.text.strip():
        raise nothing_written(mail.reading, _commands, "To move in a game, reply to an email about it.")
    check_amount(mail.instructions.commands)
    commands = mail.instructions.commands
    if not commands:
        first = mail.text.strip().split("\n")[0]
        where = "" if mail.reading.text.strip() else "There is no text of yours in your email, and its subject "
        raise NotUnderstood(f"{where}“{first:.60}” {_not_here(first)}", first)
    check_unread(mail.reading, commands, _telling_commands)
    _check_rights(mail)
    _tell_unread(mail)
    # A seed is for what the other commands begin.
    for command in sorted(commands, key=lambda command: command.word is not LUCK_WITH_A_CHALLENGE):
        HANDLERS.carry_out(mail, command)
    if mail.asked is not None:
        mark_answered(mail.action, mail.asked)


def _check_rights(mail: AccountMail) -> None:
    """Raise BadRequest for a command that may not come from an address that only sends moves."""
    session, sender = mail.action.session, mail.reading.sender
    player = players.by_email(session, sender)
    if player is None or players.logs_in_from(session, player, sender):
        return
    for command in mail.instructions.commands:
        changes = command.word.effect is Effect.CHANGES and command.word not in _FROM_ANYWHERE
        if changes or command.word is LOGIN:
            raise BadRequest(
                f"From {sender} you can only send moves. Write “{command.word}” from your main address. To log "
                f"in from {sender}, too, write from your main address: address add {sender}"
            )


def _refuse(mail: AccountMail, problem: Exception) -> Ending:
    """Answer with the problem, up to the daily limit of such answers."""
    player = players.by_email(mail.action.session, mail.reading.sender)
    lost = _seems_lost(mail, player)
    if had_enough_refusals(mail.action, mail.reading.sender, Hello if lost else RefusalAccount, player):
        return TOLD_OFTEN
    if lost:
        mail.answer(greeting(mail))
    else:
        read, choices = brief_quote(mail.action.sealer, mail.text), _suggestions(mail, problem, player)
        mail.answer(RefusalAccount(str(problem), read, choices))
    return refused(type(problem).__name__)


def _seems_lost(mail: AccountMail, player: Player | None) -> bool:
    """Whether somebody does not know what to write: a stranger without a command, or who only greets.

    This is counted apart from other refusals, so that a stranger hears of their first real command. Strangers
    who may have written nothing at all are told no more either: not a word of what others write.
    """
    if not newcomers.is_known(player):
        return mail.action.doubtful or not (mail.instructions.commands or _below(mail))
    lines = [line for line in mail.text.splitlines() if line.strip()]
    return bool(lines) and all(map(_COURTESY.is_greeting, lines)) and not mail.instructions.commands


def _tell_unread(mail: AccountMail) -> None:
    """Have the answer to a player say which words of theirs are no commands; strangers are not quoted."""
    beside = words_beside(mail.instructions, _COURTESY)
    player = players.by_email(mail.action.session, mail.reading.sender)
    if not beside or player is None or not newcomers.is_known(player):
        return
    addresses = (mail.reading.sender, player.email)
    mail.action = replace(
        mail.action,
        notice_lines=dict.fromkeys(
            addresses, "The words below are no commands, so nothing was done about them."
        ),
        quoted=dict.fromkeys(addresses, "\n".join(beside.splitlines()[:_MOST_QUOTED])),
    )


def _suggestions(mail: AccountMail, problem: Exception, player: Player | None) -> list[str]:
    """What may have been meant by what could not be read or carried out; strangers are told no names."""
    if isinstance(problem, NotUnderstood):
        if below := _below(mail):
            return below
        lines = [problem.line]
    else:
        lines = [str(command) for command in mail.instructions.commands]
    found = (meant_by(mail.action.session, line) for line in lines[:_MOST_TRIED])
    return next(filter(None, found), []) if newcomers.is_known(player) else []


def _below(mail: AccountMail) -> list[str]:
    """The lines that would be commands to change something if there were no other words above them."""
    lines = mail.text.strip().splitlines()[:_MOST_LINES]
    read = [command for line in lines for command in _commands(line)]
    wanted = [str(command) for command in read if command.word.effect is not Effect.READS]
    return list(dict.fromkeys(wanted))[:_MOST_BELOW]


def _not_here(line: str) -> str:
    """Why a line cannot be written to the plain address."""
    if line.split()[0].lower() in REPLY:
        return (
            "is for one particular game. Write it in a reply to an email about that game, or, if the email is "
            "about several games, to the game's own address given there."
        )
    return (
        "is not a command. To move in a game, reply to an email about it; if the email is about several games, "
        "write to the game's own address given there."
    )
