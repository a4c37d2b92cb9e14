"""`nabu verify`: check a game's file, without database, settings or network."""

import sys
from pathlib import Path

import click

from rules.errors import BadData
from rules.records.verification import read_heads
from rules.records.verification import verify as verify_text
from server.admin.sanitize import escaped


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--head", "heads", multiple=True, help="The 64 digits after “Proof” at the end of one of your emails."
)
def verify(file: Path, heads: tuple[str, ...]) -> None:
    """Check an exported game.

    The checks cover its log, sealed orders, dice, layout, turns and result; docs/verify.md explains them.
    """
    try:
        verdict = verify_text(file.read_text(encoding="utf-8"), read_heads(" ".join(heads)))
    except BadData as error:
        raise click.BadParameter(str(error), param_hint="--head") from None
    except UnicodeDecodeError:
        click.echo(escaped(f"form: {file} is not UTF-8 text."), err=True)
        sys.exit(1)
    for line in verdict.checked:
        click.echo(escaped(line))
    if verdict.wrong is not None:
        click.echo(escaped(verdict.wrong), err=True)
        sys.exit(1)
