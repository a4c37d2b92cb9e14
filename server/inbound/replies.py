"""Replies to a game's mails: the commands in them, carried out in order, all or none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from mail.reading.author import Author
from mail.reading.message import Reading
from rules.game import Ambiguous, BadData, WrongMove
from rules.limits import LONGEST_MOVE
from rules.registry import kind
from server.accounts import bounces, players, quotas
from server.errors import (
    BadRequest,
    BreaksOff,
    Damaged,
    NothingWritten,
    NotRunning,
    NotUnderstood,
    Refused,
    StaleReply,
)
from server.game import limits, lobby, log, play, preferences, press
from server.game.commands import Command, Instructions, read_commands
from server.game.play import Place
from server.game.vocabulary import REPLY
from server.inbound.answers import gathering, put_answers
from server.inbound.asking import NOTHING_ASKED, ask_player
from server.inbound.belief import Belief, is_enough
from server.inbound.copies import once
from server.inbound.endings import Ending, done, held, refused
from server.inbound.lengths import check_lengths
from server.inbound.nearest import nearest
from server.inbound.places import place_of, told_of
from server.inbound.quoted import top
from server.outbound.letters.account import MailStopped, Settled
from server.outbound.letters.help import HelpGame
from server.outbound.letters.replies import Conditions, DeclinedByYou, DrawNoted, Refusal, UndoNoted
from server.outbound.letters.shown import History, Moves, Noted, Preview, Proof, Rules, Show
from server.store import failures
from server.store.db import locked
from server.store.letters.letter import Letter
from server.store.models import Game, Inbox, Player, Seat
from server.store.outbox import Action
from server.store.tokens import ReplyToken


def act_in_game(action: Action, reading: Reading, token: ReplyToken, row: Inbox, belief: Belief) -> Ending:
    """Do what a reply asks for, and see to it that it is answered.

    Where `belief` is not enough for that, or it is from an address that is not the player's, he is asked at his
    own whether it is his.
    """
    game = locked(action.session, Game, token.game)
    seats = [] if game is None else log.seats(action.session, game, fresh=True)
    if game is None or token.seat >= len(seats):
        return held("the reply address names a game that is not here")
    place = place_of(action.session, game, token)
    seat, owner = seats[place.seat]
    if not players.writes_from(action.session, owner, reading.sender):
        belief = Belief.DENIED
    action = replace(action, doubtful=belief.doubtful)
    instructions = read_commands(reading.text, is_move_in(game, place.seat), REPLY)
    if is_enough(belief, instructions.commands):
        act = partial(_carry_out, action, reading, owner, game, place, instructions, belief)
    else:
        act = partial(ask_player, action, row, reading, game, seat, owner, denied=belief is Belief.DENIED)
    return once(action, row, reading, instructions, act)


def act_as_asked(action: Action, reading: Reading, token: ReplyToken, row: Inbox, *, always: bool) -> Ending:
    """Carry out a reply that its player says is his; with `always` its address is his, too, from now on."""
    locked(action.session, Game, token.game)
    game = action.session.get_one(Game, token.game)
    seats = log.seats(action.session, game, fresh=True)
    place = place_of(action.session, game, token)
    _, owner = seats[place.seat]
    if not reading.sender:
        reading = replace(reading, author=Author(owner.email))  # he says that it is from him
    elif always:
        players.add_address(action.session, owner, reading.sender)
    instructions = read_commands(reading.text, is_move_in(game, place.seat), REPLY)
    act = partial(_carry_out, action, reading, owner, game, place, instructions, Belief.VOUCHED)
    return once(action, row, reading, instructions, act)


def _carry_out(
    action: Action,
    reading: Reading,
    owner: Player,
    game: Game,
    place: Place,
    instructions: Instructions,
    belief: Belief,
) -> Ending:
    action = replace(_remarking(action, instructions, {reading.sender, owner.email}), writer=owner.id)
    gathered = gathering(action, reading.sender, owner.email)
    certain = belief is not Belief.UNKNOWN
    if certain:
        bounces.heard_from(action, owner)
    reply = _Reply(gathered, reading, owner, game, place, certain)
    turn = game.turn
    try:
        with action.session.begin_nested():
            reply.carry_out(instructions)
        if certain:
            action.session.get_one(Seat, (place.game, reply.place.seat)).heard_turn = turn
    except (Refused, WrongMove, Damaged) as problem:
        if isinstance(problem, Damaged):
            failures.note(action.session, action.now, failures.PLAYING, Game, problem.game, problem)
        return replace(reply, action=action).refuse(problem, instructions)
    kept_back = put_answers(gathered, reading.message_id, owner)
    return done(", ".join(str(command.word) for command in instructions.commands) + kept_back)


def is_move_in(game: Game, seat: int) -> Callable[[str], bool]:
    """A test whether a line is written like a move of this game, legal or not."""
    rules = log.rules_of(game)
    if not game.entries:
        return lambda line: False
    position = log.position_of(game)
    return lambda line: rules.reads(position, seat, line)


@dataclass
class _Reply:
    """A reply that is being carried out; `certain` says that whoever wrote it reads the player's mail."""

    action: Action
    reading: Reading
    player: Player
    game: Game
    place: Place
    certain: bool
    client_seed: str = ""

    def carry_out(self, instructions: Instructions) -> None:
        commands = instructions.commands
        _check_whole(instructions)
        limits.check_commands(commands)
        if self.certain and any(str(command.word) != "stop" for command in commands):
            players.confirm(self.player, self.action.now)
        said = "".join(command.argument for command in commands if str(command.word) == "say")
        self.client_seed = " ".join(command.argument for command in commands if str(command.word) == "luck")
        conditions = "\n".join(
            " ".join(str(command).split()) for command in commands if str(command.word) == "if"
        )
        moves = any(str(command.word) == "move" for command in commands)
        for command in commands:
            if str(command.word) == "move":
                play.submit(self.action, self.player, self.place, command.argument, said, conditions)
                if said and self.game.turn == self.place.turn:
                    self._tell_if_much()  # sealed orders are no turn yet
                self.place = Place(self.place.game, self.place.seat, self.game.turn)
            elif str(command.word) == "say" and not moves:
                self._say(said)
            elif str(command.word) not in ("say", "luck", "if"):
                self._do(command)
        if self.client_seed and not any(str(command.word) == "accept" for command in commands):
            lobby.give_words(self.action, self.player, self.place.game, self.client_seed)
            self._take_seat()
        if conditions and not moves:
            self._keep(conditions)

    def refuse(self, problem: Exception, instructions: Instructions) -> Ending:
        """Answer with what is wrong and what is like it; somebody who goes on and on is not answered."""
        if quotas.had_enough_refusals(self.action, self.reading.sender, Refusal, self.player):
            return held("told often enough today what is wrong")
        quoted = top(self.reading.text)
        choices = problem.choices if isinstance(problem, Ambiguous) else self._nearest(problem, instructions)
        stale = isinstance(problem, StaleReply)
        self._answer(Refusal(str(problem), quoted, list(choices), stale))
        return refused(type(problem).__name__)

    def _nearest(self, problem: Exception, instructions: Instructions) -> Sequence[str]:
        """What may have been meant by what could not be read or played."""
        if self.game.state != "running" or self.place.turn != self.game.turn:
            return ()
        moves = [command.argument for command in instructions.commands if str(command.word) in ("move", "try")]
        match problem:
            case BreaksOff():
                text = "\n".join([*moves[-1:], problem.line])
            case NotUnderstood():
                text = problem.line
            case WrongMove() if moves:
                text = moves[0]
            case _:
                return ()
        return nearest(log.rules_of(self.game), log.position_of(self.game), self.place.seat, text)

    def _do(self, command: Command) -> None:
        match str(command.word):
            case "resign":
                play.resign(self.action, self.player, self.place)
            case "draw":
                self._offer_draw()
            case "undo":
                self._undo()
            case "note":
                self._note(command.argument)
            case "claim":
                play.claim(self.action, self.player, self.place)
            case "give":
                play.give(self.action, self.player, self.place, command.argument)
                self._answer(Show(given=True))
            case "mute":
                self._mute(command.argument)
            case "withdraw":
                play.withdraw(self.action, self.player, self.place)
            case "accept":
                lobby.accept(self.action, self.player, self.place.game, self.client_seed)
                self._take_seat()
            case "decline":
                lobby.decline(self.action, self.player, self.place.game)
                self._answer(DeclinedByYou())
            case "stop":
                self.player.mail_stopped = True
                self._answer(MailStopped())
            case "try":
                self._try(command.argument)
            case "rules":
                self._answer(Rules(self._kind(command.argument)))
            case "verify":
                self._prove()
            case "yes":
                raise BadRequest(NOTHING_ASKED)
            case "show":
                self._answer(Show())
            case "history":
                self._answer(History())
            case "moves":
                self._answer(Moves())
            case "help":
                self._answer(HelpGame())

    def _take_seat(self) -> None:
        """Go on in the seat that the lot gave, if the game has begun."""
        seat = lobby.seat_of(self.action.session, self.game, self.player)
        self.place = replace(self.place, seat=self.place.seat if seat is None else seat)

    def _undo(self) -> None:
        game = play.undo(self.action, self.player, self.place)
        if game.turn == self.place.turn:
            self._answer(UndoNoted())
        self.place = Place(self.place.game, self.place.seat, game.turn)

    def _keep(self, conditions: str) -> None:
        kept = play.set_conditions(self.action, self.player, self.place, conditions)
        self._answer(Conditions(kept))

    def _offer_draw(self) -> None:
        game = play.offer_draw(self.action, self.player, self.place)
        if game.state == "running":
            self._answer(DrawNoted())

    def _kind(self, name: str) -> str:
        """The kind whose rules are asked for: that of this game, when no other is named."""
        try:
            return kind(name.lower()).name if name else self.game.kind
        except BadData as error:
            raise BadRequest(str(error)) from None

    def _try(self, text: str) -> None:
        step = play.preview(self.action, self.player, self.place, text)
        rules = log.rules_of(self.game)
        move = rules.format(step.moves[self.place.seat])
        self._answer(Preview(move, rules.write(step.before), self.game.turn))

    def _mute(self, text: str) -> None:
        seat = self.action.session.get_one(Seat, (self.place.game, self.place.seat))
        self._answer(Settled(preferences.mute(self.action, self.game, seat, self.player, text)))

    def _say(self, text: str) -> None:
        if not text:
            raise BadRequest("There is nothing behind “say”. Write: say TEXT")
        press.say(self.action, self.game, self.place.seat, text)
        self._tell_if_much()

    def _tell_if_much(self) -> None:
        """Say so where what was said may not be mailed at once."""
        if press.has_said_much(self.action, self.game, self.place.seat):
            self._answer(Settled(press.SAID_MUCH))

    def _note(self, text: str) -> None:
        if not text:
            raise BadRequest("There is nothing behind “note”. Write: note TEXT")
        press.keep(self.action, self.game, self.place.seat, text, private=True)
        self._answer(Noted())

    def _prove(self) -> None:
        if not self.game.entries:
            raise NotRunning("The game has not begun: there is nothing to check yet.")
        self._answer(Proof())

    def _answer(self, letter: Letter) -> None:
        about = told_of(self.game, self.place.seat)
        self.action.put(self.reading.sender, letter, about, answers=self.reading.message_id)


