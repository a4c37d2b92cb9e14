"""Checks of the database, and of the processes and queues that it records."""

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlmodel import select

from server.admin.health import OLDEST_BACKUP
from server.doctor.finding import Finding, fine, unknown, wrong
from server.doctor.installation import Installation
from server.game.integrity import log_check
from server.outbound import paused_domains
from server.settings import Settings
from server.store.database_health import cause_of
from server.store.db import reading
from server.store.keys import check
from server.store.models import Outbox
from server.store.rollback.history import OlderDatabase
from server.store.schema import Outdated, newest
from server.store.schema import check as check_schema

_FIXES = {
    "worker": "Start it (nabu serve or nabu worker), or look into its log.",
    "mail in": "Start it (nabu serve or nabu mail), or look into its log.",
    "inbox": "Look into the log, and run: nabu admin troubles",
    "mail budget": "Find the senders in the log, or raise NABU_DAILY_MAIL_MEGABYTES.",
    "outbox": "Look into the log of the worker, and run: nabu admin troubles",
    "mail out": "See the line “relay”, and run: nabu admin troubles",
    "deadlines": "Look into the log of the worker, and run: nabu admin troubles",
    "history": "Stop the older servers, and see Several machines in deploy/README.md.",
    "failures": "Run nabu admin troubles, and look into the log.",
}


def missing(settings: Settings) -> Finding | None:
    """Return a finding if the database file does not exist, else None."""
    file = settings.database_file
    if file is None or file.exists():
        return None
    return wrong(f"{file} does not exist.", "Create it with nabu db upgrade, or correct NABU_DATABASE_URL.")


def database(installation: Installation) -> Finding:
    """Check whether the database answers and, with SQLite, whether its file is intact."""
    lost = missing(installation.settings)
    if lost is not None:
        return lost
    try:
        with installation.services.engine.connect() as connection:
            if installation.file is None:
                version = connection.execute(text("SHOW server_version")).scalar_one()
                installation.services.probe.look()
                return fine(f"PostgreSQL {version}")
            found = connection.execute(text("PRAGMA quick_check(1)")).scalar_one()
        if found == "ok":
            installation.services.probe.look()
    except OlderDatabase as error:
        log = f"If {installation.file}-wal is missing, stop Nabu and put it back beside the database. "
        fix = "See After a rollback in docs/operating.md."
        return wrong(error.sentence, fix if installation.file is None else f"{log}Otherwise: {fix}")
    except DBAPIError as error:
        cause = cause_of(error)
        if cause is not None:
            return wrong(f"{cause.clause[0].upper()}{cause.clause[1:]}.", cause.fix)
        words = " ".join(str(error.orig).split())
        return wrong(f"It does not answer: {words}.", "Start it, or correct NABU_DATABASE_URL.")
    if found != "ok":
        return wrong(
            f"It is damaged: {found}.",
            "Stop Nabu, copy the file, and restore the last backup or, without one, run nabu salvage.",
        )
    return fine(str(installation.file))


def schema(installation: Installation) -> Finding:
    """Check whether the schema is that of this version."""
    try:
        check_schema(installation.services.engine)
    except Outdated as error:
        return wrong(error.problem, error.fix)
    return fine(newest())


def key(installation: Installation) -> Finding:
    """Check whether the secret keys decrypt the data in the database."""
    services = installation.services
    if not check.are_all_named(services.engine, services.sealer):
        return wrong(
            "The database was written with a key that the settings do not name.",
            "Put that key back into NABU_SECRET_KEY, or into NABU_OLD_SECRET_KEYS.",
        )
    return fine("decrypts the data")


def of_health(what: str, well: str) -> Callable[[Installation], Finding]:
    """Return a check of the doctor: it fails if the server's health shows a problem with `what`.

    If it finds none, it reports `well`, such as "no games failed".
    """

    def look(installation: Installation) -> Finding:
        problem = next((each.sentence for each in installation.health.troubles() if each.what == what), None)
        return fine(well) if problem is None else wrong(f"{problem[0].upper()}{problem[1:]}.", _FIXES[what])

    return look


def backup(installation: Installation) -> Finding:
    """Check whether there is a recent backup, and a backup was verified recently."""
    health = installation.health
    problem = next(health.warnings(), None)
    if problem is not None:
        fix = "Run nabu backup --verify, and enable nabu-backup.timer. See its log: journalctl -u nabu-backup"
        return wrong(f"{problem.sentence[0].upper()}{problem.sentence[1:]}.", fix)
    last = health.backup
    if last.backup_at is None:
        return fine(_no_backup(health.first_game_at))
    verified = "never" if last.verified_at is None else f"{last.verified_at:%Y-%m-%d %H:%M} UTC"
    size = (last.backup_bytes or 0) / 1e6
    return fine(f"made {last.backup_at:%Y-%m-%d %H:%M} UTC, {size:.1f} MB; last verified: {verified}")


def _no_backup(first_game_at: datetime | None) -> str:
    """Return why a missing backup is no problem yet."""
    if first_game_at is None:
        return "none yet; needed once there are games"
    hours, due = OLDEST_BACKUP // timedelta(hours=1), first_game_at + OLDEST_BACKUP
    return f"none yet; needed from {due:%Y-%m-%d %H:%M} UTC, when the oldest game is {hours} hours old"


def outbox(installation: Installation) -> Finding:
    """Check whether no outgoing email waits for long, except those to paused domains."""
    found = of_health("outbox", "nothing waits for long")(installation)
    with reading(installation.services.engine) as session:
        paused = paused_domains.count_paused(session)
    if found.state == "wrong" or not paused:
        return found
    wait = "1 waits, as its domain is" if paused == 1 else f"{paused} wait, as their domains are"
    return fine(f"{found.sentence}; {wait} paused (nabu admin hold)")


def mail_out(installation: Installation) -> Finding:
    """Check whether the relay accepts emails, as far as Nabu has sent any."""
    since = installation.health.mail_out_fails
    with reading(installation.services.engine) as session:
        query = select(Outbox.id).where(Outbox.state == "sent", Outbox.attempts > 0).limit(1)
        has_accepted = session.exec(query).first() is not None
    well = "the relay accepts emails" if has_accepted else "no email has been refused yet"
    found = of_health("mail out", well)(installation)
    if found.state == "fine" and since is not None:
        return unknown(f"the relay has refused all emails since {since:%H:%M} UTC; Nabu retries them")
    return found


def mail_in(installation: Installation) -> Finding:
    """Check whether a process accepts mail."""
    seen = installation.health.mail_at
    if seen is None:
        return unknown("no process has accepted mail for this database yet")
    return of_health("mail in", _last_active(seen))(installation)


def worker(installation: Installation) -> Finding:
    """Check whether a worker was active in the last minutes."""
    seen = installation.health.worker_at
    return of_health("worker", "" if seen is None else _last_active(seen))(installation)


def _last_active(seen: datetime) -> str:
    return f"last active at {seen:%Y-%m-%d %H:%M:%S} UTC"


def games(installation: Installation) -> Finding:
    """Check whether every game matches its log, and every log its hashes."""
    services, count, faulty = installation.services, 0, []
    for number in log_check.numbers_of_games(services.engine):
        count += 1
        if log_check.check(services.engine, services.sealer, number):
            faulty.append(number)
    if faulty:
        numbers = ", ".join(map(str, faulty[:5]))
        return wrong(f"{len(faulty)} of {count} have faults: {numbers}.", "Run nabu admin check.")
    if log_check.lacks_games(services.engine):
        return unknown(log_check.NO_GAMES)
    return fine(f"{count} match their logs") if count else unknown("there is none yet")
