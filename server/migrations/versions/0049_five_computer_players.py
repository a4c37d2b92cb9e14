"""There are five computer players"""

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add how strong each is; the one that there was has the second strength. The others come by themselves."""
    op.add_column("player", sa.Column("strength", sa.Integer(), nullable=True))
    op.execute("UPDATE player SET strength = 2 WHERE id = (SELECT min(id) FROM player WHERE computer)")
    op.create_index("ix_player_strength", "player", ["strength"], unique=True)


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_player_strength", "player")
    op.drop_column("player", "strength")
