"""What each command of a reply to a game's mail does."""

from collections.abc import Callable

from rules.errors import BadData
from rules.registry import rules_named
from server.accounts import players
from server.commands.vocabulary import (
    ACCEPT,
    AGAIN,
    ANALYSE,
    CLAIM,
    COUNTER,
    DECLINE,
    DRAW,
    DROP,
    GIVE,
    HELP,
    HINT,
    HISTORY,
    IF,
    LUCK,
    MOVES,
    MUTE,
    NOTE,
    NOTIFY,
    REPLY,
    REPORT,
    RESIGN,
    RULES,
    SAY,
    SEND,
    SERIES,
    SHOW,
    STOP,
    TELL,
    TRY,
    UNDO,
    VERIFY,
    WITHDRAW,
    WORD_OF,
    YES,
)
from server.commands.word import MOVE
from server.errors import BadRequest, NotRunning, refusing
from server.game.computer import inquiries
from server.game.lobby import challenges, counter_offers, next_in_series, rematch
from server.game.log import log
from server.game.messages import extra_text, messages
from server.game.notifications import channels
from server.game.play import moves
from server.game.preferences import preferences
from server.game.spectators import abuse_reports
from server.inbound.authorization.confirmation import NOTHING_ASKED
from server.inbound.handlers.registry import Handlers
from server.inbound.request import Reply
from server.interpretation.options import read_counter
from server.outbound.letters.account import Confirmation, MailStopped
from server.outbound.letters.analysis import GameAssessed, Hinted
from server.outbound.letters.help import HelpGame
from server.outbound.letters.replies import (
    ChallengeSent,
    Conditions,
    DeclinedByYou,
    DrawNoted,
    UndoNoted,
    WordsReported,
)
from server.outbound.letters.sources import History, Moves, Noted, Preview, Proof, Rules, Show
from server.store.letters.letter import About

HANDLERS = Handlers[Reply]()


@HANDLERS.handles(MOVE)
def _move(reply: Reply, text: str) -> None:
    game, draw = reply.game, reply.asks_for(DRAW)
    said = reply.said
    if said and reply.silence:
        said = ""
    moves.submit(reply.action, reply.player, reply.target, text, said, reply.conditions, draw=draw)
    if draw and game.state == "running":
        reply.tell(DrawNoted())
    if said and reply.game.turn == reply.target.turn:
        reply.tell_if_much()  # sealed orders are no turn yet
    reply.go_on()


@HANDLERS.handles(SAY)
def _say(reply: Reply, text: str) -> None:
    if not text.strip():
        raise BadRequest("There is nothing after “say”. Write: say TEXT")
    messages.check_amount(reply.action, reply.game, reply.target.seat)
    messages.say(reply.action, reply.game, reply.target.seat, reply.said)
    reply.tell_if_much()


@HANDLERS.handles(TELL)
def _tell(reply: Reply, text: str) -> None:
    if reply.silence and reply.asks_for(MOVE):
        return  # the move counts; what becomes of words beside it is told with it
    messages.check_amount(reply.action, reply.game, reply.target.seat)
    seated = log.seats(reply.action.session, reply.game)
    listener, said = messages.addressed(reply.game, seated, reply.target.seat, text)
    messages.tell(reply.action, reply.game, reply.target.seat, listener, said)
    reply.tell_if_much()


@HANDLERS.handles(SEND)
def _send(reply: Reply, _: str) -> None:
    extra_text.send(reply.action, reply.game, reply.seat, reply.shown_words)
    reply.tell(Confirmation(f"What you wrote has been passed on to {' and '.join(reply.listeners)}."))
    reply.tell_if_much()


@HANDLERS.handles(DROP)
def _drop(reply: Reply, _: str) -> None:
    extra_text.drop(reply.action, reply.seat, reply.shown_words)
    reply.tell(Confirmation("What you wrote has been dropped."))


@HANDLERS.handles(NOTE)
def _note(reply: Reply, text: str) -> None:
    if not text.strip():
        raise BadRequest("There is nothing after “note”. Write: note TEXT")
    messages.check_amount(reply.action, reply.game, reply.target.seat)
    messages.keep(reply.action, reply.game, reply.target.seat, text.strip(), private=True)
    reply.tell(Noted())


@HANDLERS.handles(IF)
def _keep_conditions(reply: Reply, _: str) -> None:
    kept = moves.set_conditions(reply.action, reply.player, reply.target, reply.conditions)
    reply.tell(Conditions(kept))


@HANDLERS.handles(TRY)
def _try(reply: Reply, text: str) -> None:
    step = moves.preview(reply.action, reply.player, reply.target, text)
    rules = log.rules_of(reply.game)
    move = rules.format(step.moves[reply.target.seat])
    reply.tell(Preview(move, rules.write(step.before), reply.game.turn))


@HANDLERS.handles(RESIGN)
def _resign(reply: Reply, _: str) -> None:
    moves.resign(reply.action, reply.player, reply.target)


@HANDLERS.handles(DRAW)
def _offer_draw(reply: Reply, _: str) -> None:
    game = moves.offer_draw(reply.action, reply.player, reply.target)
    if game.state == "running":
        reply.tell(DrawNoted())


@HANDLERS.handles(UNDO)
def _undo(reply: Reply, _: str) -> None:
    game = moves.undo(reply.action, reply.player, reply.target)
    if game.turn == reply.target.turn:
        reply.tell(UndoNoted())
    reply.go_on()


