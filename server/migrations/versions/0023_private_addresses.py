"""A player can have private addresses of a feed and a calendar"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; nobody has any yet."""
    op.add_column("player", sa.Column("feed_key", sa.String(), nullable=True))
    op.create_index("ix_player_feed_key", "player", ["feed_key"], unique=True)


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_player_feed_key", "player")
    op.drop_column("player", "feed_key")
