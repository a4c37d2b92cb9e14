"""The commands of an email about its sender's account, carried out in order."""

from server.accounts import newcomers, players
from server.commands.account_words import CANCEL, CONFIRM, LOGIN, LUCK_WITH_A_CHALLENGE, STOP_ALL
from server.commands.vocabulary import PLAIN
from server.commands.word import Effect
from server.errors import BadRequest
from server.inbound.handlers import account, lobby, player, tournaments, watching
from server.inbound.request import AccountMail

HANDLERS = account.HANDLERS | player.HANDLERS | lobby.HANDLERS | tournaments.HANDLERS | watching.HANDLERS
HANDLERS.check(PLAIN)

_FROM_ANYWHERE = (CONFIRM, CANCEL, STOP_ALL)
"""Commands that check by themselves which address may send them."""


def carry_out_for_account(mail: AccountMail) -> None:
    """Carry out all commands of an email in order; raises at the first one that fails."""
    if not newcomers.is_known(players.by_email(mail.action.session, mail.reading.sender)):
        mail.action = newcomers.by_stranger(mail.action, mail.peer)
    _check_rights(mail)
    # A seed is for what the other commands begin.
    commands = mail.instructions.commands
    for command in sorted(commands, key=lambda command: command.word is not LUCK_WITH_A_CHALLENGE):
        HANDLERS.carry_out(mail, command)


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
