"""Emails to the plain address whose subject or quote names a game: Nabu asks whether they are about it.

Some gateways replace the reply address by the server's address, and drop the fields that name the answered
email. Then the subject usually still names the game, but nothing names the turn.
"""

import re
from dataclasses import replace

from server.commands.parser import Command
from server.commands.vocabulary import ABOUT_A_GAME
from server.commands.word import MOVE
from server.errors import Refused, Unclear
from server.inbound.authorization.yes_replies import mail_answered
from server.inbound.execution import in_context
from server.inbound.own_games import OwnGames
from server.inbound.request import AccountMail

_MOST_READ = 20_000
"""Characters of the quote that are looked at."""
_NUMBER = re.compile(r"(?<![\d.])[0-9]{1,15}(?!\.?\d)")
_PAGE = re.compile(r"/games/([0-9]{1,15})\b")
_MOST_NUMBERS = 20


def check_named_game(mail: AccountMail, games: OwnGames) -> None:
    """Raise Unclear if the subject or the quote of an email names a game, but its commands do not."""
    if mail_answered(mail.action, mail.reading) is not None:
        return
    commands = [in_context(mail, games, command) for command in mail.instructions.commands]
    unnamed = [each for each in commands if each.game is None and each.word in (MOVE, *ABOUT_A_GAME)]
    number = _named_game(mail, games) if unnamed else None
    if number is None or all(_is_for(games, command, number) for command in unnamed):
        return
    named = [replace(command, game=number) if command in unnamed else command for command in commands]
    raise Unclear(
        f"Was this for game {games.described(number)}? Nabu cannot see which email you answer.",
        ["\n".join(map(str, named))],
    )


def _is_for(games: OwnGames, command: Command, number: int) -> bool:
    """Return whether a command can be for no other game; a move never is certain, as its turn is unknown."""
    try:
        return command.word is not MOVE and games.game_of(command) == number
    except Refused:
        return False


def _named_game(mail: AccountMail, games: OwnGames) -> int | None:
    """Return the only game of the writer's that the subject names, or else the quote."""
    subject, quote = mail.reading.subject, mail.reading.written.rest[:_MOST_READ]
    numbers = dict.fromkeys(map(int, _NUMBER.findall(subject)[:_MOST_NUMBERS]))
    found = [number for number in numbers if games.is_titled(number, subject)]
    found = found or [
        number
        for number in dict.fromkeys(map(int, _PAGE.findall(quote)[:_MOST_NUMBERS]))
        if games.seat(number) is not None
    ]
    return found[0] if len(found) == 1 else None
