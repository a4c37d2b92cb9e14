"""`nabu bench`: the benchmarks, which are in a checkout and not in the wheel."""

import click


def command() -> click.Command:
    """The benchmarks, or what says where they are."""
    try:
        from server.bench.commands import bench
    except ModuleNotFoundError as missing:
        if missing.name != "server.bench":
            raise
        return _absent
    return bench


@click.command("bench", context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1)
def _absent(arguments: tuple[str, ...]) -> None:
    """Measure; from a checkout only."""
    raise click.ClickException(
        "The benchmarks are not installed: they are only in a checkout of Nabu's source. Run nabu bench there."
    )
