"""The `nabu bench` command, where the benchmarks are installed."""

from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import click

from server.bench import (
    growth,
    idle,
    live,
    mail_reading,
    pages,
    peers,
    profile,
    queue,
    rules,
    turn,
)
from server.bench.computer_players import commands as computer_players
from server.bench.filling.many_games import full
from server.bench.harness.databases import new_database, server_option
from server.bench.harness.load import within
from server.web.server import keep_what_is_loaded

game_option = click.option(
    "--game", "game_type", default="nebuchadnezzar", show_default=True, help="A game whose seats move in turn."
)
games_option = click.option(
    "--games", default=100, show_default=True, help="Games in progress at the same time."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def bench() -> None:
    """Print measurements of this machine."""


bench.add_command(idle.bench_idle)
bench.add_command(peers.bench_peers)
bench.add_command(queue.bench_queue)
bench.add_command(computer_players.bench_opponents)
bench.add_command(computer_players.bench_train)


@bench.command("turn")
@click.option("--turns", default=1000, show_default=True, help="Total turns in each run.")
@click.option(
    "--runs", default=5, show_default=True, help="Number of runs, each followed by a run of the floor."
)
@games_option
@game_option
@server_option
@click.option(
    "--processes",
    "each",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Number of mail processes, and of workers.",
)
@click.option("--profile", "profiled", is_flag=True, help="Also show where the CPU time of a turn goes.")
def bench_turn(
    turns: int, runs: int, games: int, game_type: str, server: str | None, each: int, profiled: bool
) -> None:
    """Measure complete turns per second, compared to the floor: SMTP in, one durable commit, two emails out."""
    if each > 1 and server is None:
        raise click.UsageError("Several processes need PostgreSQL, which --server names.")
    click.echo(f"{turns} turns of {game_type}, {games} games at the same time, two reports per turn")
    click.echo("  turns/second   the floor   ratio   CPU time per turn (ms)")
    ratios = []
    for _ in range(runs):
        measured, reports = turn.run_turns(game_type, games, turns, server, each)
        floor = turn.run_floor_turns(reports, turns, server)
        ratios.append(measured.rate / floor.rate)
        spent = [*measured.cpu.items(), *list(floor.cpu.items())[-1:]]
        cpu = ", ".join(f"{name} {1000 * seconds / turns:.2f}" for name, seconds in spent)
        click.echo(f"{measured.rate:14.1f}{floor.rate:12.1f}{ratios[-1]:8.2f}   {cpu}")
    click.echo(f"median ratio: {median(ratios):.2f}")
    if profiled:
        click.echo("CPU time per stage, in one thread under a profiler (which slows Python code down):")
        for name, milliseconds in profile.run(game_type, turns // 4):
            click.echo(f"  {name:<36}{milliseconds:7.2f} ms")


@bench.command("journey")
@game_option
def bench_journey(game_type: str) -> None:
    """Count the files that an email with a move enters, from its claim until its turn is committed."""
    files = profile.journey(game_type)
    for file, count in Counter(files).most_common():
        click.echo(f"{count:5} {file}")
    click.echo(f"{len(set(files))} files, {len(files) - 1} changes of file")


@bench.command("latency")
@click.option(
    "--turns", default=2000, show_default=True, help="Total turns under load; a tenth of them without load."
)
@games_option
@click.option(
    "--share", default=0.5, show_default=True, help="Load, as a share of the possible turns per second."
)
@game_option
@server_option
def bench_latency(turns: int, games: int, share: float, game_type: str, server: str | None) -> None:
    """Measure how soon a move is reported: from the 250 for its email until the relay has the reports."""
    alone = turn.run_alone(game_type, turns // 10, server=server)
    fully, loaded = turn.run_loaded(game_type, turns, games, share, server)
    click.echo(f"{'':<16}turns/s     p50     p95     p99     most (ms)")
    for name, run in (("alone", alone), (f"{share:.0%} of load", loaded), ("full load", fully)):
        times = "".join(f"{within(share, run.waits):8.1f}" for share in (0.5, 0.95, 0.99, 1))
        click.echo(f"{name:<16}{run.rate:7.1f}{times}")


@bench.command("rules")
@click.option("--seconds", default=3.0, show_default=True, help="Seconds for each measurement.")
@click.option("--game", "only", help="Only this game.")
def bench_rules(seconds: float, only: str | None) -> None:
    """Measure random games per second on one core, for each game and variant."""
    click.echo(f"{'':<56}turn by turn   by the rules")
    for rate in rules.run(seconds, only):
        alone = "-" if rate.by_game_type is None else f"{rate.by_game_type:.1f}"
        click.echo(f"{rate.game_type:<16}{rate.variant:<40}{rate.by_turns:12.1f}{alone:>14}")


@bench.command("read")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--slow",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of emails made to be slow; only their times are printed.",
)
def bench_read(folder: Path, slow: Path | None) -> None:
    """Measure how well emails are read, compared to two libraries; FOLDER holds corpora with `in/*.eml` and
    `out/*.txt`.
    """
    found = list(mail_reading.corpora(folder))
    corpora = [*found, ("all", [mail for _, mails in found for mail in mails])]
    click.echo(f"{'':<18} {'':<18}emails   exact  first line    leak    lost     p50     p99    most (ms)")
    for library, reader in mail_reading.readers().items():
        if reader is None:
            click.echo(f"{library:<18} not installed")
            continue
        for name, mails in corpora:
            total = mail_reading.score(reader, mails)
            parts = (total.exact, total.first_line, total.leaked, total.lost)
            shares = "  ".join(f"{100 * part / max(1, total.mails):5.1f}%" for part in parts)
            click.echo(f"{library:<18} {name:<18} {total.mails:>5}  {shares}{_times(total.times)}")
    click.echo(f"{'quotequail alone':<18} {'all':<18}{' ' * 41}{_times(mail_reading.alone(corpora[-1][1]))}")
    if slow is not None:
        times = mail_reading.spent(slow)
        for name, each in (("made to be slow", times), ("all, with these", times + mail_reading.spent(folder))):
            click.echo(f"{'nabu':<18} {name:<18} {len(each):>5}{' ' * 35}{_times(each)}")


def _times(seconds: list[float]) -> str:
    return "".join(f"{within(share, seconds):8.2f}" for share in (0.5, 0.99, 1)) if seconds else ""


@bench.command("live")
@click.option("--streams", "count", default=2000, show_default=True, help="Browsers with an open event stream.")
@click.option("--moves", default=100, show_default=True, help="Moves to play.")
@click.option("--pause", default=0.5, show_default=True, help="Seconds between two moves.")
def bench_live(count: int, moves: int, pause: float) -> None:
    """Measure how soon open pages are notified of a move, with many event streams in one process."""
    with live.opened(count) as (settings, those):
        found = live.run_live(settings, those, moves, pause)
    click.echo(f"{count} open streams, {moves} moves; milliseconds from the commit of a move")
    click.echo(f"{'':<20}    p50     p95     p99")
    for name, times in (("event arrives", found.heard), ("page loaded", found.seen)):
        shares = "".join(f"{within(share, times):8.1f}" for share in (0.5, 0.95, 0.99))
        click.echo(f"{name:<19}{shares}")
    click.echo(f"lost events: {found.lost}; web process: {found.memory:.0f} MiB,", nl=False)
    click.echo(f" CPU {found.idle:.1%} while nothing happens, {found.busy:.1%} while moves are played")


@bench.command("pages")
@click.option("--games", type=click.IntRange(100), default=100_000, show_default=True, help="Number of games.")
@click.option("--visits", default=40, show_default=True, help="Number of players who visit each page.")
def bench_pages(games: int, visits: int) -> None:
    """Measure the time of each page on a server with years of games."""
    with new_database(None) as url, full(url, games) as filled:
        keep_what_is_loaded()
        people = len(filled.many.people)
        click.echo(f"{people} players, {games} games; milliseconds of processor time, including the database")
        click.echo(
            f"{'':<24}     p50     p95     p50     p95 for the player with most games; kB, compressed kB"
        )
        for name, timed in pages.run(filled, visits):
            times = "".join(
                f"{within(share, each):8.1f}" for each in (timed.times, timed.busiest) for share in (0.5, 0.95)
            )
            statuses = ", ".join(map(str, sorted(timed.statuses)))
            click.echo(f"{name:<24}{times}  {timed.size / 1000:7.1f} {timed.sent / 1000:7.1f}  {statuses}")


@bench.command("growth")
@click.option(
    "--games", "sizes", type=click.IntRange(100), multiple=True, help="Number of games; can be repeated."
)
@click.option(
    "--turns", default=40, show_default=True, help="Number of turns to measure, at most one per game."
)
@server_option
def bench_growth(sizes: tuple[int, ...], turns: int, server: str | None) -> None:
    """Measure the cost of turns, pages and jobs in small and large databases."""
    sizes = tuple(sorted(sizes)) or (1_000, 100_000, 1_000_000)
    with ExitStack() as stack:
        urls = [stack.enter_context(new_database(server)) for _ in sizes]
        filled = [stack.enter_context(full(*each)) for each in zip(urls, sizes, strict=True)]
        keep_what_is_loaded()
        costs = growth.run(filled, turns)
    click.echo("Milliseconds, by the number of games; the ratio is the largest to the smallest.")
    for line in growth.table(sizes, costs):
        click.echo(line)
