"""The schema of a database: check that it fits this version, and upgrade it."""

from pathlib import Path

from sqlalchemy import Column, Connection, Engine, MetaData, Table, inspect, select

MIGRATIONS = Path(__file__).resolve().parents[1] / "migrations"

VERSION_TABLE = "alembic_version"
_VERSION = Table(VERSION_TABLE, MetaData(), Column("version_num"))
"""The table of Alembic, with the present schema in its only row."""


class Outdated(Exception):
    """Raised if the database has another schema than this version; `problem` and `fix` are sentences."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(f"{problem} {fix}")
        self.problem, self.fix = problem, fix


def upgrade(engine: Engine) -> None:
    """Upgrade the schema to this version, if necessary."""
    with engine.execution_options(writing=True).begin() as connection:
        upgrade_within(connection, "head")


def upgrade_within(connection: Connection, revision: str) -> None:
    """Upgrade the schema to a revision within the caller's transaction.

    Raises Outdated for a schema that is older than the first migration.
    """
    # Imported here: every process checks the schema when it starts, but hardly any changes it.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    check_can_upgrade(connection)
    command.upgrade(config, revision)


def check(engine: Engine) -> None:
    """Raise Outdated, with the command that fixes it, unless the schema is that of this version."""
    with engine.connect() as connection:
        check_can_upgrade(connection)
        found = revision_of(connection)
    wanted = newest()
    if found != wanted:
        raise Outdated(
            f"The database has schema {found or 'none'}; this version needs {wanted}.", "Run: nabu db upgrade"
        )


def check_can_upgrade(connection: Connection) -> None:
    """Raise Outdated for a schema that is older than the first migration."""
    found = revision_of(connection)
    if found and found < _revisions()[0]:
        raise Outdated(
            f"The database has schema {found}, from before the first release; this version cannot upgrade it.",
            "Start with a new database, or keep using the version that created this one.",
        )


def revision_of(connection: Connection) -> str:
    """Return the revision of a database's schema; "" if it has none."""
    is_empty = not inspect(connection).has_table(VERSION_TABLE)
    return "" if is_empty else str(connection.execute(select(_VERSION)).scalar())


def newest() -> str:
    """Return the revision of the schema that this version of Nabu needs."""
    return _revisions()[-1]


def _revisions() -> list[str]:
    """Return all schemas in order: the numbers at the start of the names of migrations."""
    return sorted(file.name.split("_")[0] for file in (MIGRATIONS / "versions").glob("*.py"))
