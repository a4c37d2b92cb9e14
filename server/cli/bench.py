"""`nabu bench`: the benchmarks, which are in a checkout and not in the wheel."""

import click

try:
    from server.bench.commands import bench
except ModuleNotFoundError as missing:
    if missing.name != "server.bench":
        raise

    @click.command("bench", context_settings={"ignore_unknown_options": True})
    @click.argument("arguments", nargs=-1)
    def bench(arguments: tuple[str, ...]) -> None:
        """Measure; from a checkout only."""
        raise click.ClickException(
            "The benchmarks are not installed: they are only in a checkout of Nabu's source. "
            "Run nabu bench there."
        )
