"""`nabu bots`: games between computer players."""

import os

import click

from rules.bots import match
from rules.bots.match_players import HOW_NAMED, Chooser, read_chooser
from rules.bots.sprt import standard_error
from rules.errors import BadData
from rules.registry import RULES
from server.errors import BadRequest
from server.interpretation.options import read_options


class _Player(click.ParamType[tuple[str, Chooser]]):
    name = "player"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Chooser]:
        if isinstance(value, tuple):
            return value
        try:
            return str(value), read_chooser(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


@click.group()
def bots() -> None:
    """Run games between computer players."""


@bots.command(
    "match",
    help=f"""Play GAME between the computer players A and B.

In a game with three or four seats, A has one of them, and B all others.

A player is {HOW_NAMED}.""",
)
@click.argument("first", metavar="A", type=_Player())
@click.argument("second", metavar="B", type=_Player())
@click.argument("game_type", metavar="GAME", type=click.Choice(list(RULES)))
@click.argument("options", metavar="[OPTION=VALUE]...", nargs=-1)
@click.option(
    "--games", type=click.IntRange(1, 100_000), default=20, show_default=True, help="The number of games."
)
@click.option("--seed", default="", help="Any text; the same seed gives the same games.")
@click.option("--processes", type=click.IntRange(1, 256), help="Games at the same time; default: one per core.")
def match_(
    first: tuple[str, Chooser],
    second: tuple[str, Chooser],
    game_type: str,
    options: tuple[str, ...],
    games: int,
    seed: str,
    processes: int | None,
) -> None:
    rules = RULES[game_type]
    try:
        settled = rules.options(read_options(options))
    except (BadData, BadRequest) as error:
        raise click.ClickException(str(error)) from None
    players = (first[1], second[1])
    points: list[float] = []
    moves, seconds = [0, 0], [0.0, 0.0]
    cores = processes or os.cpu_count() or 1
    with match.played(rules, settled, players, games, seed=seed, processes=cores) as all_played:
        for played in all_played:
            points.append(played.points)
            for side in (0, 1):
                moves[side] += played.moves[side]
                seconds[side] += played.seconds[side]
    share, off = sum(points) / games, standard_error(points)
    click.echo(f"{first[0]} - {second[0]}: {sum(points):g} of {games} points, {share:.1%} ± {off:.1%}")
    for name, count, spent in zip((first[0], second[0]), moves, seconds, strict=True):
        click.echo(f"{name}: {count} moves, {1000 * spent / max(count, 1):.1f} ms each on the processor")
