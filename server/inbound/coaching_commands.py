"""What the command about games that are over does at the plain address."""

from server.accounts.players import identity
from server.commands.vocabulary import ANALYSE_A_GAME
from server.errors import BadRequest
from server.game.computer import inquiries
from server.game.log import log, visibility
from server.inbound.handlers.registry import Handlers
from server.inbound.request import AccountMail
from server.outbound.letters.analysis import GameAssessed
from server.store.letters.letter import About

HANDLERS = Handlers[AccountMail]()


@HANDLERS.handles(ANALYSE_A_GAME)
def _assess(mail: AccountMail, number: str) -> None:
    """Of a game of theirs, or any that they may see."""
    if not number:
        raise BadRequest("Say which game, by its number, for example: analyse 12")
    player = mail.player
    found = visibility.visible_game(mail.action.session, int(number), identity(player))
    if found is None:
        raise BadRequest(f"There is no game {number}.")
    game, seat = found
    if inquiries.ask_assessment(mail.action, player, game, seat, by_mail=True) is not None:
        mail.answer(GameAssessed(), About(log.id_of(game), seat))
