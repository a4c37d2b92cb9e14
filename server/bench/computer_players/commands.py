"""The commands that measure and train the computer players."""

import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import click

from rules.errors import BadData
from rules.registry import RULES
from server.bench.computer_players import strength, training
from server.errors import BadRequest
from server.interpretation.options import read_options


@click.command("opponents")
@click.argument("options", metavar="[OPTION=VALUE]...", nargs=-1)
@click.option(
    "--game", "only", type=click.Choice(list(RULES)), multiple=True, help="Only this game; can be repeated."
)
@click.option(
    "--games",
    type=click.IntRange(1),
    default=strength.MOST_GAMES,
    show_default=True,
    help="Most games per match.",
)
@click.option("--processes", type=click.IntRange(1, 256), help="Games at the same time; default: one per core.")
@click.option(
    "--positions",
    type=click.IntRange(1),
    help="Positions that level 5 searches per move, for a busy machine; default: for a second.",
)
@click.option(
    "--yardsticks/--no-yardsticks", default=True, help="Also play against simple players of other kinds."
)
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file for the result of each game, to continue after an interruption; delete it after changes.",
)
def bench_opponents(
    options: tuple[str, ...],
    only: tuple[str, ...],
    games: int,
    processes: int | None,
    positions: int | None,
    yardsticks: bool,
    results: Path | None,
) -> None:
    """Measure the strength of the computer players and the cost of a move: two tables in Markdown, in hours.

    Options of the game, for example players=3, choose a variant. With options or --positions, only the strength
    is measured.
    """
    game_types = only or tuple(RULES)
    try:
        given = read_options(options)
        for name in game_types:
            RULES[name].options(given)
    except (BadData, BadRequest) as problem:
        raise click.UsageError(str(problem)) from None
    setting = strength.Setting(given, positions, processes or os.cpu_count() or 1, games)
    for line in strength.LINES_OF_MATCHES:
        click.echo(line)
    for found in strength.matches(game_types, setting, yardsticks=yardsticks, results=results):
        click.echo(strength.row(found))
    if given or positions:
        return
    click.echo()
    for line in strength.LINES_OF_COSTS:
        click.echo(line)
    for cost in strength.costs(game_types):
        click.echo(
            f"| {cost.game_type} | {cost.level} | {cost.searches} | {cost.milliseconds:.1f} | "
            f"{cost.megabytes:.1f} |"
        )


@click.command("train")
@click.argument("game_type", metavar="GAME", type=click.Choice(list(training.MODELS)))
@click.option("--games", default=1500, show_default=True, help="Games to learn from.")
@click.option("--seed", default="1", show_default=True, help="Any text; the same seed gives the same weights.")
def bench_train(game_type: str, games: int, seed: str) -> None:
    """Train the estimate of GAME by self-play, and store its weights in the source code, within an hour."""
    command = f"nabu bench train {game_type} --games {games} --seed {seed}"
    weights: Sequence[float] = ()
    for number, error, found in training.trained(game_type, games, seed):
        weights = found
        click.echo(f"{number} games, mean squared error {error:.4f}")
    record = f"written by\n`{command}` on {date.today()}"  # noqa: DTZ011 - a date for people
    training.path_of(game_type).write_text(training.module(weights, record))
