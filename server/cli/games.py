"""`nabu export` and `nabu import`: write a game to a file, and read one."""

from contextlib import closing
from pathlib import Path

import click
from sqlmodel import Session

from rules.errors import BadData
from rules.records.record import Record, replay
from rules.sentences import quoted
from server.accounts import players
from server.admin.sanitize import escaped
from server.cli.run import NUMBER, open_configured
from server.errors import BadRequest, Damaged
from server.game.lobby import challenges
from server.game.log import log
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext


@click.command("export")
@click.argument("number", metavar="GAME", type=NUMBER)
@click.pass_obj
def export(config: Path | None, number: int) -> None:
    """Print a game as a record.

    The record contains the turns so far, without orders that are still sealed, and the game's proof.
    """
    with closing(open_configured(config)) as services, reading(services.engine) as session:
        game = session.get(Game, number)
        if game is None:
            raise click.ClickException(f"There is no game {number}.")
        if game.entries == 0:
            raise click.ClickException(f"There is nothing to export: game {number} has not started.")
        try:
            click.echo(log.record(session, game).to_json(), nl=False)
        except Damaged as problem:
            raise click.ClickException(f"The log of game {number} is damaged: {problem.what}.") from None


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--seats", help="The players in the order of the seats, such as Ann,Ben; default: as in the record."
)
@click.pass_obj
def import_(config: Path | None, file: Path, seats: str | None) -> None:
    """Store a record as a game between existing players. An unfinished game continues here.

    Nabu checks each turn against the rules. The game gets the default time and has no proof, as its dice were
    rolled elsewhere. Unfinished games with dice are refused: only the server on which they started knows the
    next roll.
    """
    with closing(open_configured(config)) as services:
        try:
            record = Record.from_json(file.read_text(encoding="utf-8"))
            played = replay(record)
            with writing(services.engine) as session:
                named = record.seats if seats is None else [name.strip() for name in seats.split(",")]
                seated = [_player(session, name) for name in named]
                game = challenges.import_game(
                    ActionContext(session, services.sealer, services.now()), record, played, seated
                )
                number, state = log.id_of(game), game.state
        except UnicodeDecodeError:
            raise click.ClickException(escaped(f"{file} is not UTF-8 text.")) from None
        except (BadData, BadRequest) as error:
            raise click.ClickException(escaped(error)) from None
    click.echo(f"Imported as game {number}, which {'is over' if state == 'over' else 'continues'}.")


def _player(session: Session, name: str) -> Player:
    player = players.by_name(session, name)
    if player is None:
        raise BadRequest(
            f"There is no player called {quoted(name)}. Name existing players in the order of the seats: "
            "--seats Ann,Ben."
        )
    return player
