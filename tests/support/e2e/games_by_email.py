"""Games by email with random moves."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from email.message import EmailMessage

from sqlalchemy import Engine

from rules.game import Json
from rules.records.turns import read_turn
from rules.registry import RULES
from server.game.log import log
from server.store.db import reading
from server.store.models import Game
from tests.support.e2e.mailboxes import Person, text_of
from tests.support.rules.random_games import short_game

NAMES = ("ann", "ben", "cleo", "dan")
Make = Callable[[str], Person]


class Match:
    """One game. All players read each of their emails, and reply when it is their turn.

    `mark` distinguishes its people from those of other games: Ann7 is at ann7@example.org.
    """

    def __init__(self, engine: Engine, mark: int, game_type: str, options: Mapping[str, object]) -> None:
        self.engine = engine
        self.mark = mark
        self.rules = RULES[game_type]
        self.options = options
        self.moves = short_game(game_type, dict(options))
        self.below = random.Random(f"{game_type} {dict(options)}").randrange
        self.people: list[Person] = []
        self.number = 0
        self.mails: list[EmailMessage] = []
        """The last email that each player has read, by seat."""

    def begin(self, person: Make) -> None:
        """Register the first player, who challenges the others; they accept."""
        seats = len(self.rules.seats(self.rules.options(self.options)))
        first, *others = (person(f"{name}{self.mark}@example.org") for name in NAMES[:seats])
        first.write(f"register {NAMES[0]}{self.mark}")
        assert "Welcome" in str(first.next()["Subject"])
        wishes = " ".join(f"{name}={value}" for name, value in self.options.items())
        first.write(f"challenge {', '.join(other.address for other in others)} {self.rules.name} {wishes}")
        assert "on its way" in text_of(first.next())
        for other in others:
            other.answer(other.next(), "accept")
            if other is not others[-1]:
                assert "You have accepted" in text_of(other.next())
        self._sit_down([first, *others])

    def play_to_the_end(self) -> None:
        """Play until the game is over."""
        while self.game().state == "running":
            self.play_turn()

    def play_turn(self) -> None:
        """Play one turn: a move, or the orders of all players."""
        game = self.game()
        position = log.position_of(game)
        seats, gone = self.rules.to_move(position), self.rules.seats_out(position)
        for seat, move in self.moves(position).items():
            text = spelled(self.rules.name, self.rules.format(move), self.below)
            self.people[seat].answer(self.mails[seat], text)
            if seat != seats[-1]:
                assert f"turn {game.turn} are sealed" in text_of(self.people[seat].next())
        self.hear(game.turn, gone)

    def give_up(self) -> None:
        """Let all players but one resign, each when it is their turn."""
        while (game := self.game()).state == "running":
            position = log.position_of(game)
            leaving = self.rules.to_move(position)[0]
            self.people[leaving].answer(self.mails[leaving], "resign")
            self.hear(game.turn, self.rules.seats_out(position))

    def hear(self, turn: int, gone: Sequence[int] = ()) -> None:
        """Let players read a report of the turns from `turn` on.

        At the end of the game all read it, else those to move and those just eliminated. `gone` are the seats
        that were eliminated before.
        """
        # Every change of a turn is emailed to someone.
        world, addresses = self.people[0].world, [person.address for person in self.people]
        world.wait_until(lambda: self.game().turn > turn or self.game().state == "over", addresses)
        game = self.game()
        turns = [read_turn(line, len(self.people)) for line in self.lines(turn)]
        played = [move for each in turns for move in each.texts().items()]
        running, position = game.state == "running", log.position_of(game)
        to_move = self.rules.to_move(position) if running else ()
        out = set(self.rules.seats_out(position)).difference(gone)
        for seat in {*to_move, *out} if running else range(len(self.people)):
            mail = self.mails[seat] = self.people[seat].next()
            words = " ".join(text_of(mail).split())
            seen = [self.rules.seen_by(seat, mover, text) for mover, text in played]
            assert all(text in words or self.rules.deed(text) in words for text in seen), f"{seen}: {words}"
            assert ("for example:" in words) == (seat in to_move)
            assert ("You are out of this game" in words) == (running and seat in out)
            assert ("The game is over" in words) != running

    def game(self) -> Game:
        """Return the game as it is stored."""
        with reading(self.engine) as session:
            return session.get_one(Game, self.number)

    def lines(self, first: int = 1) -> list[Json]:
        """Return the stored turns from number `first` on."""
        with reading(self.engine) as session:
            return [turn.body["line"] for turn in log.turns(session, self.game(), first)]

    def _sit_down(self, people: Sequence[Person]) -> None:
        """Read the emails at the beginning of the game, and assign seats."""
        mails = {person.address: (person, person.next()) for person in people}
        found = re.search(r" (\d+): ", str(next(iter(mails.values()))[1]["Subject"]))
        assert found is not None
        self.number = int(found[1])
        with reading(self.engine) as session:
            seated = [
                mails[player.email] for _, player in log.seats(session, session.get_one(Game, self.number))
            ]
        self.people = [person for person, _ in seated]
        self.mails = [mail for _, mail in seated]


def spelled(game_type: str, move: str, below: Callable[[int], int]) -> str:
    """Return a move, given in canonical text, in the spelling of one person."""
    ways = [move, move.upper(), f"{move}.", *_WAYS[game_type](move)]
    return ways[below(len(ways))]


def _nebuchadnezzar(move: str) -> list[str]:
    if move == "swap":
        return ["Swap"]
    corners = move.removeprefix("x")
    if corners == move:
        return [f"place {move}", f"put {move[0]} {move[1:]}"]
    return [f"flip {corners.replace('-', ' to ')}", f"X {corners.replace('-', ':')}"]


def _nexus(move: str) -> list[str]:
    first, *others = move.split()
    broken = ["\n".join(move.rsplit(" ", 1))] if len(others) > 1 else []
    return [f"{first.title()} {', '.join(others)}", move.replace("-", " -> "), *broken]


_WAYS: dict[str, Callable[[str], list[str]]] = {
    "nardshir": lambda move: [
        move.replace("hand", "h").replace(" ", ", "),
        move.replace("/", "-").replace(" ", "\n"),
        move.replace("/", " to "),
    ],
    "nebuchadnezzar": _nebuchadnezzar,
    "nelaxtam": lambda move: [move.replace(", ", "\n"), move.replace(",", ""), move.replace(", ", ";  ")],
    "nexus": _nexus,
    "nibble": lambda move: [
        f"take {move.replace(' ', ', ')}",
        move.replace(" ", " and "),
        move.replace(" ", "\n"),
        move.replace(" ", "+"),
    ],
}
"""Other spellings of a move that the rules page of each game allows."""
