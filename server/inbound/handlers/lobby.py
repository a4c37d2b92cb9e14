"""The handlers of commands with which players find, join and leave games and tournaments."""

from functools import partial

from rules.registry import RULES
from rules.sentences import quoted
from server.accounts import players
from server.actions import lobby, tournaments
from server.commands.account_words import JOIN, LEAVE, LOBBY, START
from server.commands.word import Word
from server.errors import BadRequest
from server.game.lobby import joining, seats, upkeep
from server.game.log import log, visibility
from server.inbound.handlers.places import find_place
from server.inbound.handlers.registry import Handlers
from server.inbound.request import AccountMail
from server.interpretation.options import game_types
from server.outbound.letters.lobby import OpenGame, OpenGames
from server.store.models import Game
from server.store.models.columns import row_number
from server.tournaments import signup

HANDLERS = Handlers[AccountMail]()


@HANDLERS.handles(LOBBY)
def _list_open(mail: AccountMail, which: str) -> None:
    """Send all open games, those of a game type, or one by its number."""
    which, reader = which.lower().lstrip("#"), mail.player
    player = players.identity(reader)
    if number := row_number(which):
        mail.answer(OpenGame(log.id_of(joining.opened(mail.action.session, number, reader)), player))
    elif which and which not in RULES:
        raise BadRequest(
            f"{quoted(which)} is neither a game nor the number of one. The games are {game_types()}."
        )
    else:
        mail.answer(OpenGames(player, which))


@HANDLERS.handles(JOIN)
def _join(mail: AccountMail, text: str) -> None:
    """Join an open game or a tournament."""
    session, player = mail.action.session, mail.player
    if not text:
        raise BadRequest(
            "Say which game or tournament, for example: join 12, or join Spring Cup. For a list of open games, "
            "write: lobby. For a list of tournaments, write: tournaments"
        )

    def is_open(number: int) -> bool:
        game = session.get(Game, number)
        return game is not None and game.state == "open" and visibility.is_visible(session, game, player.id)

    place = find_place(session, JOIN, text, is_open, partial(signup.is_open, session))
    if place.is_tournament:
        mail.confirm(tournaments.JOIN.carry_out(mail.actor_in_tournament(place.number), {}))
        return
    actor = mail.actor_in_game(place.number, seats.none_open(place.number))
    mail.confirm(lobby.JOIN.carry_out(actor, {"luck": mail.client_seed or ""}))


@HANDLERS.handles(START)
def _start(mail: AccountMail, text: str) -> None:
    """Start an open game or a tournament."""
    session, player = mail.action.session, mail.player
    if text:
        own, made = joining.joined(session, player), signup.made(session, player)
        place = find_place(session, START, text, own.__contains__, made.__contains__)
        if place.is_tournament:
            mail.confirm(tournaments.START.carry_out(mail.actor_in_tournament(place.number), {}))
            return
    number = place.number if text else _only_joined(mail, START)
    mail.confirm(lobby.START.carry_out(mail.actor_in_game(number, seats.none_open(number)), {}))


@HANDLERS.handles(LEAVE)
def _leave(mail: AccountMail, text: str) -> None:
    """Leave an open game or a tournament."""
    session, player = mail.action.session, mail.player
    if text:
        own, entered = joining.joined(session, player), signup.entered(session, player)
        place = find_place(
            session,
            LEAVE,
            text,
            lambda number: number in own or upkeep.is_own(session, player, number),
            lambda number: number in entered,
        )
        if place.is_tournament:
            mail.confirm(tournaments.LEAVE.carry_out(mail.actor_in_tournament(place.number), {}))
            return
    number = place.number if text else _only_joined(mail, LEAVE)
    mail.confirm(lobby.LEAVE.carry_out(mail.actor_in_game(number, seats.none_open(number)), {}))


def _only_joined(mail: AccountMail, word: Word) -> int:
    """Return the only open game that the writer has joined. Raises BadRequest if there is not exactly one."""
    waiting = joining.joined(mail.action.session, mail.player)
    if len(waiting) != 1:
        numbers = ", ".join(map(str, waiting)) or "none"
        raise BadRequest(
            f"Say which game, for example: {word.word} 12. Open games that you have joined: {numbers}."
        )
    return waiting[0]
