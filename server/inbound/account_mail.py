"""Emails to the server's plain address: signing up, challenges, and other commands that belong to no game."""

from dataclasses import replace
from functools import partial

from rules.sentences import quoted
from server.accounts import bounces, newcomers, players
from server.commands.account_words import HELLO
from server.commands.game_numbers import split_number
from server.commands.vocabulary import ABOUT_A_GAME, PLAIN
from server.commands.word import MOVE
from server.errors import NotUnderstood, Unclear, may_be_retried
from server.inbound import suggesting
from server.inbound.account_reading import (
    COURTESY,
    commands_below,
    read_account,
    read_without_greetings,
    text_of,
)
from server.inbound.authorization.confirmation import ask_sender
from server.inbound.authorization.senders import SenderTrust, is_enough
from server.inbound.authorization.yes_replies import agreed_in_account, mail_answered, mark_answered
from server.inbound.execution import carry_out_parts
from server.inbound.handlers.account import greeting
from server.inbound.named_game import check_named_game
from server.inbound.own_games import OwnGames
from server.inbound.request import (
    AWAY,
    DUPLICATE,
    PROBLEMS,
    AccountMail,
    Ending,
    Request,
    is_duplicate,
    marks_of,
    refused,
)
from server.inbound.usual_lines import UsualLines
from server.interpretation.command_checks import check_amount
from server.interpretation.reply_checks import brief_quote, check_unread, mistake, nothing_written
from server.outbound.letters.account import Games
from server.outbound.letters.help import Hello, RefusalAccount

_FEW = 3  # words beside a number that may be about the game of that number


def act_on_account(request: Request) -> Ending:
    """Carry out an email to the plain address, and queue an answer; return the email's final state.

    If the sender is not certain enough, Nabu asks at the address in From whether the email is from there.
    """
    action, reading = replace(request.action, doubtful=request.trust.doubtful), request.reading
    games = OwnGames(action.session, players.by_email(action.session, reading.sender))
    usual = UsualLines(action.session, action.sealer, reading.sender)
    text = text_of(reading, usual, partial(read_account, games=games))
    instructions = read_account(text, games)
    agreed, asked = agreed_in_account(action, reading, instructions)
    if agreed is not None:
        instructions = read_account(agreed, games)
    if reading.seems_away and all(command.word is HELLO for command in instructions.commands):
        return AWAY
    known = request.request_fields | {"action": action, "instructions": instructions}
    mail = AccountMail(**known, text=text, asked=asked)
    marks = marks_of(mail)
    if is_duplicate(mail, marks):
        return DUPLICATE
    ending = _carry_out(mail, games) if is_enough(mail.trust, instructions.commands) else ask_sender(mail)
    if ending.is_final:
        request.row.mark = next(iter(marks), None)
    return ending


def has_commands(request: Request) -> bool:
    """Return True if an email contains a command other than a greeting, read as one to the plain address."""
    games = OwnGames(request.action.session, players.by_email(request.action.session, request.reading.sender))
    return bool(read_without_greetings(text_of(request.reading), games))


def _carry_out(mail: AccountMail, games: OwnGames) -> Ending:
    """Carry out an email, completely or not at all, and answer it."""
    player = games.player
    if not newcomers.is_known(player):
        mail.action = newcomers.by_stranger(mail.action, mail.peer)
    if player is not None:
        mail.action = replace(mail.action, writer=player.id)
    if player is not None and mail.trust is SenderTrust.VOUCHED:
        bounces.heard_from(mail.action, player, Games(players.identity(player)))
    try:
        with mail.attempt(player):
            _do_all(mail, games)
    except PROBLEMS as problem:
        return _refuse(mail, problem, games)
    return mail.put_answers(player)


def _do_all(mail: AccountMail, games: OwnGames) -> None:
    """Carry out all commands of an email in order; raises at the first one that fails."""
    telling = partial(read_without_greetings, games=games)
    if not mail.text.strip():
        raise nothing_written(mail.reading, telling, "To move in a game, reply to an email about it.")
    commands = mail.instructions.commands
    check_amount(commands)
    if not commands:
        lines = [line.strip() for line in mail.text.splitlines() if line.strip()]
        first = next((line for line in lines if not COURTESY.is_polite(line)), lines[0])
        where = "" if mail.reading.text.strip() else "Your email has no new text, and its subject "
        raise NotUnderstood(f"{where}{quoted(first)} {_not_here(first, games)}", first)
    check_unread(mail.reading, commands, telling)
    check_named_game(mail, games)
    _check_answered(mail)
    carry_out_parts(mail, games, COURTESY)
    if mail.asked is not None:
        mark_answered(mail.action, mail.asked)


def _check_answered(mail: AccountMail) -> None:
    """Raise Unclear for a move without a game number in a reply to an unknown email.

    That email may be about an earlier turn.
    """
    moves = [each for each in mail.instructions.commands if each.word is MOVE and each.game is None]
    answered = mail_answered(mail.action, mail.reading)
    is_known = answered is not None and answered.game_id is None
    if moves and mail.reading.answers and not is_known:
        raise Unclear(
            f"{quoted(moves[0].argument)} may be a move, but it is not known which email you "
            "answer. Reply to the latest email about the game, or write the number of the game before your "
            "move: 87 c4"
        )


def _refuse(mail: AccountMail, problem: Exception, games: OwnGames) -> Ending:
    """Answer with the problem, up to the daily limit of such answers."""
    player = games.player
    lost = _seems_lost(mail, games)
    if ending := mail.why_unanswered(Hello if lost else RefusalAccount, player):
        return ending
    why = type(problem).__name__
    if lost:
        mail.answer(greeting(mail))
        return refused(why)
    suggested = suggesting.in_account(mail, problem, games, partial(_do_all, games=games))
    quote = brief_quote(mail.action.sealer, mail.text)
    failed, can_retry = mail.what_failed(owes=False), may_be_retried(problem)
    letter = RefusalAccount(suggested.problem, quote, suggested.choices, failed, can_retry)
    return mail.refuse(letter, None, player, why)


def _seems_lost(mail: AccountMail, games: OwnGames) -> bool:
    """Return True if a sender seems not to know the commands: a stranger without one, or only a greeting.

    The answers to these are counted apart from refusals, so that a stranger's first real command still gets a
    refusal. Strangers whose address may be forged get only this answer, so that no text of others reaches them.
    """
    if not newcomers.is_known(games.player):
        return mail.action.doubtful or not (mail.instructions.commands or commands_below(mail.text, games))
    lines = [line for line in mail.text.splitlines() if line.strip()]
    return bool(lines) and all(map(COURTESY.is_greeting, lines)) and not mail.instructions.commands


def _not_here(line: str, games: OwnGames) -> str:
    """Return the reason why a line is not understood at the plain address."""
    named = split_number(line)
    is_long = named is not None and named.bare and len(named.text.split()) > _FEW
    if games.player is not None and named and named.text and not is_long:
        return f"{games.wrong_number(named.game, named.text)}."
    known = PLAIN | ABOUT_A_GAME
    if games.player is not None and known.split(line)[0] is not None:
        return f"{mistake(line, known)}."
    return (
        "is not a command. To move in a game, reply to an email about it, or write the number of the game "
        "before your move: 87 c4"
    )
