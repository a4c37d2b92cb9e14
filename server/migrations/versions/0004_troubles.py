"""What could not be done is noted, and tried again"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "trouble",
        sa.Column("id", ID, nullable=False),
        sa.Column("chore", sa.String(), nullable=False),
        sa.Column("game_id", ID, nullable=True),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("chore", "game_id"),
        sa.UniqueConstraint("chore", "player_id"),
    )
    op.create_index("ix_trouble_since", "trouble", ["since"])
    op.create_index("ix_trouble_due_at", "trouble", ["due_at"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("trouble")
