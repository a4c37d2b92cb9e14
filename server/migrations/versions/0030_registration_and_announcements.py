"""Operators settle who may become a player, and announce things"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "policy",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("value", sa.String(), nullable=False),
    )
    op.create_table(
        "announcement",
        sa.Column("id", ID, primary_key=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("until", sa.DateTime(), nullable=False),
        sa.Column("by_id", ID, sa.ForeignKey("player.id"), nullable=True),
        sa.Column("mailed_to", ID, nullable=True),
        sa.Column("is_mailed", sa.Boolean(), nullable=False),
    )
    for column in ("until", "mailed_to"):
        op.create_index(f"ix_announcement_{column}", "announcement", [column])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("announcement")
    op.drop_table("policy")
