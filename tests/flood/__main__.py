"""`python -m tests.flood`: measure how long others wait beside a hostile client."""

from __future__ import annotations

import click

from tests.flood import measure


@click.command()
@click.argument("entries", nargs=-1, type=click.Choice(list(measure.HOSTILE)))
@click.option(
    "--seconds", default=5.0, show_default=True, help="Seconds for each entry point, quiet and under a flood."
)
def main(entries: tuple[str, ...], seconds: float) -> None:
    """Measure how long others wait beside a hostile client at ENTRIES (default: all): a table in Markdown."""
    for line in measure.LINES:
        click.echo(line)
    for entry in entries or measure.HOSTILE:
        click.echo(measure.run(entry, seconds))


if __name__ == "__main__":
    main()
