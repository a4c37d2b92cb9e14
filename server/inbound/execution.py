"""Execution of the commands of an email: those for each of several games, then those for the account."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rules.sentences import listed, quoted
from server.accounts import newcomers, players
from server.actions.play import WITH_A_MOVE
from server.commands.account_words import (
    ANALYSE_A_GAME,
    CANCEL,
    CHALLENGE,
    CONFIRM,
    LOGIN,
    LUCK_WITH_A_CHALLENGE,
    REPORT_A_SPECTATOR,
    SAY_TO_SPECTATORS,
    SEEK,
    STOP_ALL,
)
from server.commands.courtesy import Courtesy
from server.commands.game_numbers import split_number
from server.commands.game_words import ACCEPT, ANALYSE, COUNTER, IF, LUCK, REPORT, SAY, STOP, TELL
from server.commands.parser import Command, Instructions, words_beside
from server.commands.vocabulary import ABOUT_A_GAME, PLAIN, REPLY
from server.commands.word import MOVE, Effect
from server.errors import BadRequest, NotYours, Unclear
from server.game.lobby import challenges
from server.game.log import log
from server.game.messages import messages
from server.game.play.target import Target, letter_about
from server.inbound.authorization.yes_replies import watched_game
from server.inbound.extra_text import handle_extra_text, show_left_out
from server.inbound.handlers import account, lobby, player, tournaments, watching
from server.inbound.handlers.game import HANDLERS as GAME_HANDLERS
from server.inbound.handlers.places import is_to_tournament
from server.inbound.own_games import OwnGames
from server.inbound.reply import Reply
from server.inbound.request import AccountMail, Request
from server.interpretation.command_checks import check_value
from server.interpretation.reply_checks import check_clear, doubts_in
from server.outbound.letters.account import Confirmation
from server.store.db import locked
from server.store.models import Game, Player

ACCOUNT_HANDLERS = (
    account.HANDLERS | player.HANDLERS | lobby.HANDLERS | tournaments.HANDLERS | watching.HANDLERS
)
ACCOUNT_HANDLERS.check(PLAIN)

_FOR_OTHERS = {ANALYSE: ANALYSE_A_GAME, SAY: SAY_TO_SPECTATORS, REPORT: REPORT_A_SPECTATOR}
"""The commands about a game, with the different commands that they are in games of other people."""
_IN_OWN = {other: own for own, other in _FOR_OTHERS.items() if own is not ANALYSE}
_FROM_ANYWHERE = (CONFIRM, CANCEL, STOP_ALL)
"""Commands that check by themselves which address may send them."""
_WITH = {SAY: {MOVE}, IF: {MOVE}, LUCK: {ACCEPT, COUNTER}, **{word: {MOVE} for word in WITH_A_MOVE.values()}}
"""Commands that another command of the same reply carries out together with its own effect."""
_LAST = (LUCK, IF)
"""The commands of these that are carried out last without such a command, and all of one kind together."""
_MOST_LINES = 200
_MOST_QUOTED = 15  # lines that were no commands


@dataclass
class _Sorted:
    """The commands of an email: those for the account, and those for each game, by its number."""

    account: list[Command] = field(default_factory=list)
    games: dict[int, list[Command]] = field(default_factory=dict)


def carry_out_parts(request: Request, games: OwnGames, courtesy: Courtesy, here: Reply | None = None) -> None:
    """Carry out all commands of an email in order; raises the error of the first one that fails.

    `here` is its part about the game whose email it answers; None if it answers none.
    """
    read = request.instructions
    for command in read.commands:
        _check_text(command, games)
        check_value(command, in_reply=here is not None)
        _check_addressee(request, command)
    if here is None and games.player is not None:
        _check_alone(request, games)
    found = _sort(request, games, None if here is None else here.target.game)
    replies: list[Reply] = []
    own = None if here is None else found.games.pop(here.target.game, None)
    if here is not None and own is not None:
        replies.append(replace(here, instructions=_part(read, own)))
    is_beside = here is None and len(found.games) == 1 and not found.account
    if not replies and not is_beside:
        _quote_unread(request, games.player, courtesy)
    for number, commands in sorted(found.games.items()):
        reply = _reply_about(request, games.player, number, _part(read, commands))
        beside = reply.instructions if is_beside else Instructions(reply.instructions.commands, "")
        replies.append(replace(reply, instructions=beside))
    for reply in replies:
        reply.action = request.action
        _carry_out_in_game(reply)
        if here is None and reply.asks_for(SAY, TELL) and not reply.asks_for(MOVE):
            _confirm_message(reply)
        request.action = reply.action
    if found.account:
        mail = AccountMail(**request.request_fields | {"instructions": _part(read, found.account)})
        _carry_out_in_account(mail)
        request.action = mail.action
    if here is None and found.games and not any(request.action.gathered.values()):
        done = ", ".join(quoted(str(command)) for command in read.commands)
        about = letter_about(replies[0].game, replies[0].target.seat) if len(replies) == 1 else None
        request.answer(Confirmation(f"Done: {done}", "" if about else "/games"), about)
    show_left_out(request, games.player, here)


def is_about(command: Command, game: int) -> bool:
    """Return True if a command in a reply is about the game whose email it answers."""
    return command.game in (None, game) and command.word in (MOVE, *REPLY)


def _check_addressee(request: Request, command: Command) -> None:
    """Raise BadRequest for a message that names a tournament as its addressee."""
    _, said = watching.split_game(command.argument)
    is_message = command.word in (SAY, TELL, SAY_TO_SPECTATORS)
    said = f"to {said}" if command.word is TELL else said
    if is_message and is_to_tournament(request.action.session, said):
        raise BadRequest(
            f"{quoted(str(command))} names a tournament, but Nabu sends messages only to the players of "
            "one game. To write to them, leave out the tournament: say TEXT"
        )


def _confirm_message(reply: Reply) -> None:
    """Confirm a message that is not in a reply about its game: name the game and the recipients."""
    game, seat = reply.game, reply.target.seat
    if messages.has_said_much(reply.action, game, seat):
        return  # the answer says so
    seated = log.seats(reply.action.session, game)
    people = messages.listeners(game, seated, seat)
    told = [messages.addressed(game, seated, seat, text) for text in reply.arguments(TELL)]
    said = [*reply.arguments(SAY), *(text for _, text in told)]
    heard = people if reply.asks_for(SAY) else {listener: people[listener] for listener, _ in told}
    sent = f"sent to {listed(list(heard.values()))}" if heard else "saved"
    where = f"game {reply.target.game}, {log.rules_of(game).title}"
    reply.answer(Confirmation(f"Your message has been {sent} in {where}: {quoted(said[-1])}"))


def _quote_unread(request: Request, player: Player | None, courtesy: Courtesy) -> None:
    """Add the words of a player that are not commands to the answer; strangers are not quoted."""
    beside = words_beside(request.instructions, courtesy)
    if not beside or player is None or not newcomers.is_known(player):
        return
    addresses = (request.reading.sender, player.email)
    request.action = replace(
        request.action,
        notice_lines=dict.fromkeys(addresses, "The lines below are not commands, so Nabu did not act on them."),
        quoted=dict.fromkeys(addresses, "\n".join(beside.splitlines()[:_MOST_QUOTED])),
    )


def _part(read: Instructions, commands: Sequence[Command]) -> Instructions:
    return replace(read, commands=tuple(commands))


def _sort(request: Request, games: OwnGames, here: int | None) -> _Sorted:
    """Sort the commands of an email by game and account. Raises Refused."""
    found = _Sorted()
    for each in request.instructions.commands:
        command = in_context(request, games, each) if here is None else each
        if command.game is not None and command.word in _FOR_OTHERS and games.seat(command.game) is None:
            found.account.append(
                Command(_FOR_OTHERS[command.word], f"{command.game} {command.argument}".strip())
            )
        elif here is not None and is_about(command, here):
            found.games.setdefault(here, []).append(replace(command, game=None, bare=False))
        elif command.word in (MOVE, *ABOUT_A_GAME):
            number = games.game_of(command)
            found.games.setdefault(number, []).append(replace(command, game=None, bare=False))
        else:
            found.account.append(command)
    return found


def in_context(request: Request, games: OwnGames, command: Command) -> Command:
    """Return a command with `say` or `report` of spectators replaced by the same command of players.

    This applies if the writer plays in the game that it is about; other commands stay as they are.
    """
    if command.word not in _IN_OWN or watched_game(request.action, request.reading) is not None:
        return command
    number, text = watching.split_game(command.argument)
    is_own = number is None or games.seat(number) is not None
    return Command(_IN_OWN[command.word], text, game=number) if is_own else command


def _check_text(command: Command, games: OwnGames) -> None:
    """Raise Unclear if a line of a message would by itself be a command or move in a game that it names."""
    lines = command.argument.split("\n")[1:] if command.word.takes.to_the_end else []
    for line in map(str.strip, lines[:_MOST_LINES]):
        named = split_number(line)
        if named is None or games.seat(named.game) is None:
            continue
        if ABOUT_A_GAME.split(named.text or "-")[0] or games.reads(named.game, named.text):
            raise Unclear(
                f"The line {quoted(line)} is below “{command.word}” and would be part of that text, but "
                f"by itself it is about game {named.game}. If you mean that game, write it above "
                f"“{command.word}”."
            )


def _check_alone(request: Request, games: OwnGames) -> None:
    """Raise Unclear for a message below the command that proposes a game.

    Otherwise it would go to another game, as people who may not know the writer get no messages from them.
    """
    commands = request.instructions.commands
    if all(command.word not in (CHALLENGE, SEEK) for command in commands):
        return
    read = [in_context(request, games, command) for command in commands]
    others = [command for command in read if command.word not in (SAY, TELL) or command.game is not None]
    if others != read:
        raise Unclear(
            "You cannot send a message with a challenge or an open game, because the other players may not "
            "know you. Once the game has started, reply to an email about it: say TEXT",
            ["\n".join(map(str, others))],
        )


def _reply_about(request: Request, player: Player | None, number: int, read: Instructions) -> Reply:
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


def _carry_out_in_game(reply: Reply) -> None:
    """Carry out all commands of a reply in order; raises at the first one that fails."""
    commands, turn = reply.instructions.commands, reply.game.turn
    if reply.certain and any(command.word is not STOP for command in commands) and _is_admitted(reply):
        players.confirm(reply.player, reply.action.now)
    present = {command.word for command in commands}
    alone = [command for command in commands if present.isdisjoint(_WITH.get(command.word, ()))]
    for command in alone:
        if command.word not in _LAST:
            GAME_HANDLERS.by_word[command.word](reply, command.argument)
    for word in _LAST:
        if any(command.word is word for command in alone):
            GAME_HANDLERS.by_word[word](reply, "")
    if reply.certain:
        reply.seat.heard_turn = turn
    handle_extra_text(reply)


def _is_admitted(reply: Reply) -> bool:
    """Return True if the writer is a player, or may become one now, for example by accepting."""
    player = reply.player
    return newcomers.is_known(player) or newcomers.admits(reply.action.session, player.email, player)


def _carry_out_in_account(mail: AccountMail) -> None:
    """Carry out all commands of an email in order; raises at the first one that fails."""
    if not newcomers.is_known(players.by_email(mail.action.session, mail.reading.sender)):
        mail.action = newcomers.by_stranger(mail.action, mail.peer)
    _check_rights(mail)
    # Words for luck are for the games that the other commands start.
    commands = mail.instructions.commands
    for command in sorted(commands, key=lambda command: command.word is not LUCK_WITH_A_CHALLENGE):
        ACCOUNT_HANDLERS.by_word[command.word](mail, command.argument)


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
