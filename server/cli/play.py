"""`nabu play`: play against the computer in a terminal, without database, settings or network."""

from __future__ import annotations

import hashlib
import secrets
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path

import click

from rules.analysis import hints
from rules.chance import Chance
from rules.drawing import ascii_board
from rules.errors import Ambiguous, BadData, WrongMove
from rules.records.record import Record, turn_of
from rules.registry import RULES, rules_named
from rules.sentences import quoted
from rules.strengths import NAMES, level_of
from server.errors import BadRequest
from server.game.computer.tryout import Partner, Tryout
from server.game.terms.game_types import rules_page
from server.interpretation.options import read_options

_WIDTH = 72
_MOST_MOVES = 60
_PROMPT = "> "


@click.command()
@click.argument("name", metavar="GAME", type=click.Choice(sorted(RULES), case_sensitive=False))
@click.argument("options", metavar="[OPTION=VALUE]...", nargs=-1)
@click.option(
    "--against", default="Enkidu", help=f"The computer's level, 1 to 5, or its name: {', '.join(NAMES)}."
)
@click.option("--seat", default=0, help="Your seat; the first one is 0, which is the default.")
@click.option("--seed", help="Any text; with the same seed and the same moves, the game is the same.")
@click.option("--words", is_flag=True, help="Describe the board in words instead of drawing it.")
def play(name: str, options: tuple[str, ...], against: str, seat: int, seed: str | None, words: bool) -> None:
    """Play against the computer.

    For example: nabu play nibble board=hex-13 --against Amytis

    Write moves as in emails; "help" lists the commands. Standard input may be a file.
    """
    level = _level(against)
    try:
        _check_seat(name, options, seat)
        partner = Partner(NAMES[level - 1], level, seconds=None)
        game = Tryout.begin(name, read_options(options), seat=seat, partner=partner, secret=secret_of(seed))
    except (BadData, BadRequest) as error:
        raise click.UsageError(str(error)) from None
    _Sitting(game, in_words=words).play()


def secret_of(seed: str | None) -> bytes:
    """Return the secret from which a game draws: derived from the seed, or random without one."""
    return secrets.token_bytes(32) if seed is None else hashlib.sha256(f"nabu play {seed}".encode()).digest()


class _Done(Exception):
    """The player leaves."""


