"""Changes of an account wait until they are confirmed by email"""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "change",
        sa.Column("id", ID, primary_key=True),
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("old_agrees", sa.Boolean(), nullable=False),
        sa.Column("new_agrees", sa.Boolean(), nullable=False),
        sa.Column("asked_at", sa.DateTime(), nullable=False),
        sa.Column("told_at", sa.DateTime(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.Column("ended_at", sa.DateTime(), nullable=True),
    )
    op.create_index("ix_change_player_id", "change", ["player_id"])
    op.create_index("ix_change_due_at", "change", ["due_at"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("change")
