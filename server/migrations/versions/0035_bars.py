"""Operators suspend players, close accounts and block addresses"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "bar",
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("until", sa.DateTime(), nullable=True),
        sa.Column("why", sa.String(), nullable=False),
    )
    op.create_table(
        "blockedaddress",
        sa.Column("pattern", sa.String(), primary_key=True),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
    )
    for table in ("bar", "blockedaddress"):
        op.create_index(f"ix_{table}_since", table, ["since"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("blockedaddress")
    op.drop_table("bar")
