"""A seat knows that its player is at the game's page, and until when their mail waits"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; nobody is at a page."""
    op.add_column("seat", sa.Column("held_until", sa.DateTime(), nullable=True))
    op.add_column("seat", sa.Column("page_at", sa.DateTime(), nullable=True))
    op.create_index("ix_seat_held_until", "seat", ["held_until"])


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_seat_held_until", "seat")
    op.drop_column("seat", "page_at")
    op.drop_column("seat", "held_until")