class _Sitting:
    """A game at the terminal: its states so far, and the commands that the player may write."""

    def __init__(self, game: Tryout, *, in_words: bool) -> None:
        self._games, self._in_words = [game], in_words
        self._commands: dict[str, tuple[Callable[[str], None], str]] = {
            "hint": (self._hint, "show a good move, and why it is good"),
            "moves": (self._moves, "list the moves that you can play"),
            "board": (self._board, "show the board again; also “board words” and “board picture”"),
            "rules": (self._rules, "show the rules of the game"),
            "undo": (self._undo, "take back your last move and the computer's answer"),
            "resign": (self._resign, "resign"),
            "save": (self._save, "save FILE: write the game to a file that “nabu replay FILE” shows"),
            "help": (self._help, "show this list"),
            "quit": (self._quit, "leave without finishing the game"),
        }

    def play(self) -> None:
        """Play until the game is over, or the player leaves, or their input ends."""
        game = self._game
        _say(f"{game.rules.title} against {game.partner.name}. You are {game.title}.")
        examples = " or ".join(game.rules.examples(game.position, game.seat)[:2])
        _say(f"Write your {self._noun}, such as {examples}; or write help.")
        self._show()
        try:
            while not self._game.is_over:
                self._answer(_asked(_PROMPT))
            self._offer_to_save()
        except (_Done, EOFError, KeyboardInterrupt):
            click.echo()

    @property
    def _game(self) -> Tryout:
        return self._games[-1]

    @property
    def _noun(self) -> str:
        return "orders" if self._game.rules.simultaneous else "move"

    def _answer(self, line: str) -> None:
        """Carry out a command, or play a move."""
        word, _, rest = line.partition(" ")
        command = self._commands.get(word.lower())
        if command is not None:
            command[0](rest.strip())
        elif line:
            self._move(line)

    def _move(self, text: str) -> None:
        try:
            self._go_on(self._game.play(text))
        except WrongMove as problem:
            _say(str(problem))
            if isinstance(problem, Ambiguous):
                _list(problem.choices)

    def _go_on(self, game: Tryout) -> None:
        self._games.append(game)
        self._show()

    def _show(self) -> None:
        """Print the last moves, the board, and the result if the game is over."""
        click.echo()
        for sentence in chain.from_iterable(self._game.last_story):
            _say(sentence)
        self._board("")
        if self._game.result:
            _say(self._game.result)

    def _board(self, way: str) -> None:
        if way:
            self._in_words = way == "words"
        board = self._game.board
        click.echo()
        if not self._in_words:
            click.echo(ascii_board(board.diagram))
        for passage in board.words if self._in_words else ():
            _say(f"{passage.heading}:")
            for line in passage.lines:
                _say(line, "  ")
        click.echo()

    def _hint(self, _: str) -> None:
        game = self._game
        below = Chance(game.secret, f"hint, turn {game.turn}").below
        seats = len(game.names)
        hint = hints.find(game.rules, game.position, game.seat, seats, below, seconds=hints.SECONDS)
        _say(hint.best.move, "    ")
        _say(" ".join(hint.reasons))

    def _moves(self, _: str) -> None:
        game = self._game
        listing = game.rules.listing(game.position, limit=_MOST_MOVES + 1)
        if isinstance(listing, dict):
            for piece, orders in listing.get(str(game.seat), {}).items():
                _say(f"{piece}: {', '.join(orders)}", "  ")
            return
        _list(listing[:_MOST_MOVES])
        if len(listing) > _MOST_MOVES:
            _say(f"These are the first {_MOST_MOVES}; there are more.")

    def _rules(self, _: str) -> None:
        click.echo(rules_page(self._game.rules.name))

    def _undo(self, _: str) -> None:
        if len(self._games) == 1:
            _say("You have not played anything yet.")
            return
        self._games.pop()
        _say("Your last move and the answer to it were taken back.")
        self._show()

    def _resign(self, _: str) -> None:
        self._go_on(self._game.resign())

    def _save(self, name: str) -> None:
        if not name:
            _say("Add a file name, for example: save game.json")
            return
        self._is_saved(name)

    def _is_saved(self, name: str) -> bool:
        """Save the game in a new file of this name; return whether that succeeded."""
        file = Path(name).expanduser()
        try:
            with file.open("x", encoding="utf-8") as opened:
                opened.write(self._record().to_json())
        except FileExistsError:
            _say(f"{file} already exists. Write another name.")
        except OSError as error:
            _say(f"{file} cannot be written: {error.strerror}.")
        else:
            _say(f"Saved. To look at it: nabu replay {file}")
            return True
        return False

    def _record(self) -> Record:
        game = self._game
        turns = tuple(turn_of(game.rules, step) for each in self._games for step in each.steps)
        names = tuple(game.names)
        return Record(game.rules.name, game.options, game.setup, names, turns, game.ended)

    def _offer_to_save(self) -> None:
        """Ask for a file name until the game is saved or the player declines."""
        while name := _asked("Save the game? Write a file name, or press Enter for no: "):
            if self._is_saved(name):
                return

    def _help(self, _: str) -> None:
        game = self._game
        _say(f"Write your {self._noun} as in an email:")
        _list(game.rules.examples(game.position, game.seat))
        _say("Or write:")
        for word, command in self._commands.items():
            _say(f"{word:<8}{command[1]}", "  ")

    def _quit(self, _: str) -> None:
        raise _Done


def _asked(prompt: str) -> str:
    """Return the line that the player writes. Echo it if it comes from a file, as a terminal would."""
    line = " ".join(input(prompt).split())
    if not sys.stdin.isatty():
        click.echo(line)
    return line


def _say(text: str, indent: str = "") -> None:
    for line in textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent):
        click.echo(line)


def _list(moves: Iterable[str]) -> None:
    for move in moves:
        _say(move, "    ")


def _level(written: str) -> int:
    level = level_of(written)
    if level is None:
        raise click.UsageError(
            f"There is no computer player {quoted(written)}. Choose 1 to 5, or {', '.join(NAMES)}."
        )
    return level


def _check_seat(name: str, options: Sequence[str], seat: int) -> None:
    rules = rules_named(name)
    seats = rules.seats(rules.options(read_options(options)))
    if seat not in range(len(seats)):
        numbered = ", ".join(f"{number} ({title})" for number, title in enumerate(seats))
        raise BadRequest(f"There is no seat {seat} in this game. The seats are {numbered}.")
