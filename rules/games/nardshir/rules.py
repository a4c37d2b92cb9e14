"""Nardshir: two sides race fifteen discs each around twenty-four points, by dice.

The rules for players are in `docs/rules/nardshir.md`, those for a single disc in `board`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from rules.drawing.diagram import Diagram
from rules.errors import Ambiguous, BadData, IllegalMove
from rules.game import Json, Rules, Step
from rules.games.nardshir import description
from rules.games.nardshir.bearing_off import exact_chances
from rules.games.nardshir.board import (
    DISCS,
    FACES,
    HAND,
    OFF,
    STANDSTILL,
    Hop,
    Side,
    Turn,
    after_hop,
    can_move,
    chains,
    dice_left,
    explained,
    hop_between,
    obstacle,
    open_ways,
    outcomes,
    play_hop,
    whole_turns,
)
from rules.games.nardshir.estimate import estimate
from rules.games.nardshir.move_builder import TurnBuilder, picks_of
from rules.games.nardshir.notation import Stretch, read_move, short_text, stretch_text, turned, write_move
from rules.games.nardshir.picture import picture, picture_for, story
from rules.games.nardshir.playout import playout
from rules.games.nardshir.position import SEATS, Position, read_position, write_position
from rules.reading import need_no_more
from rules.result import Result
from rules.sentences import SeatNames, listed


class Nardshir(Rules[Position, Turn]):
    """The rules of Nardshir: bring fifteen discs around the board and off it, before the other side does."""

    name: ClassVar[str] = "nardshir"
    title: ClassVar[str] = "Nardshir"
    primer: ClassVar[str] = (
        "You win when all your fifteen discs have come out of your hand, gone around the board and left it. "
        "You count the points from your own side, from 1 up to 24: each die, and each of a double twice, "
        "brings a disc from your hand to the point with its number, or moves a disc that many points on. "
        "Your points 1 to 6 hold at most two of your discs each; a single enemy disc is hit and goes back to "
        "its owner's hand, a point with two or more enemy discs is closed to you, and once all your discs on "
        "the board are on 19 to 24, they leave by exact throws."
    )
    reasons: ClassVar[Mapping[str, str]] = {
        "borne-off": "all fifteen discs are off the board",
        "blocked": "neither side could move with any roll",
        "standstill": f"no disc was borne off for {STANDSTILL} turns",
    }

    # The start of a game

    def options(self, given: Mapping[str, object]) -> Json:
        need_no_more(given, (), "Nardshir has no option “{}”, nor any other option.")
        return {}

    def seats(self, options: Json) -> tuple[str, ...]:
        return SEATS

    def signs(self, position: Position) -> tuple[str, ...]:
        return tuple(f"discs {seat}" for seat in SEATS)

    def usual_turns(self, options: Json) -> int:
        return 140

    def start(self, options: Json, setup: Json) -> Position:
        if setup:
            raise BadData("Nardshir starts with all discs in hand; it has no setup.")
        side = (DISCS, *[0] * OFF)
        return Position(discs=(side, side))

    # Positions as data

    def write(self, position: Position) -> Json:
        return write_position(position)

    def read(self, options: Json, data: Json, memory: Sequence[str] = ()) -> Position:
        position = read_position(data)
        if position.dice and self.result(replace(position, dice=())):
            raise BadData("This game is over, so it has no dice.")
        return position

    # Whose turn it is

    def to_move(self, position: Position) -> tuple[int, ...]:
        return () if self.result(position) else (position.to_move,)

    def result(self, position: Position) -> Result | None:
        if position.dice:
            return None
        first, second = position.discs
        for seat, side in enumerate(position.discs):
            if side[OFF] == DISCS:
                return Result((seat,), "borne-off")
        if not can_move(first, second, FACES) and not can_move(second, first, FACES):
            return Result((0, 1), "blocked")
        if position.quiet_turns >= STANDSTILL:
            return Result((0, 1), "standstill")
        return None

    def dice(self, position: Position) -> int:
        return 0 if position.dice or self.result(position) else 2

    def roll(self, position: Position, dice: Sequence[int]) -> Position:
        if not self.dice(position):
            raise BadData("There are no dice to roll now.")
        if len(dice) != 2 or not set(dice) <= set(FACES):
            raise BadData(f"A roll is two dice, each from 1 to 6, not {list(dice)}.")
        played = tuple(dice) * (2 if dice[0] == dice[1] else 1)
        return Position(position.discs, position.to_move, played, position.turn, position.quiet_turns)

    def forced(self, position: Position) -> Turn | None:
        if not position.dice or can_move(*position.sides(position.to_move), position.dice):
            return None
        return ()

    # Moves

    def understand(self, position: Position, seat: int, text: str) -> Turn:
        written = read_move(text)
        self.check_turn(position, seat, SEATS)
        if not position.dice:
            raise IllegalMove("The dice for this turn have not been rolled yet.")
        mine, theirs = position.sides(seat)
        turn: Turn = ()
        for stretch in written:
            hop = _hop(mine, theirs, dice_left(position.dice, turn), stretch)
            mine, theirs = after_hop(mine, theirs, hop)
            turn = (*turn, hop)
        if ways := list(open_ways(mine, theirs, dice_left(position.dice, turn))):
            raise _unfinished(turn, ways)
        return turn

    def format(self, move: Turn) -> str:
        return write_move(move)

    def moves(self, position: Position, seat: int, only: str = "") -> Iterator[Turn]:
        """Yield complete turns, each text once: the same hops in another order are another turn. Passes are
        left out.
        """
        if seat == position.to_move:
            yield from filter(None, whole_turns(*position.sides(seat), position.dice))

    def sample(self, position: Position, seat: int, below: Callable[[int], int]) -> Turn:
        mine, theirs = map(list, position.sides(seat))
        dice = list(position.dice)
        turn: list[Hop] = []
        while dice and (ways := list(open_ways(mine, theirs, dice))):
            hop = hop_between(theirs, *ways[below(len(ways))])
            play_hop(mine, theirs, hop)
            dice.remove(hop.die)
            turn.append(hop)
        return tuple(turn)

    def play(self, position: Position, moves: Mapping[int, Turn]) -> Position:
        seat = position.to_move
        mine, theirs = map(list, position.sides(seat))
        for hop in moves[seat]:
            play_hop(mine, theirs, hop)
        first, second = (mine, theirs) if seat == 0 else (theirs, mine)
        borne_off = mine[OFF] > position.discs[seat][OFF]
        return Position(
            discs=(tuple(first), tuple(second)),
            to_move=1 - seat,
            turn=position.turn + 1,
            quiet_turns=0 if borne_off else position.quiet_turns + 1,
        )

    # Move builders

    def move_builder(self, position: Position, seat: int) -> TurnBuilder:
        return TurnBuilder(position, position)

    def picks_of(self, position: Position, seat: int, move: Turn) -> tuple[str, ...]:
        return picks_of(move)

    # For computer players

    looks_ahead: ClassVar[bool] = True

    def evaluate(self, position: Position) -> tuple[float, float]:
        return estimate(position)

    def exact(self, position: Position) -> tuple[float, float] | None:
        return exact_chances(position)

    def candidates(self, position: Position, seat: int) -> Iterator[Turn]:
        """Yield one turn for each different result on the board."""
        yield from filter(None, outcomes(*position.sides(seat), position.dice))

    def playout(self, position: Position, below: Callable[[int], int], most: int) -> tuple[Result | None, int]:
        return playout(position, below, most)

    # For people

    def diagram(
        self, position: Position, step: Step[Position, Turn] | None = None, plan: Turn | None = None
    ) -> Diagram:
        return picture(position, step, plan, over=self.result(position) is not None)

    def seen(
        self,
        position: Position,
        seat: int | None,
        step: Step[Position, Turn] | None = None,
        plan: Turn | None = None,
    ) -> Diagram:
        if seat is None:
            return self.diagram(position, step, plan)
        return picture_for(seat, position, step, plan, over=self.result(position) is not None)

    def pieces(self, position: Position, seat: int | None, picture: Diagram) -> list[str]:
        return list(description.pieces(position, seat))

    def possible(self, position: Position, seat: int) -> list[str]:
        return list(description.possible(position)) if seat in self.to_move(position) else []

    def story(self, step: Step[Position, Turn], names: SeatNames | None = None) -> list[str]:
        return story(step)

    def seen_by(self, reader: int, seat: int, move: str) -> str:
        """Return a turn with the numbers of the player at `reader`: `6/11` of the other side is `19/14`."""
        return move if reader == seat else turned(move)

    def examples(self, position: Position, seat: int) -> tuple[str, ...]:
        """Return turns as examples: any, one with a hit, one that bears off, combined hops, one with dashes."""
        if seat != position.to_move or not position.dice:
            return ()
        turns = outcomes(*position.sides(seat), position.dice)
        hits = [turn for turn in turns if any(hop.hit for hop in turn)]
        going_off = [turn for turn in turns if any(hop.end == OFF for hop in turn)]
        together = [turn for turn in turns if short_text(turn) != write_move(turn)]
        shown = {turn: write_move(turn) for turn in [*turns[:1], *hits[:1], *going_off[:1]]}
        for turn in together[-1:]:
            shown.setdefault(turn, short_text(turn))
        for turn in [turn for turn in turns if turn not in shown][-1:]:
            shown[turn] = write_move(turn).replace("/", "-")
        return tuple(shown.values())[:4]


# Reasons for refusing a text


def _hop(mine: Side, theirs: Side, dice: Sequence[int], stretch: Stretch) -> Hop:
    """Return the hop that a person wrote, which must use a single die. Raises IllegalMove or Ambiguous."""
    start, end, star = stretch
    text = stretch_text(start, end)
    if end <= start:
        raise IllegalMove(f"{text} moves backwards: your discs move from hand up to your point 24, then off.")
    if not mine[start]:
        where = "in hand" if start == HAND else f"on point {start}"
        raise IllegalMove(f"{text} needs one of your discs {where}, but there is none then.")
    if end - start not in dice:
        raise _no_die(mine, theirs, dice, stretch)
    if rule := obstacle(mine, theirs, end):
        raise IllegalMove(f"{text} is not allowed: {explained(rule, mine, theirs, end)}.")
    hop = hop_between(theirs, start, end)
    if star and not hop.hit:
        raise IllegalMove(f"{text} hits nothing: write it without the star.")
    return hop


def _no_die(mine: Side, theirs: Side, dice: Sequence[int], stretch: Stretch) -> IllegalMove | Ambiguous:
    text, pips = stretch_text(stretch.start, stretch.end), stretch.end - stretch.start
    if not dice:
        return IllegalMove(f"{text} is one move too many: all dice are already used.")
    ways = [write_move(turn) for turn in chains(mine, theirs, dice, stretch.start, stretch.end)]
    if len(ways) > 1:
        return Ambiguous(f"{text} can be played in more than one way; write {' or '.join(ways)}.", ways)
    if ways:
        return IllegalMove(f"{text} uses more than one die; write each move separately: {ways[0]}.")
    if any(sum(dice[:count]) == pips for count in range(2, len(dice) + 1)):
        return IllegalMove(f"{text} is not possible: every way there with {listed(dice)} is closed.")
    return IllegalMove(f"{text} needs exactly {pips}; the dice left are {listed(dice)}.")


def _unfinished(turn: Turn, ways: Sequence[tuple[int, int]]) -> IllegalMove:
    dice = listed(sorted({end - start for start, end in ways}))
    example = stretch_text(*ways[0])
    if not turn:
        return IllegalMove(f"You may not pass while you can play {dice}, for example {example}.")
    return IllegalMove(
        f"After {write_move(turn)} you can still play {dice}, for example {example}; write the complete turn."
    )
