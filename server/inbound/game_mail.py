"""Replies to emails about a game: their commands are carried out in order, all or none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mail.reading.author import Author
from server.accounts import access, bounces, players
from server.accounts.newcomers import by_stranger, is_known
from server.commands.game_words import TRY
from server.commands.word import MOVE
from server.errors import StaleReply, may_be_retried
from server.game.log import envelopes, log
from server.game.log.log import Seated
from server.game.play.target import Target, after_own_move, letter_about, target_of
from server.inbound import suggesting
from server.inbound.authorization.confirmation import ask_player
from server.inbound.authorization.senders import SenderTrust, is_enough
from server.inbound.authorization.yes_replies import agreed_in_game
from server.inbound.execution import carry_out_parts, is_about
from server.inbound.reply import Reply
from server.inbound.request import AWAY, DUPLICATE, PROBLEMS, Ending, Request, is_duplicate, marks_of
from server.inbound.usual_lines import UsualLines, learn_from, read_without_stationery
from server.interpretation.command_checks import check_alone, check_amount
from server.interpretation.reply_checks import (
    brief_quote,
    check_clear,
    check_unread,
    doubts_in,
    nothing_written,
    stop_in_subject,
)
from server.outbound.letters.account import Games
from server.outbound.letters.help import RefusalAccount
from server.outbound.letters.replies import Refusal
from server.store.db import locked
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken

_NOT_ADDED = "Nabu will ask you about each email from {}, as nothing proves who sends them."
_LOST_GAME = "The game that this email is about was lost in a restore. For a list of your games, write: games"
_LOST_PLAYER = (
    "The game that this email is about was lost in a restore, and your account with it, if you had one. To "
    "sign up again, write with your name: register NAME"
)
_ON_TOP = "Write your move on the first line, above everything that is quoted, and send it again."


@dataclass(frozen=True)
class Consent:
    """A player's confirmation that a reply is theirs."""

    always: bool
    """True if they want to send moves from that address in future, too."""
    addable: bool
    """True if the domain proves that the reply came from that address; otherwise it is not added."""


def act_in_game(request: Request, token: ReplyToken, consent: Consent | None = None) -> Ending:
    """Carry out a reply to an email about a game, and queue an answer; return the reply's final state.

    If the sender is not certain enough, or the address is not the player's, the player is asked whether the
    reply is theirs. `consent` is their confirmation.
    """
    session = request.action.session
    game = locked(session, Game, token.game)
    seats = [] if game is None else log.seats(session, game, fresh=True)
    if game is None or token.seat >= len(seats):
        return _refuse_lost(request)
    target = target_of(session, game, token)
    player = seats[target.seat].player
    proved = request.trust is SenderTrust.VOUCHED
    is_theirs = players.writes_from(session, player, request.reading.sender)
    if consent is not None:
        _use_consent(request, consent, player, is_theirs=is_theirs)
    elif not is_theirs:
        request.trust = SenderTrust.DENIED
    request.action = replace(request.action, doubtful=request.trust.doubtful)
    usual = UsualLines(session, request.action.sealer, request.reading.sender)
    reply = _read_reply(request, game, target, player, seats, usual)
    if reply.reading.seems_away and not reply.instructions.commands:
        return AWAY
    marks = marks_of(reply)
    if is_duplicate(reply, marks):
        return DUPLICATE
    if consent is not None and not is_theirs:
        reply.reading = replace(reply.reading, author=Author(player.email))
    ending = _carry_out(reply) if _is_allowed(reply) else ask_player(reply, proved=proved)
    if ending.is_final:
        request.row.mark = next(iter(marks), None)
    if ending.is_final and is_theirs and reply.certain and consent is None:
        learn_from(reply, usual, is_done=ending.state == "done")
    return ending


def _refuse_lost(request: Request) -> Ending:
    """Answer a reply to an email about a game that was lost in a rollback of the database."""
    player = players.by_email(request.action.session, request.reading.sender)
    if request.reading.seems_away:
        return AWAY
    if not is_known(player):
        request.action = by_stranger(request.action, request.peer)
    if ending := request.why_unanswered(RefusalAccount, player):
        return ending
    problem = _LOST_GAME if is_known(player) else _LOST_PLAYER
    return request.refuse(RefusalAccount(problem, []), None, player, "the game was lost")


