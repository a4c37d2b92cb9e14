"""Replies to a game's mails: the commands in them, carried out in order, all or none."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from mail.reading.author import Author
from mail.reading.message import Reading
from rules.errors import Ambiguous, WrongMove
from server.accounts import access, bounces, newcomers, players
from server.accounts.newcomers import is_known
from server.commands.parser import Command, Instructions
from server.commands.vocabulary import ACCEPT, COUNTER, DRAW, IF, LUCK, SAY, STOP, TELL, TRY
from server.commands.word import MOVE
from server.errors import BreaksOff, NotUnderstood, StaleReply, Unclear
from server.game.log import envelopes, log
from server.game.messages import extra_text, messages
from server.game.play.target import Target
from server.inbound.authorization.agreement import agreed_in_game
from server.inbound.authorization.confirmation import ask_player
from server.inbound.authorization.endings import Ending, held
from server.inbound.authorization.quotas import check_amount
from server.inbound.authorization.senders import SenderTrust, is_enough
from server.inbound.authorization.targets import after_own_move, target_of
from server.inbound.duplicates import once
from server.inbound.handlers.game import HANDLERS
from server.inbound.handlers.request import Reply
from server.interpretation.clearness import (
    check_clear,
    check_unread,
    doubts_in,
    nothing_written,
    read_reply,
    top,
)
from server.interpretation.nearest import MOST, commands_in, nearest
from server.outbound.letters.account import Games
from server.outbound.letters.replies import Beside, Refusal
from server.store.db import locked
from server.store.models import Game, Inbox
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken

_WITH = {SAY: {MOVE}, IF: {MOVE}, DRAW: {MOVE}, LUCK: {ACCEPT, COUNTER}}
"""Commands that go along with another one, where that is in the same reply."""
_LAST = (LUCK, IF)
"""Of these, the ones that by themselves come last, and all of one sort at once."""
_NOT_ADDED = "You will be asked about each email from {}: nothing proves who sends them, so anybody could."
_ON_TOP = "Write your move on the first line, above everything that is quoted, and send it again."


def act_in_game(
    action: ActionContext, reading: Reading, token: ReplyToken, row: Inbox, trust: SenderTrust
) -> Ending:
    """Do what a reply asks for, and make sure that it is answered.

    If `trust` is not enough for that, or it is from an address that is not the player's, they are asked at
    their own whether it is theirs.
    """
    game = locked(action.session, Game, token.game)
    seats = [] if game is None else log.seats(action.session, game, fresh=True)
    if game is None or token.seat >= len(seats):
        return held("the reply address names a game that is not here")
    place = target_of(action.session, game, token)
    seat, owner = seats[place.seat]
    proved = trust is SenderTrust.VOUCHED
    if not players.writes_from(action.session, owner, reading.sender):
        trust = SenderTrust.DENIED
    action = replace(action, doubtful=trust.doubtful)
    doubts = doubts_in(game, place.seat, seats, reading)
    instructions = read_reply(reading.text, doubts)
    instructions = agreed_in_game(action, reading, instructions, game, owner, doubts)
    place = _meant(action, game, place, instructions)
    sealed = trust is SenderTrust.ADDRESSED and envelopes.is_sealed(action, game, place.seat, place.turn)
    if is_enough(trust, instructions.commands, sealed=sealed):
        certain = trust is not SenderTrust.UNKNOWN
        act = partial(_carry_out, Reply(action, reading, instructions, doubts, owner, game, place, certain))
    else:
        denied = trust is SenderTrust.DENIED
        act = partial(ask_player, action, row, reading, game, seat, owner, denied=denied, proved=proved)
    return once(action, row, reading, instructions, act)


def act_as_asked(
    action: ActionContext, reading: Reading, token: ReplyToken, row: Inbox, *, always: bool, addable: bool
) -> Ending:
    """Carry out a reply that its player says is theirs; with `always` they can send moves from its address.

    That is refused unless it is `addable`: unless its domain proves that the mail came from there. Where the
    address was not theirs before, the answer goes to their main one: the sender may be an opponent.
    """
    locked(action.session, Game, token.game)
    game = action.session.get_one(Game, token.game)
    seats = log.seats(action.session, game, fresh=True)
    place = target_of(action.session, game, token)
    _, owner = seats[place.seat]
    is_theirs = players.writes_from(action.session, owner, reading.sender)
    if not reading.sender:
        reading = replace(reading, author=Author(owner.email))  # they say that it is from them
    elif always and not is_theirs and addable:
        access.report(action, owner, access.SENDER, reading.sender, "when you answered “yes always”")
        players.add_address(action.session, action.now, owner, reading.sender, logs_in=False)
    elif always and not is_theirs:
        action = replace(action, remarks={owner.email: _NOT_ADDED.format(reading.sender)})
    doubts = doubts_in(game, place.seat, seats, reading)
    instructions = read_reply(reading.text, doubts)
    instructions = agreed_in_game(action, reading, instructions, game, owner, doubts)
    action = replace(action, visitor=None, confirms=True)  # wherever they said so, what it led to is mailed
    place = _meant(action, game, place, instructions)
    answered = reading if is_theirs else replace(reading, author=Author(owner.email))
    reply = Reply(action, answered, instructions, doubts, owner, game, place, certain=True)
    return once(action, row, reading, instructions, partial(_carry_out, reply))


def _meant(action: ActionContext, game: Game, place: Target, instructions: Instructions) -> Target:
    """What the commands of a reply are about; a move is always for the turn of the mail that it answers."""
    if any(command.word in (MOVE, TRY) for command in instructions.commands):
        return place
    return after_own_move(action.session, game, place)


def _carry_out(reply: Reply) -> Ending:
    addresses = {reply.reading.sender, reply.player.email}
    action = _remarking(reply.action, reply.instructions, addresses)
    reply.action = replace(action, writer=reply.player.id)
    if reply.certain:
        bounces.heard_from(reply.action, reply.player, Games(players.identity(reply.player)))
    return reply.carry_out(reply.player, partial(_do_all, reply), partial(_refuse, reply))


def _do_all(reply: Reply) -> None:
    """Do everything that a reply asks for, in order; raises at the first thing that cannot be done."""
    commands, turn = reply.instructions.commands, reply.game.turn
    check_amount(commands)
    if not commands and not reply.instructions.stopped_at:
        raise nothing_written(reply.reading, reply.read, _ON_TOP)
    check_unread(reply.reading, commands, reply.read)
    check_clear(reply.instructions, reply.doubts)
    if reply.certain and any(command.word is not STOP for command in commands) and _is_admitted(reply):
        players.confirm(reply.player, reply.action.now)
    present = {command.word for command in commands}
    alone = [command for command in commands if present.isdisjoint(_WITH.get(command.word, ()))]
    for command in alone:
        if command.word not in _LAST:
            HANDLERS.carry_out(reply, command)
    for word in _LAST:
        if any(command.word is word for command in alone):
            HANDLERS.carry_out(reply, Command(word))
    if reply.certain:
        reply.seat.heard_turn = turn
    handle_extra_text(reply)


def _is_admitted(reply: Reply) -> bool:
    """Whether the writer is a player, or becomes one by what they do: accepting makes one of them anyway."""
    player = reply.player
    return is_known(player) or newcomers.admits(reply.action.session, player.email, player)


def _refuse(reply: Reply, problem: Exception) -> Ending:
    """Answer with what is wrong and what is like it."""

    def tell() -> None:
        choices = problem.choices if isinstance(problem, Ambiguous) else _nearest(reply, problem)
        stale = isinstance(problem, StaleReply)
        reply.tell(Refusal(str(problem), top(reply.action.sealer, reply.reading.text), list(choices), stale))

    return reply.refuse(Refusal, problem, reply.player, tell)


def _nearest(reply: Reply, problem: Exception) -> Sequence[str]:
    """What may have been meant by what could not be read or played."""
    game, place = reply.game, reply.target
    named = commands_in(reply.reading.text, game.state) if type(problem) is NotUnderstood else []
    if game.state != "running" or place.turn != game.turn:
        return named
    moves = [each.argument for each in reply.instructions.commands if each.word in (MOVE, TRY)]
    match problem:
        case BreaksOff():
            text = "\n".join([*moves[-1:], problem.line])
        case NotUnderstood():
            text = problem.line
        case Unclear():
            return problem.choices
        case WrongMove() if moves:
            text = moves[0]
        case _:
            return ()
    like = nearest(log.rules_of(game), log.position_of(game), place.seat, text)
    return list(dict.fromkeys([*like, *named]))[:MOST]


def _remarking(action: ActionContext, instructions: Instructions, addresses: set[str]) -> ActionContext:
    """An action that says at the top of each mail to these addresses what was read as what, if anything."""
    changes = [change for command in instructions.commands for change in command.changes]
    remarks = [f"We read {'; '.join(changes)}."] if changes else []
    if instructions.found:
        found = [str(each) for each in instructions.commands if not each.word.takes.to_the_end]
        remarks.insert(0, f"Read: {', '.join(' '.join(each.split()) for each in found)}.")
    return replace(action, remarks=dict.fromkeys(addresses, " ".join(remarks))) if remarks else action


_ASK = "You also wrote the words below. {others} {have} not seen them; to pass them on, answer “send”."
_TOO_EARLY = (
    "You also wrote the words below. Nobody else has seen them: nothing can be said before everyone has "
    "accepted. Then write: say TEXT"
)
_UNCERTAIN = (
    "Nobody has seen the words below. To pass them on, write “say” above them, in a reply to this email."
)
"""Where anybody may have written them: they are not kept either, or they would take the place of others."""
_SILENCED = "The words below were not passed on. {why}"


def handle_extra_text(reply: Reply) -> None:
    """Do what the player has chosen for such words; by default keep them, and ask in the mail they get now."""
    text, way = reply.beside, reply.way
    if not text and not reply.asks_for(SAY, TELL):
        return
    if reply.silence:
        _tell_silenced(reply)
        return
    listeners = reply.listeners
    if not text or way == extra_text.DROP or not listeners:
        return
    if not log.has_begun(reply.game):
        _remark(reply, _TOO_EARLY, text)
    elif not reply.certain:
        _remark(reply, _UNCERTAIN, text)
    elif way == extra_text.ASK:
        text = extra_text.keep(reply.action.sealer, reply.seat, text)
        have = "have" if len(listeners) > 1 else "has"
        _remark(reply, _ASK.format(others=" and ".join(listeners), have=have), text)
    elif not reply.asks_for(MOVE, SAY):
        messages.say(reply.action, reply.game, reply.target.seat, text)


def _tell_silenced(reply: Reply) -> None:
    """Show a player who is suspended the words beside their move, which go to nobody."""
    beside = "" if reply.way == extra_text.DROP else reply.beside
    text = "\n".join(filter(None, [beside, *reply.arguments(SAY), *reply.arguments(TELL)]))
    if text and reply.listeners:
        _remark(reply, _SILENCED.format(why=reply.silence), text)


def _remark(reply: Reply, sentence: str, text: str) -> None:
    """Show the words at the top of each letter that goes to the writer now, or of one of its own."""
    addresses = {reply.reading.sender, reply.player.email}
    earlier = reply.action.remarks
    said = {address: f"{earlier.get(address, '')} {sentence}".strip() for address in addresses}
    quoted = dict.fromkeys(addresses, text)
    reply.action = replace(reply.action, remarks={**earlier, **said}, quoted=quoted)
    if not any(reply.action.gathered.get(address) for address in addresses):
        reply.tell(Beside())
