"""What mails and links name by its number is numbered by a sequence in SQLite too, as in PostgreSQL"""

from alembic import op

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None
_NAMED = "'game', 'player', 'inbox', 'change', 'tournament'"
_BY_ROWS, _BY_SEQUENCE = "PRIMARY KEY (id)", "PRIMARY KEY (id AUTOINCREMENT)"


def upgrade() -> None:
    """Number by sequences."""
    _replace(_BY_ROWS, _BY_SEQUENCE)


def downgrade() -> None:
    """Number by the last row that there is."""
    _replace(_BY_SEQUENCE, _BY_ROWS)


def _replace(old: str, new: str) -> None:
    """Change how these tables are declared. Their rows are stored as before.

    Otherwise all games would have to be copied, and a table that others refer to cannot be replaced.
    """
    if op.get_bind().dialect.name != "sqlite":
        return
    # The table of all sequences comes with the first table that has one, and stays.
    op.execute("CREATE TABLE numbered (id INTEGER PRIMARY KEY AUTOINCREMENT)")
    op.execute("DROP TABLE numbered")
    op.execute("PRAGMA writable_schema = ON")
    changed = op.get_bind().exec_driver_sql(
        f"UPDATE sqlite_master SET sql = replace(sql, '{old}', '{new}') "  # noqa: S608 - all of it is above
        f"WHERE type = 'table' AND name IN ({_NAMED}) AND instr(sql, '{old}')"
    )
    op.execute("PRAGMA writable_schema = RESET")
    if changed.rowcount != _NAMED.count(",") + 1:
        raise RuntimeError(f"only {changed.rowcount} of the tables {_NAMED} are declared with {old}")
