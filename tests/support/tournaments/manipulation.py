"""Gains of dishonest players, in simulated tournaments.

`python -m tests.support.tournaments.manipulation` prints a table of them, in a minute.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import mean, stdev
from zoneinfo import ZoneInfo

import click

from rules.registry import RULES
from server.clock.terms import Terms
from server.tournaments.length import length_of
from server.tournaments.plan import FORMS, TournamentPlan
from tests.support.tournaments.simulation import HONEST, MANIPULATORS, World, play, players_of

LINES = (
    "| format | player | points | honest | place | honest | wins | honest | points gained |",
    "|---|---|--:|--:|--:|--:|--:|--:|--:|",
)


@dataclass(frozen=True)
class FairnessScore:
    """The result of a tournament for one player; `won` is their share of the first place."""

    points: float
    place: int
    won: float


@dataclass(frozen=True)
class FairnessRow:
    """The scores of one sort of manipulator in a format, and those of honest players in the same place."""

    form: str
    player: str
    scores: Sequence[FairnessScore]
    honest: Sequence[FairnessScore]

    @property
    def gain(self) -> tuple[float, float]:
        """The gain in points over honest play, and its standard error."""
        return _difference([a.points - b.points for a, b in zip(self.scores, self.honest, strict=True)])

    def __str__(self) -> str:
        """Return a row of the table with these `LINES`."""
        cells = []
        for about in ("points", "place", "won"):
            digits = ".1%" if about == "won" else ".2f"
            means = (mean(getattr(score, about) for score in scores) for scores in (self.scores, self.honest))
            cells += [f"{value:{digits}}" for value in means]
        more, error = self.gain
        return f"| {self.form} | {self.player} | {' | '.join(cells)} | {more:+.2f} ± {error:.2f} |"

    @property
    def won_more(self) -> tuple[float, float]:
        """The gain in wins over honest play, and its standard error."""
        return _difference([a.won - b.won for a, b in zip(self.scores, self.honest, strict=True)])

    @property
    def gains(self) -> bool:
        """True if they gained more than chance can explain."""
        return any(more > 2 * error for more, error in (self.gain, self.won_more))


def run(
    game_type: str, repetitions: int, forms: Sequence[str] = tuple(FORMS), after: str = "auto"
) -> Iterator[FairnessRow]:
    """Compare all manipulators in each format with honest players, each strength in turn.

    `after` is the length of a round. Raises BadRequest if it is too short.
    """
    rules = RULES[game_type]
    terms = Terms.from_options({}, ZoneInfo("UTC"), simultaneous=rules.simultaneous)
    length = length_of(rules, rules.options({}), terms)
    for form in forms:
        number = players_of(form)
        options = {"format": form, "places": f"4-{number}"}
        if after != "auto" and "after" in FORMS[form].options:
            options["after"] = after
        plan = TournamentPlan.from_options(options, length)
        scores = {
            behaviour: [
                _score(World(plan, length, f"{form} {each}", each % number, behaviour))
                for each in range(repetitions)
            ]
            for behaviour in (HONEST, *MANIPULATORS)
        }
        for behaviour in MANIPULATORS:
            yield FairnessRow(form, behaviour, scores[behaviour], scores[HONEST])


def _score(world: World) -> FairnessScore:
    """Play a tournament, and return the score of the manipulator."""
    ranked = play(world)
    mine = next(each for each in ranked if each.player == world.manipulator)
    first = [each.player for each in ranked if each.place == 1]
    return FairnessScore(mine.points, mine.place, (world.manipulator in first) / len(first))


def _difference(values: Sequence[float]) -> tuple[float, float]:
    return mean(values), stdev(values) / sqrt(len(values))


@click.command()
@click.option(
    "--game", "game_type", default="nibble", show_default=True, help="A game whose seats move in turn."
)
@click.option("--repetitions", default=128, show_default=True, help="Tournaments for each form and player.")
@click.option("--after", default="auto", show_default=True, help="The length of a round, for example 38d.")
def main(game_type: str, repetitions: int, after: str) -> None:
    """Print the gains of stallers, sandbaggers and leavers in each form."""
    for line in LINES:
        click.echo(line)
    for row in run(game_type, repetitions, after=after):
        click.echo(row)


if __name__ == "__main__":
    main()
