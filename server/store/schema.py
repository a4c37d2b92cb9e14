"""The schema: the tables that a database has, and those that this version works with."""

from pathlib import Path

from sqlalchemy import Column, Connection, Engine, MetaData, Table, inspect, select

MIGRATIONS = Path(__file__).resolve().parents[1] / "migrations"

VERSION_TABLE = "alembic_version"
_VERSION = Table(VERSION_TABLE, MetaData(), Column("version_num"))
"""The table, with one row, in which Alembic keeps which schema there is."""


class Outdated(Exception):
    """The database does not have the tables of this version; `problem` and `fix` are sentences."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(f"{problem} {fix}")
        self.problem, self.fix = problem, fix


def upgrade(engine: Engine) -> None:
    """Bring the schema to this version; does nothing when it is there already."""
    with engine.execution_options(writing=True).begin() as connection:
        upgrade_within(connection, "head")


def upgrade_within(connection: Connection, revision: str) -> None:
    """Bring it to this revision in a transaction that goes on, and may not be committed in the end.

    Raise Outdated for a schema that is older than the first migration.
    """
    # Imported here: every process of Nabu checks the schema as it starts, hardly any changes it.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    check_can_upgrade(connection)
    command.upgrade(config, revision)


def check(engine: Engine) -> None:
    """Raise Outdated, with what to do, unless the schema is that of this version."""
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
            "Start with a new database, or go on with the version that made this one.",
        )


def revision_of(connection: Connection) -> str:
    """The schema that a database has; "" if it has none."""
    is_empty = not inspect(connection).has_table(VERSION_TABLE)
    return "" if is_empty else str(connection.execute(select(_VERSION)).scalar())


def newest() -> str:
    """The schema of this version."""
    return _revisions()[-1]


def _revisions() -> list[str]:
    """All schemas, in order: migrations are numbered, and their files begin with their numbers."""
    return sorted(file.name.split("_")[0] for file in (MIGRATIONS / "versions").glob("*.py"))