def _use_consent(request: Request, consent: Consent, player: Player, *, is_theirs: bool) -> None:
    """Treat a reply as the player's after their confirmation; the answer goes by email, even after a web page.

    If the address was not theirs before, the answer goes to their main one, as the sender may be an opponent.
    """
    sender, action = request.reading.sender, request.action
    request.action = replace(action, visitor=None, confirms=True)
    if not sender:
        request.reading = replace(request.reading, author=Author(player.email))
    elif consent.always and not is_theirs and consent.addable:
        access.report(action, player, access.SENDER, sender, "when you answered “yes always”")
        players.add_address(action.session, action.now, player, sender, logs_in=False)
    elif consent.always and not is_theirs:
        request.action = replace(request.action, notice_lines={player.email: _NOT_ADDED.format(sender)})


def _read_reply(
    request: Request, game: Game, target: Target, player: Player, seats: Sequence[Seated], usual: UsualLines
) -> Reply:
    """Return the reply with its commands. A move is always for the turn of the email that it answers."""
    action, reading = request.action, request.reading
    doubts = doubts_in(game, target.seat, seats, reading)
    reply = Reply(**request.request_fields, doubts=doubts, player=player, game=game, target=target)
    read = read_without_stationery(reply, usual)
    if not read.commands and (stop := stop_in_subject(reading)):
        read = reply.read_all(stop)
    reply.instructions = agreed_in_game(reply, read)
    if not any(command.word in (MOVE, TRY) for command in reply.instructions.commands):
        reply.target = after_own_move(action.session, game, target)
    return reply


def _is_allowed(reply: Reply) -> bool:
    """Return whether a reply may be carried out without asking the player whether it is theirs."""
    replaces = reply.trust is SenderTrust.ADDRESSED and envelopes.is_sealed(
        reply.action, reply.game, reply.target.seat, reply.target.turn
    )
    commands, number = reply.instructions.commands, reply.target.game
    here = [command for command in commands if is_about(command, number)]
    others = [command for command in commands if not is_about(command, number)]
    # The reply address was sent for this game only.
    elsewhere = SenderTrust.UNKNOWN if reply.trust is SenderTrust.ADDRESSED else reply.trust
    return is_enough(reply.trust, here, sealed=replaces) and is_enough(elsewhere, others)


def _carry_out(reply: Reply) -> Ending:
    """Carry out a reply, completely or not at all, and answer it."""
    reply.action = replace(_with_notice_lines(reply), writer=reply.player.id)
    if reply.certain:
        bounces.heard_from(reply.action, reply.player, Games(players.identity(reply.player)))
    try:
        with reply.attempt(reply.player):
            _do_all(reply)
    except PROBLEMS as problem:
        return _refuse(reply, problem)
    return reply.put_answers(reply.player)


def _do_all(reply: Reply) -> None:
    """Carry out all commands of a reply in order; raises at the first one that fails."""
    commands = reply.instructions.commands
    check_amount(commands)
    if not commands and not reply.instructions.stopped_at:
        raise nothing_written(reply.reading, reply.read, _ON_TOP)
    check_unread(reply.reading, commands, reply.read)
    check_clear(reply.instructions, reply.doubts)
    check_alone(reply.instructions)
    carry_out_parts(reply, reply.games, reply.doubts.courtesy, reply)


def _refuse(reply: Reply, problem: Exception) -> Ending:
    """Answer with the problem and similar moves or commands, up to the daily limit of such answers."""
    if ending := reply.why_unanswered(Refusal, reply.player):
        return ending
    suggested = suggesting.in_game(reply, problem, _do_all)
    written, stale = brief_quote(reply.action.sealer, reply.reading.text), isinstance(problem, StaleReply)
    owes = log.seats(reply.action.session, reply.game)[reply.target.seat].seat.owes
    failed, can_retry = reply.what_failed(owes=owes), may_be_retried(problem)
    letter = Refusal(suggested.problem, written, suggested.choices, stale, failed, can_retry)
    about = letter_about(reply.game, reply.target.seat)
    return reply.refuse(letter, about, reply.player, type(problem).__name__)


def _with_notice_lines(reply: Reply) -> ActionContext:
    """Return the action whose emails to the writer begin with the corrections that Nabu made, if any."""
    commands = reply.instructions.commands
    changes = [change for command in commands for change in command.changes]
    lines = [f"Nabu read {'; '.join(changes)}."] if changes else []
    if reply.instructions.found:
        found = [" ".join(str(each).split()) for each in commands if not each.word.takes.to_the_end]
        lines.insert(0, f"Read: {', '.join(f'“{each}”' for each in found)}.")
    if not lines:
        return reply.action
    addresses = {reply.reading.sender, reply.player.email}
    return replace(reply.action, notice_lines=dict.fromkeys(addresses, " ".join(lines)))
