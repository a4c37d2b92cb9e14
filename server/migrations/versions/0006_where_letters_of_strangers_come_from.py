"""Of a letter that a stranger had mailed it is noted from which network, as a keyed hash"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

STRANGERS = sa.text("origin IS NOT NULL")


def upgrade() -> None:
    """Add the column, and an index of the few rows that have it."""
    op.add_column("outbox", sa.Column("origin", sa.String(), nullable=True))
    op.create_index(
        "ix_outbox_origin", "outbox", ["created_at"], sqlite_where=STRANGERS, postgresql_where=STRANGERS
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_outbox_origin", "outbox")
    op.drop_column("outbox", "origin")