@HANDLERS.handles(WITHDRAW)
def _withdraw(reply: Reply, _: str) -> None:
    moves.withdraw(reply.action, reply.player, reply.target)


@HANDLERS.handles(CLAIM)
def _claim(reply: Reply, _: str) -> None:
    moves.claim(reply.action, reply.player, reply.target)


@HANDLERS.handles(GIVE)
def _give(reply: Reply, time: str) -> None:
    moves.give_time(reply.action, reply.player, reply.target, time)
    reply.tell(Show(given=True))


@HANDLERS.handles(AGAIN)
def _play_again(reply: Reply, _: str) -> None:
    game = rematch.again(reply.action, reply.player, reply.target.game)
    if game.asked[0] == reply.player.id and game.state == "invited":
        reply.answer(ChallengeSent(""), About(log.id_of(game), place=0))


@HANDLERS.handles(SERIES)
def _end_series(reply: Reply, what: str) -> None:
    if what.lower() != "off":
        raise BadRequest("To end a series after this game, write: series off")
    last = next_in_series.end(reply.action, reply.player, reply.target.game)
    reply.tell(Confirmation(f"The series ends with game {last.id}: no further game follows."))


@HANDLERS.handles(ANALYSE)
def _assess(reply: Reply, _: str) -> None:
    """It is mailed when the computer has looked through the game; at once if it has before."""
    seat = reply.target.seat
    if inquiries.ask_assessment(reply.action, reply.player, reply.game, seat, by_mail=True) is not None:
        reply.tell(GameAssessed())


@HANDLERS.handles(MUTE)
def _mute(reply: Reply, time: str) -> None:
    sentence = preferences.mute(reply.action, reply.game, reply.seat, reply.player, time)
    reply.tell(Confirmation(sentence))


@HANDLERS.handles(NOTIFY)
def _notify(reply: Reply, where: str) -> None:
    reply.tell(Confirmation(channels.choose(reply.action, reply.seat, where)))


def _choosing(preference: preferences.Preference) -> Callable[[Reply, str], None]:
    """What the command of a preference does."""

    def choose(reply: Reply, text: str) -> None:
        reply.tell(Confirmation(preference.choose(reply.action, reply.player, text)))

    return choose


for each in preferences.CHOSEN:
    HANDLERS.handles(WORD_OF[each.name])(_choosing(each))


@HANDLERS.handles(ACCEPT)
def _accept(reply: Reply, _: str) -> None:
    challenges.accept(reply.action, reply.player, reply.target.game, reply.client_seed)
    reply.take_seat()


@HANDLERS.handles(DECLINE)
def _decline(reply: Reply, _: str) -> None:
    challenges.decline(reply.action, reply.player, reply.target.game)
    reply.tell(DeclinedByYou())


@HANDLERS.handles(COUNTER)
def _counter(reply: Reply, argument: str) -> None:
    number, changes = read_counter(argument)
    invited, own_words = int(number or reply.target.game), reply.asks_for(LUCK)
    game = counter_offers.counter(reply.action, reply.player, invited, changes, own_words=own_words)
    reply.answer(ChallengeSent(reply.client_seed), About(log.id_of(game), place=0))


@HANDLERS.handles(LUCK)
def _add_seed(reply: Reply, _: str) -> None:
    if reply.client_seed:
        challenges.give_words(reply.action, reply.player, reply.target.game, reply.client_seed)
        reply.take_seat()


@HANDLERS.handles(SHOW)
def _show(reply: Reply, _: str) -> None:
    reply.tell(Show())


@HANDLERS.handles(HISTORY)
def _tell_history(reply: Reply, _: str) -> None:
    reply.tell(History())


@HANDLERS.handles(MOVES)
def _tell_moves(reply: Reply, _: str) -> None:
    reply.tell(Moves())


@HANDLERS.handles(HINT)
def _give_hint(reply: Reply, _: str) -> None:
    """For the turn to be played, whichever mail this answers; it is mailed when the computer has thought."""
    reply.go_on()
    hint = inquiries.ask_hint(reply.action, reply.player, reply.target, by_mail=True)
    if hint is not None:
        position = log.rules_of(reply.game).write(log.position_of(reply.game))
        reply.tell(Hinted(hint.to_json(), position, reply.game.turn))


@HANDLERS.handles(RULES)
def _tell_rules(reply: Reply, name: str) -> None:
    """The rules of this game, when no other is named."""
    with refusing(BadData):
        reply.tell(Rules(rules_named(name.lower()).name if name else reply.game.game_type))


@HANDLERS.handles(VERIFY)
def _prove(reply: Reply, _: str) -> None:
    if not reply.game.entries:
        raise NotRunning("The game has not begun yet, so there is nothing to check.")
    reply.tell(Proof())


@HANDLERS.handles(YES)
def _say_yes(reply: Reply, _: str) -> None:
    raise BadRequest(NOTHING_ASKED)


@HANDLERS.handles(REPORT)
def _report(reply: Reply, why: str) -> None:
    words = abuse_reports.words_at(reply.action, reply.game, reply.target.seat)
    said = abuse_reports.report(reply.action, reply.player, words, why)
    reply.tell(WordsReported(words.seat, said))


@HANDLERS.handles(STOP)
def _stop_mail(reply: Reply, _: str) -> None:
    players.want_nothing(reply.action, reply.player)
    reply.tell(MailStopped())


@HANDLERS.handles(HELP)
def _help(reply: Reply, _: str) -> None:
    reply.tell(HelpGame())


HANDLERS.check([MOVE, *REPLY])
