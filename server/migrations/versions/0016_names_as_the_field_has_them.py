"""The terms of a game, the client seed of a seat, and failures of jobs have these names"""

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_COLUMNS = (("game", "house", "terms"), ("seat", "luck", "client_seed"), ("failure", "chore", "job"))
_INDEXED = ("since", "due_at")


def upgrade() -> None:
    """Rename them; what they hold stays."""
    op.rename_table("trouble", "failure")
    for table, old, new in _COLUMNS:
        _rename_column(table, old, new)
    _rename_indexes("trouble", "failure")


def downgrade() -> None:
    """Give them their earlier names."""
    _rename_indexes("failure", "trouble")
    for table, old, new in _COLUMNS:
        _rename_column(table, new, old)
    op.rename_table("failure", "trouble")


def _rename_column(table: str, old: str, new: str) -> None:
    # Both databases know this statement; alembic's own would copy the table on SQLite.
    op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")


def _rename_indexes(old: str, new: str) -> None:
    for column in _INDEXED:
        op.drop_index(f"ix_{old}_{column}", "failure")
        op.create_index(f"ix_{new}_{column}", "failure", [column])
