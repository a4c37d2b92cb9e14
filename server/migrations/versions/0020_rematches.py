"""A rematch knows the game that it follows"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the column; no game follows another yet."""
    op.add_column("game", sa.Column("again_of", ID, nullable=True))
    op.create_index("ix_game_again_of", "game", ["again_of"])


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_game_again_of", "game")
    op.drop_column("game", "again_of")
