"""The handlers of commands in a reply to a game's email."""

from dataclasses import replace

from rules.errors import BadData
from rules.registry import rules_named
from server.accounts import players
from server.actions import computer, lobby, messages, play
from server.actions.registry import REPLY_ACTIONS
from server.commands.game_words import (
    ACCEPT,
    COUNTER,
    DROP,
    HINT,
    HISTORY,
    IF,
    LUCK,
    MOVES,
    RULES,
    SAY,
    SEND,
    SHOW,
    STOP,
    TAKEBACK,
    TELL,
    TRY,
    VERIFY,
    YES,
)
from server.commands.vocabulary import HELP, REPLY
from server.commands.word import MOVE
from server.errors import NotRunning, refusing
from server.game.lobby import challenges
from server.game.log import log
from server.game.messages.messages import SAID_MUCH, addressed, has_said_much
from server.game.play import moves
from server.inbound.authorization.yes_replies import asked_about, shown_words, unanswerable
from server.inbound.handlers.registry import Handlers, carrying_out
from server.inbound.reply import Reply
from server.interpretation.options import read_counter
from server.outbound.letters.account import Confirmation, MailStopped
from server.outbound.letters.game_parts import History, Moves, Preview, Proof, Rules, Show
from server.outbound.letters.help import HelpGame
from server.outbound.letters.replies import ChallengeSent

HANDLERS = Handlers[Reply]()


@HANDLERS.handles(MOVE)
def _move(reply: Reply, text: str) -> None:
    said = reply.said
    if said and reply.silence:
        said = ""
    proposed = {name: reply.asks_for(word) for name, word in play.WITH_A_MOVE.items()}
    values = {"move": text, "say": said, "conditions": reply.conditions, **proposed}
    reply.confirm(play.MOVE.carry_out(reply.actor, values))
    is_sealed = reply.game.turn == reply.target.turn
    if said and is_sealed and has_said_much(reply.action, reply.game, reply.target.seat):
        reply.answer(Confirmation(SAID_MUCH))
    reply.go_on()


@HANDLERS.handles(IF)
def _set_conditions(reply: Reply, _: str) -> None:
    reply.confirm(play.CONDITIONS.carry_out(reply.actor, {"text": reply.conditions}))


@HANDLERS.handles(TAKEBACK)
def _take_back(reply: Reply, _: str) -> None:
    reply.confirm(play.TAKEBACK.carry_out(reply.actor, {}))
    reply.go_on()


@HANDLERS.handles(SAY)
def _say(reply: Reply, text: str) -> None:
    reply.confirm(messages.SAY.carry_out(reply.actor, {"text": reply.said} if text.strip() else {}))


@HANDLERS.handles(TELL)
def _tell(reply: Reply, text: str) -> None:
    if reply.silence and reply.asks_for(MOVE):
        return  # the move counts; its answer explains the silence
    seated = log.seats(reply.action.session, reply.game)
    listener, said = addressed(reply.game, seated, reply.target.seat, text)
    reply.confirm(messages.SAY.carry_out(reply.actor, {"text": said, "to": listener}))


@HANDLERS.handles(SEND)
def _send(reply: Reply, _: str) -> None:
    reply.confirm(messages.SEND.carry_out(reply.actor, {"seen": shown_words(reply)}))


@HANDLERS.handles(DROP)
def _drop(reply: Reply, _: str) -> None:
    reply.confirm(messages.DROP.carry_out(reply.actor, {"seen": shown_words(reply)}))


@HANDLERS.handles(ACCEPT)
def _accept(reply: Reply, _: str) -> None:
    reply.confirm(lobby.ACCEPT.carry_out(reply.actor, {"luck": reply.client_seed}))
    reply.take_seat()


@HANDLERS.handles(COUNTER)
def _counter(reply: Reply, argument: str) -> None:
    """Propose new terms for the game that the command names, else for the one that the reply is about."""
    number, changes = read_counter(argument)
    actor = reply.actor
    if number and int(number) != actor.number:
        actor = replace(actor, game=challenges.invitation(reply.action, reply.player, int(number))[0])
    values = {"options": changes, "own_words": reply.asks_for(LUCK)}
    reply.confirm(replace(lobby.COUNTER.carry_out(actor, values), letter=ChallengeSent(reply.client_seed)))


@HANDLERS.handles(LUCK)
def _give_luck(reply: Reply, _: str) -> None:
    if reply.client_seed:
        reply.confirm(lobby.LUCK.carry_out(reply.actor, {"luck": reply.client_seed}))
        reply.take_seat()


@HANDLERS.handles(HINT)
def _hint(reply: Reply, _: str) -> None:
    """Give a hint for the current turn, even if the reply answers an earlier email."""
    reply.go_on()
    reply.confirm(computer.HINT.carry_out(reply.actor, {}))


@HANDLERS.handles(TRY)
def _try(reply: Reply, text: str) -> None:
    step = moves.preview(reply.action, reply.player, reply.target, text)
    rules = log.rules_of(reply.game)
    move = rules.format(step.moves[reply.target.seat])
    reply.answer(Preview(move, rules.write(step.before), reply.game.turn))


for action in REPLY_ACTIONS:
    if action.word in tuple(REPLY) and action.word not in HANDLERS.by_word:
        HANDLERS.handles(action.word)(carrying_out(action))


@HANDLERS.handles(SHOW)
def _show(reply: Reply, _: str) -> None:
    reply.answer(Show())


@HANDLERS.handles(HISTORY)
def _tell_history(reply: Reply, _: str) -> None:
    reply.answer(History())


@HANDLERS.handles(MOVES)
def _tell_moves(reply: Reply, _: str) -> None:
    reply.answer(Moves())


@HANDLERS.handles(RULES)
def _tell_rules(reply: Reply, name: str) -> None:
    """Send the rules of the named game, else those of this one."""
    with refusing(BadData):
        reply.answer(Rules(rules_named(name.lower()).name if name else reply.game.game_type))


@HANDLERS.handles(VERIFY)
def _prove(reply: Reply, _: str) -> None:
    if not reply.game.entries:
        raise NotRunning("The game has not started, so there is nothing to check.")
    reply.answer(Proof())


@HANDLERS.handles(YES)
def _say_yes(reply: Reply, _: str) -> None:
    raise unanswerable(asked_about(reply))


@HANDLERS.handles(STOP)
def _stop_mail(reply: Reply, _: str) -> None:
    players.want_nothing(reply.action, reply.player)
    reply.answer(MailStopped())


@HANDLERS.handles(HELP)
def _help(reply: Reply, about: str) -> None:
    reply.answer(HelpGame(about))


HANDLERS.check([MOVE, *REPLY])
