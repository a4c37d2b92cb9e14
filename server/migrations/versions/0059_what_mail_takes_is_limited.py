"""Incoming mail is counted against budgets of bytes a day, outgoing mail by the player who causes it"""

import sqlalchemy as sa
from alembic import op

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table that counts what comes in, and the column that says who causes what goes out."""
    op.create_table(
        "intake",
        sa.Column("day", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("budget", sa.String(), primary_key=True),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("most", sa.BigInteger(), nullable=False),
    )
    op.add_column("outbox", sa.Column("actor_id", ID, nullable=True))
    known = sa.text("actor_id IS NOT NULL")
    op.create_index(
        "ix_outbox_actor", "outbox", ["actor_id", "created_at"], sqlite_where=known, postgresql_where=known
    )


def downgrade() -> None:
    """Drop both."""
    op.drop_index("ix_outbox_actor", "outbox")
    op.drop_column("outbox", "actor_id")
    op.drop_table("intake")
