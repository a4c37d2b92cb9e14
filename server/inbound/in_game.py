"""The commands of an email about one game: carry them out in order, and handle other text beside them."""

from dataclasses import replace

from server.accounts import newcomers, players
from server.accounts.newcomers import is_known
from server.actions.play import WITH_A_MOVE
from server.commands.game_words import ACCEPT, COUNTER, IF, LUCK, SAY, STOP, TELL
from server.commands.parser import Command, Instructions
from server.commands.word import MOVE
from server.errors import NotYours
from server.game.lobby import challenges
from server.game.log import log
from server.game.messages import extra_text, messages
from server.game.play.target import Target
from server.inbound.handlers.game import HANDLERS
from server.inbound.reply import Reply
from server.inbound.request import Request
from server.interpretation.reply_checks import check_clear, doubts_in
from server.outbound.letters.replies import Beside
from server.store.db import locked
from server.store.models import Game, Player

_WITH = {SAY: {MOVE}, IF: {MOVE}, LUCK: {ACCEPT, COUNTER}, **{word: {MOVE} for word in WITH_A_MOVE.values()}}
"""Commands that another command of the same reply carries out together with its own effect."""
_LAST = (LUCK, IF)
"""The commands of these that are carried out last without such a command, and all of one kind together."""


def reply_about(request: Request, player: Player | None, number: int, read: Instructions) -> Reply:
    """Return the commands for game `number` in an email that answers no email about it, as a reply about it.

    They count like a reply to the latest email about the game. Raises NotYours if the sender does not play in
    it, and Unclear if the text may mean something else.
    """
    session = request.action.session
    game = locked(session, Game, number)
    seats = [] if game is None else log.seats(session, game, fresh=True)
    seat = None if game is None or player is None else challenges.seat_of(session, game, player)
    if game is None or player is None or seat is None:
        raise NotYours(f"You have no seat in game {number}.")
    if game.state == "open":
        raise NotYours(
            f"Game {number} is open and has not started. To leave it, write: leave {number}. To see who has "
            f"joined, write: lobby {number}"
        )
    doubts = doubts_in(game, seat, seats, request.reading)
    check_clear(read, doubts)
    target = Target(number, seat, game.turn if log.has_begun(game) else 0)
    known = request.request_fields | {"instructions": read}
    return Reply(**known, doubts=doubts, player=player, game=game, target=target)


def carry_out_in_game(reply: Reply) -> None:
    """Carry out all commands of a reply in order; raises at the first one that fails."""
    commands, turn = reply.instructions.commands, reply.game.turn
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
    """Return True if the writer is a player, or may become one now, for example by accepting."""
    player = reply.player
    return is_known(player) or newcomers.admits(reply.action.session, player.email, player)


_ASK = "Your message below has not been sent to {others}. Reply “send” to send it."
_TOO_EARLY = (
    "Your message below has not been sent: players can send messages when everyone has accepted. Then write: "
    "say TEXT"
)
_UNCERTAIN = "Your message below has not been sent. To send it, reply to this email with “say” above it."
"""For a sender who may not be the player: the text is not kept, as it would replace the player's own."""
_SILENCED = "Your message below has not been sent. {why}"


def handle_extra_text(reply: Reply) -> None:
    """Send, discard or store the text beside the commands, as the player prefers; by default, store and ask."""
    text, way = reply.beside, reply.way
    if not text and not reply.asks_for(SAY, TELL):
        return
    if reply.silence:
        _show_silenced(reply)
        return
    listeners = reply.listeners
    if not text or way == extra_text.DROP or not listeners:
        return
    if not log.has_begun(reply.game):
        _add_notice_line(reply, _TOO_EARLY, text)
    elif not reply.certain:
        _add_notice_line(reply, _UNCERTAIN, text)
    elif way == extra_text.ASK:
        text = extra_text.keep(reply.action.sealer, reply.seat, text)
        _add_notice_line(reply, _ASK.format(others=" and ".join(listeners)), text)
    elif not reply.asks_for(MOVE, SAY):
        messages.say(reply.action, reply.game, reply.target.seat, text)


def _show_silenced(reply: Reply) -> None:
    """Show a suspended player the message that they wrote with a move, as it is not sent."""
    beside = "" if reply.way == extra_text.DROP else reply.beside
    text = "\n".join(filter(None, [beside, *reply.arguments(SAY), *reply.arguments(TELL)]))
    if text and reply.listeners:
        _add_notice_line(reply, _SILENCED.format(why=reply.silence), text)


def _add_notice_line(reply: Reply, sentence: str, text: str) -> None:
    """Show the text at the top of each letter that the writer gets now; if there is none, in a separate one."""
    addresses = {reply.reading.sender, reply.player.email}
    earlier = reply.action.notice_lines
    said = {address: f"{earlier.get(address, '')} {sentence}".strip() for address in addresses}
    quoted = dict.fromkeys(addresses, text)
    reply.action = replace(reply.action, notice_lines={**earlier, **said}, quoted=quoted)
    if not any(reply.action.gathered.get(address) for address in addresses):
        reply.answer(Beside())
