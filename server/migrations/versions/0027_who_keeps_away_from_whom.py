"""Players block and ignore others, and invitations are counted by address"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
NAMED = sa.text("invited_as != ''")


def upgrade() -> None:
    """Make the table, and the index."""
    op.create_table(
        "relation",
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("other_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("blocked", sa.Boolean(), nullable=False),
    )
    op.create_index("ix_relation_other_id", "relation", ["other_id"])
    op.create_index("ix_seat_invited_as", "seat", ["invited_as"], sqlite_where=NAMED, postgresql_where=NAMED)


def downgrade() -> None:
    """Drop both."""
    op.drop_index("ix_seat_invited_as", "seat")
    op.drop_table("relation")
