"""Tournaments seed by rating and lot, and decide unfinished games by thinking time"""

import sqlalchemy as sa
from alembic import op

revision = "0060"
down_revision = "0059"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns. Thinking time of games that have begun is unknown; tournaments drew no lots."""
    op.add_column("seat", sa.Column("thought", sa.Integer(), nullable=True))
    op.add_column("pairing", sa.Column("first_thought", sa.Integer(), nullable=True))
    op.add_column("pairing", sa.Column("second_thought", sa.Integer(), nullable=True))
    op.add_column("tournament", sa.Column("sealed_lot", sa.LargeBinary(), nullable=True))
    op.add_column("tournament", sa.Column("lot_hash", sa.String(), nullable=False, server_default=""))
    op.add_column("tournament", sa.Column("lot", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """Drop them."""
    for name in ("lot", "lot_hash", "sealed_lot"):
        op.drop_column("tournament", name)
    for name in ("second_thought", "first_thought"):
        op.drop_column("pairing", name)
    op.drop_column("seat", "thought")
