"""What the commands about open games do."""

from rules.registry import RULES
from server.accounts import players
from server.commands.vocabulary import JOIN, LEAVE, OPEN, SEEK, START
from server.errors import BadRequest
from server.game.lobby import early_start, joining, standing_offers
from server.game.log import log
from server.inbound.handlers.registry import Handlers
from server.inbound.request import AccountMail
from server.interpretation.options import game_types, read_seek
from server.outbound.letters.account import Confirmation
from server.outbound.letters.lobby import OpenGame, OpenGames

HANDLERS = Handlers[AccountMail]()


@HANDLERS.handles(SEEK)
def _seek(mail: AccountMail, argument: str) -> None:
    game_type, options = read_seek(argument)
    player = mail.player
    players.admit(mail.action, player)
    game = joining.seek(mail.action, player, game_type, options)
    mail.answer(OpenGame(log.id_of(game), players.identity(player)))


@HANDLERS.handles(OPEN)
def _list_open(mail: AccountMail, which: str) -> None:
    """All open games, those of a game type, or one by its number."""
    which, reader = which.lower().lstrip("#"), mail.player
    player = players.identity(reader)
    if which.isascii() and which.isdigit():
        mail.answer(OpenGame(log.id_of(joining.opened(mail.action.session, which, reader)), player))
    elif which and which not in RULES:
        raise BadRequest(
            f"“{which:.40}” is neither a game nor the number of one. The games are {game_types()}."
        )
    else:
        mail.answer(OpenGames(player, which))


@HANDLERS.handles(JOIN)
def _join(mail: AccountMail, number: str) -> None:
    if not number:
        raise BadRequest("Say which game, for example: join 12. To see the games that are open, write: open")
    player = mail.player
    game = joining.join(mail.action, player, int(number), mail.client_seed or "")
    if game.state == "open":
        mail.answer(OpenGame(int(number), players.identity(player)))


@HANDLERS.handles(START)
def _start(mail: AccountMail, number: str) -> None:
    player = mail.player
    game = early_start.start(mail.action, player, _joined(mail, number, "start"))
    if game.state == "open":
        mail.answer(OpenGame(log.id_of(game), players.identity(player)))


@HANDLERS.handles(LEAVE)
def _leave(mail: AccountMail, number: str) -> None:
    player = mail.player
    game = standing_offers.leave(mail.action, player, _joined(mail, number, "leave"))
    if log.has_begun(game):
        mail.answer(
            Confirmation(f"Games like game {game.id} are offered no more; those that have begun go on.")
        )
        return
    how = "is no longer open" if game.state == "closed" else "goes on waiting without you"
    mail.answer(Confirmation(f"You have left game {game.id}; it {how}."))


def _joined(mail: AccountMail, number: str, word: str) -> int:
    """The open game to be left, or begun: the only one, if it has no number."""
    if number:
        return int(number)
    waiting = joining.joined(mail.action.session, mail.player)
    if len(waiting) != 1:
        numbers = ", ".join(map(str, waiting)) or "none"
        raise BadRequest(f"Say which game, for example: {word} 12. Open games that you have joined: {numbers}.")
    return waiting[0]
