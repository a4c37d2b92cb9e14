"""`nabu bench`: the benchmarks, which only a checkout contains, not the wheel."""

import click

try:
    from server.bench.commands import bench
except ModuleNotFoundError as missing:
    if missing.name != "server.bench":
        raise

    @click.command("bench", context_settings={"ignore_unknown_options": True})
    @click.argument("arguments", nargs=-1)
    def bench(arguments: tuple[str, ...]) -> None:
        """Run benchmarks (only from a checkout of the source)."""
        raise click.ClickException(
            "The benchmarks are not installed. Run nabu bench from a checkout of Nabu's source."
        )
