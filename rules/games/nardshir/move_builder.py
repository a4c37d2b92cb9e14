"""The move builder of Nardshir: a disc, then the place where it goes, until no die can be played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.drawing.diagram import Diagram
from rules.game import Step
from rules.games.nardshir.board import OFF, Turn, after_hop, dice_left, hop_between, open_ways
from rules.games.nardshir.notation import place_name, place_number
from rules.games.nardshir.picture import picture_for
from rules.games.nardshir.position import Position
from rules.move_builder import MoveBuilder, Pick


@dataclass(frozen=True)
class TurnBuilder(MoveBuilder[Turn]):
    """The hops picked so far, the position after them, the dice that are left, and the start of a
    picked disc.
    """

    before: Position
    position: Position
    hops: Turn = ()
    start: int | None = None

    def _ways(self) -> list[tuple[int, int]]:
        return list(open_ways(*self.position.sides(self.before.to_move), self.position.dice))

    def picks(self) -> Iterator[Pick]:
        """Yield discs that can move; then the places where the picked disc can go."""
        if self.start is None:
            for start in dict.fromkeys(start for start, _ in self._ways()):
                where = "in hand" if not start else f"on {start}"
                yield Pick(place_name(start), place_name(start), f"a disc {where}", "disc", lifts=True)
            return
        _, theirs = self.position.sides(self.before.to_move)
        for start, end in self._ways():
            if start == self.start:
                hop = hop_between(theirs, start, end)
                what = "goes off" if end == OFF else f"goes to {end}{', hits' * hop.hit}"
                yield Pick(place_name(end), place_name(end), f"{what}, with the {hop.die}", "target")

    def picked(self, text: str) -> TurnBuilder:
        place = place_number(text)
        if self.start is None:
            return replace(self, start=place)
        seat = self.before.to_move
        mine, theirs = self.position.sides(seat)
        hop = hop_between(theirs, self.start, place)
        mine, theirs = after_hop(mine, theirs, hop)
        position = replace(
            self.position,
            discs=(mine, theirs) if seat == 0 else (theirs, mine),
            dice=dice_left(self.position.dice, (hop,)),
        )
        return replace(self, position=position, hops=(*self.hops, hop), start=None)

    def move(self) -> Turn | None:
        return None if self._ways() else self.hops

    def marks(self) -> tuple[str, ...]:
        return () if self.start is None else (place_name(self.start),)

    def diagram(self) -> Diagram:
        seat = self.before.to_move
        step = Step(self.before, {seat: self.hops}, self.position)
        return picture_for(seat, self.position, step, None, over=False)


def picks_of(turn: Turn) -> tuple[str, ...]:
    """Return the picks that build a turn: the start and the end of each hop."""
    return tuple(place_name(place) for hop in turn for place in (hop.start, hop.end))
