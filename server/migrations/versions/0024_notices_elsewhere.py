"""Players can be told their turns in channels of other services"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the tables, and who has named which channel."""
    op.create_table(
        "channel",
        sa.Column("id", ID, primary_key=True),
        sa.Column("mark", sa.String(), nullable=False, unique=True),
        sa.Column("service", sa.String(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("failing_since", sa.DateTime(), nullable=True),
    )
    op.create_table(
        "notice",
        sa.Column("id", ID, primary_key=True),
        sa.Column("channel_id", ID, sa.ForeignKey("channel.id"), nullable=False),
        sa.Column("game_id", ID, sa.ForeignKey("game.id"), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seats", sa.JSON(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.UniqueConstraint("game_id", "turn", "channel_id"),
    )
    op.create_index("ix_notice_channel_id", "notice", ["channel_id"])
    op.create_index("ix_notice_due_at", "notice", ["due_at"])
    for table in ("player", "seat"):
        with op.batch_alter_table(table) as batch:
            batch.add_column(sa.Column("channel_id", ID, nullable=True))
        op.create_index(f"ix_{table}_channel_id", table, ["channel_id"])


def downgrade() -> None:
    """Drop them."""
    for table in ("player", "seat"):
        op.drop_index(f"ix_{table}_channel_id", table)
        op.drop_column(table, "channel_id")
    op.drop_table("notice")
    op.drop_table("channel")
