"""What is looked for again and again is found by indexes, however many games there are"""

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the indexes; pauses had one of players alone."""
    op.drop_index("ix_pause_player_id", "pause")
    op.create_index("ix_pause_whose", "pause", ["player_id", "game_id", "end_at"])
    op.create_index("ix_inbox_handled", "inbox", ["state", "handled_at"])
    _create_of_some("ix_inbox_sealed", "inbox", ["state", "handled_at"], "sealed IS NOT NULL")
    op.create_index("ix_outbox_sent", "outbox", ["state", "sent_at"])
    _create_of_some("ix_player_computer", "player", ["id"], "computer", "computer = 1")
    _create_of_some("ix_player_complained_at", "player", ["complained_at"], "complained_at IS NOT NULL")


def downgrade() -> None:
    """Have the one that there was."""
    op.drop_index("ix_player_complained_at", "player")
    op.drop_index("ix_player_computer", "player")
    op.drop_index("ix_outbox_sent", "outbox")
    op.drop_index("ix_inbox_sealed", "inbox")
    op.drop_index("ix_inbox_handled", "inbox")
    op.drop_index("ix_pause_whose", "pause")
    op.create_index("ix_pause_player_id", "pause", ["player_id"])


def _create_of_some(name: str, table: str, columns: list[str], which: str, in_sqlite: str = "") -> None:
    """Index some rows of a table; SQLite may need to be told otherwise which."""
    where, there = sa.text(which), sa.text(in_sqlite or which)
    op.create_index(name, table, columns, sqlite_where=there, postgresql_where=where)
