"""Mails that came in are handled in turns"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

WAITS = sa.text("state = 'new'")


def upgrade() -> None:
    """Add queue and turn; what waits already comes first."""
    op.add_column("inbox", sa.Column("queue", sa.String(), nullable=False, server_default=""))
    op.add_column("inbox", sa.Column("turn", sa.Integer(), nullable=False, server_default="0"))
    op.drop_index("ix_inbox_due", "inbox")
    op.create_index("ix_inbox_turn", "inbox", ["state", "turn", "due_at"])
    op.create_index("ix_inbox_queue", "inbox", ["queue", "turn"], sqlite_where=WAITS, postgresql_where=WAITS)


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_inbox_queue", "inbox")
    op.drop_index("ix_inbox_turn", "inbox")
    op.create_index("ix_inbox_due", "inbox", ["state", "due_at"])
    op.drop_column("inbox", "turn")
    op.drop_column("inbox", "queue")
