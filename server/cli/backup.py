"""`nabu backup`, `nabu restore` and `nabu salvage`."""

from contextlib import closing
from functools import partial
from pathlib import Path

import click

from server.admin.sanitize import escaped
from server.backup.archive import BackupKey, BadBackup, Lock
from server.backup.making import make, record
from server.backup.restoring import restore as restore_into
from server.backup.restoring import verify as verify_backup
from server.backup.salvaging import salvage as salvage_into
from server.cli.run import command_line
from server.cli.startup_checks import database_told
from server.monitoring import logs
from server.processes.services import open_services
from server.settings.loading import load

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), required=False)
@click.option("--to", "recipients", multiple=True, metavar="AGE1…", help="Encrypt for this public key of age.")
@click.option("--passphrase-file", type=_FILE, help="Encrypt with the passphrase in this file.")
@click.option(
    "--verify",
    is_flag=True,
    help="Restore the backup into a temporary folder and check every game, before the backup is encrypted.",
)
@click.option("--keep", type=click.IntRange(1), help="Keep this many backups in the folder; delete older ones.")
@click.pass_obj
def backup(
    config: Path | None,
    folder: Path | None,
    recipients: tuple[str, ...],
    passphrase_file: Path | None,
    keep: int | None,
    *,
    verify: bool,
) -> None:
    """Back up the database while Nabu runs.

    The backup is a file in FOLDER (default: NABU_BACKUP_FOLDER). It is encrypted for the keys in
    NABU_BACKUP_RECIPIENTS, unless you give another key or a passphrase. It does not contain NABU_SECRET_KEY:
    keep that key elsewhere.
    """
    settings = load(config)
    logs.set_up(settings.log_level, settings.log_format)
    if recipients and passphrase_file:
        raise click.UsageError("Use either --to or --passphrase-file, not both.")
    if settings.database_file is not None and not settings.database_file.exists():
        raise click.ClickException(f"There is nothing to back up: {settings.database_file} does not exist.")
    given = Lock(recipients, _secret(passphrase_file))
    lock = given or Lock(settings.backup_keys)
    with closing(open_services(settings)) as services, database_told(settings):
        try:
            restores = partial(verify_backup, settings) if verify else None
            now = services.now()
            file = make(services.engine, folder or settings.backups, now, lock, keep, verify=restores)
        except BadBackup as problem:
            raise click.ClickException(str(problem)) from None
        record(services.engine, file, now, verified=verify)
    click.echo(file)


@click.command()
@click.argument("file", type=_FILE)
@click.option("--identity", type=_FILE, help="A file with secret keys of age, as age-keygen writes it.")
@click.option("--passphrase-file", type=_FILE, help="A file with the passphrase.")
@click.pass_obj
def restore(config: Path | None, file: Path, identity: Path | None, passphrase_file: Path | None) -> None:
    """Restore a backup into an empty database.

    The database is the one at NABU_DATABASE_URL. Every game is checked. When Nabu starts next, it emails the
    state of their games to all players with running games.
    """
    settings = load(config)
    logs.set_up(settings.log_level, settings.log_format)
    key = BackupKey(_keys(identity), _secret(passphrase_file))
    with database_told(settings):
        try:
            done = restore_into(settings, file, key)
        except BadBackup as problem:
            raise click.ClickException(str(problem)) from None
    click.echo(f"Restored the backup of {escaped(done.manifest.made_at)}.")
    click.echo(f"Games: {done.games}, of which {done.running} are running.")
    click.echo("All logs match their hashes.")
    start = command_line(config, "serve")
    click.echo(
        f"When Nabu starts ({start}), {done.emailed} players get an email with the state of their games."
    )


@click.command()
@click.argument("damaged", type=_FILE)
@click.argument("new", type=click.Path(dir_okay=False, path_type=Path))
@click.pass_obj
def salvage(config: Path | None, damaged: Path, new: Path) -> None:
    """Copy the intact games of a damaged SQLite file into a new one.

    NEW gets every game whose log is intact, with its players. The other games are listed with the reason.
    DAMAGED is only read; stop Nabu before. If there is a recent backup, restore that instead.
    """
    settings = load(config)
    logs.set_up(settings.log_level, settings.log_format)
    try:
        done = salvage_into(settings, damaged, new)
    except BadBackup as problem:
        raise click.ClickException(str(problem)) from None
    for table, count in done.damaged.items():
        click.echo(f"table {table}: {count} damaged {'page or row' if count == 1 else 'pages or rows'}")
    for number, why in done.lost.items():
        click.echo(f"game {number} is lost: {why}")
    click.echo(f"Games salvaged: {done.games}. Lost: {len(done.lost)}.")


def _secret(file: Path | None) -> str:
    return "" if file is None else file.read_text(encoding="utf-8").strip("\r\n")


def _keys(file: Path | None) -> tuple[str, ...]:
    lines = [] if file is None else file.read_text(encoding="utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))
