"""The database, and what it says of what runs and waits."""

from collections.abc import Callable

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from server.doctor.finding import Finding, fine, unknown, wrong
from server.doctor.installation import Installation
from server.game.integrity import log_check
from server.outbound import paused_domains
from server.settings import Settings
from server.store.db import reading
from server.store.keys import check
from server.store.schema import Outdated, newest
from server.store.schema import check as check_schema

_MENDS = {
    "worker": "Start it (nabu serve or nabu worker), or see its log.",
    "mail in": "Start it (nabu serve or nabu mail), or see its log.",
    "inbox": "See the log, and nabu admin troubles.",
    "mail budget": "See the log for who sends so much, or raise NABU_DAILY_MAIL_MEGABYTES.",
    "outbox": "See the log of the worker, and nabu admin troubles.",
    "mail out": "See the line “relay”, and nabu admin troubles.",
    "deadlines": "See the log of the worker, and nabu admin troubles.",
    "failures": "See nabu admin troubles, and the log.",
}


def missing(settings: Settings) -> Finding | None:
    """What to say of a database that is not there; None if it is."""
    file = settings.database_file
    if file is None or file.exists():
        return None
    return wrong(f"{file} is not there.", "Create it with nabu db upgrade, or correct NABU_DATABASE_URL.")


def database(installation: Installation) -> Finding:
    """Whether it answers, and is whole as far as it can tell by itself."""
    lost = missing(installation.settings)
    if lost is not None:
        return lost
    try:
        with installation.services.engine.connect() as connection:
            if installation.file is None:
                version = connection.execute(text("SHOW server_version")).scalar_one()
                return fine(f"PostgreSQL {version}")
            found = connection.execute(text("PRAGMA quick_check(1)")).scalar_one()
    except DBAPIError as error:
        told = " ".join(str(error.orig).split())
        return wrong(f"It does not answer: {told}.", "Start it, or correct NABU_DATABASE_URL.")
    if found != "ok":
        return wrong(f"It is damaged: {found}.", "Stop Nabu, keep a copy, and restore the last backup.")
    return fine(str(installation.file))


def schema(installation: Installation) -> Finding:
    """Whether its tables are those of this version."""
    try:
        check_schema(installation.services.engine)
    except Outdated as error:
        return wrong(error.problem, error.fix)
    return fine(newest())


def key(installation: Installation) -> Finding:
    """Whether the secret key opens what the database holds."""
    services = installation.services
    if not check.are_all_named(services.engine, services.sealer):
        return wrong(
            "The database was written with a key that the settings do not name.",
            "Put that one back into NABU_SECRET_KEY, or into NABU_OLD_SECRET_KEYS.",
        )
    return fine("opens what is sealed")


def of_health(what: str, well: str) -> Callable[[Installation], Finding]:
    """The check that there is no trouble of one sort."""

    def look(installation: Installation) -> Finding:
        told = next((trouble.told for trouble in installation.health.troubles() if trouble.what == what), None)
        return fine(well) if told is None else wrong(f"{told[0].upper()}{told[1:]}.", _MENDS[what])

    return look


def outbox(installation: Installation) -> Finding:
    """Whether no mail waits for long to be sent, but for those whose domains are paused."""
    found = of_health("outbox", "nothing waits for long")(installation)
    with reading(installation.services.engine) as session:
        paused = paused_domains.count_paused(session)
    if found.state == "wrong" or not paused:
        return found
    wait = "1 waits as its domain is" if paused == 1 else f"{paused} wait as their domains are"
    return fine(f"{found.told}; {wait} paused (nabu admin hold)")


def mail_in(installation: Installation) -> Finding:
    """Whether mail is accepted by a listener, or from a mailbox or folder."""
    if installation.health.mail_at is None:
        return unknown("no listener, mailbox or folder has been looked after with this database yet")
    return of_health("mail in", "accepted")(installation)


def games(installation: Installation) -> Finding:
    """Whether every game is what its log says, and the log is what was written."""
    services, count, faulty = installation.services, 0, []
    for number in log_check.numbers_of_games(services.engine):
        count += 1
        if log_check.check(services.engine, services.sealer, number):
            faulty.append(number)
    if faulty:
        told = ", ".join(map(str, faulty[:5]))
        return wrong(f"{len(faulty)} of {count} have faults: {told}.", "See nabu admin check.")
    return fine(f"{count} are what their logs say") if count else unknown("there is none yet")