def _check_whole(instructions: Instructions) -> None:
    """Raise when nothing was read, or perhaps half of what was meant."""
    commands, line = instructions.commands, instructions.stopped_at
    check_lengths(commands)
    if not commands and not line:
        raise NothingWritten(
            "Your mail has no text above the quoted mail. Write your move in the first line, and send it again."
        )
    if not commands and len(line) > LONGEST_MOVE:
        raise BadRequest(
            f"The first line of your mail has {len(line)} characters, and a move has at most {LONGEST_MOVE}. "
            "Write your move alone in the first line."
        )
    if not commands:
        raise NotUnderstood(
            f"The first line of your mail is “{line:.60}”, which is neither a move nor a command. "
            "Write your move alone in the first line.",
            line,
        )
    if instructions.breaks_off:
        raise BreaksOff(
            f"The line “{line:.60}” stands right below your move and cannot be read, so your move may not be "
            "whole. Write it again; leave an empty line between it and anything else.",
            line,
        )


def _remarking(action: Action, instructions: Instructions, addresses: set[str]) -> Action:
    """A post that tells at the top of each mail to these addresses what was taken for what, if anything was."""
    changes = [change for command in instructions.commands for change in command.changes]
    if not changes:
        return action
    return replace(action, remarks=dict.fromkeys(addresses, f"I read {'; '.join(changes)}."))
