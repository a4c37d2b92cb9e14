"""Reading of emails to the plain address: their text, and the commands and phrases in it."""

from collections.abc import Sequence
from functools import partial

from mail.reading.message import Reading
from mail.reading.stationery import part
from server.commands.account_words import HELLO
from server.commands.arguments import NUMBER, OPTIONS
from server.commands.courtesy import Courtesy
from server.commands.parser import Command, Instructions, begins_like_a_move, read_commands
from server.commands.vocabulary import ABOUT_A_GAME, HELP, PLAIN, REPLY
from server.commands.word import MOVE, Effect
from server.inbound.own_games import OwnGames
from server.inbound.usual_lines import UsualLines
from server.interpretation.phrases import TO_THE_PLAIN_ADDRESS, Read
from server.interpretation.reply_checks import stop_in_subject, without_prefix

_MOST_LINES = 30  # of an email that are looked at
_MOST_BELOW = 3  # commands below other words
_WORDS = PLAIN | ABOUT_A_GAME.strict
COURTESY = Courtesy(meant=_WORDS.spelled.keys())
"""Courtesy in emails to the plain address."""


def is_for_account(reading: Reading) -> bool:
    """Return True if a reply begins with a command for the plain address that is no command in a game."""
    read = _read_plain(text_of(reading))
    commands = [command for command in read.commands if command.word is not HELLO]
    if not commands or any(map(_may_be_in_game, read.below)):
        return False
    return commands[0].word.word not in REPLY or _names_a_game(commands[0])


def _may_be_in_game(line: str) -> bool:
    """Return True if a line below commands of the plain address may be a command about a game, or a move."""
    return line != "" and (REPLY.split(line)[0] is not None or begins_like_a_move(line))


def _names_a_game(command: Command) -> bool:
    """Return True if a command names its game by a number, as `accept 12` does."""
    first = command.argument.lstrip("#").partition(" ")[0]
    return command.word.takes in (NUMBER, OPTIONS) and first.isdecimal()


def text_of(reading: Reading, usual: UsualLines | None = None, read: Read | None = None) -> str:
    """Return the text of an email to the plain address, from which its commands are read.

    It is the subject if the text is empty, or if only the subject contains a request for no more email.
    Stationery, such as a signature, is removed: `usual` are lines of the sender that also count as such. `read`
    reads the commands in a text.
    """
    read = read or _read_plain
    written = _without_stationery(reading, usual, read)
    stop, commands = stop_in_subject(reading), _read_plain(written).commands
    if stop and all(command.word is HELLO for command in commands):
        return stop
    text = written if written.strip() or reading.unread else without_prefix(reading.subject)
    return HELP.word if text.strip() == "?" else text


def _without_stationery(reading: Reading, usual: UsualLines | None, read: Read) -> str:
    """Return the text without its stationery, unless a line of that may be a command.

    Below a message the stationery stays, as it may be the end of that.
    """
    names = [reading.author.name]
    parted = part(reading.text, names) if usual is None else usual.part(reading.text, names, read)
    if any(read(line).commands for line in parted.lines_aside):
        return reading.text
    takes_all = any(command.word.takes.to_the_end for command in read(parted.text).commands)
    return parted.to_the_end if takes_all else parted.text


def _read_plain(text: str) -> Instructions:
    return read_commands(text, lambda line: False, PLAIN, COURTESY)


def read_account(text: str, games: OwnGames) -> Instructions:
    """Return the commands in a text, including those that are written as phrases: "show my games"."""
    read = partial(_read_lines, games=games)
    return read(TO_THE_PLAIN_ADDRESS.translate(text, games.reads_anywhere, read, COURTESY))


def _read_lines(text: str, games: OwnGames) -> Instructions:
    """Return the commands in a text; none if prose stands above a move, as it could be part of the prose."""
    if games.player is None:
        return read_commands(text, lambda line: False, PLAIN, COURTESY)
    read = read_commands(text, games.reads_anywhere, _WORDS, COURTESY, games.for_reading(plain=True))
    prose = [line for line in filter(None, read.above) if not COURTESY.is_polite(line)]
    return Instructions((), prose[0]) if prose and read.moves else read


def read_without_greetings(text: str, games: OwnGames) -> Sequence[Command]:
    """Return the commands in a text, but not greetings such as "hello"."""
    return [command for command in read_account(text, games).commands if command.word is not HELLO]


def commands_below(text: str, games: OwnGames) -> list[str]:
    """Return commands that stand below other text and so were not read: those that would change something."""
    lines = text.strip().splitlines()[:_MOST_LINES]
    found = [each for line in lines for each in read_account(line, games).commands if each.word is not MOVE]
    wanted = [str(command) for command in found if command.word.effect is not Effect.READS]
    return list(dict.fromkeys(wanted))[:_MOST_BELOW]
