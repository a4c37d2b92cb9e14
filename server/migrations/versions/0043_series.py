"""A game knows its place in a series"""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the columns; each game is the only one of its series."""
    op.add_column("game", sa.Column("series_of", ID, nullable=True))
    op.add_column("game", sa.Column("series_place", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("game", sa.Column("series_ended", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("game", sa.Column("next_due_at", sa.DateTime(), nullable=True))
    op.create_index("ix_game_series_of", "game", ["series_of"])
    op.create_index("ix_game_next_due_at", "game", ["next_due_at"])


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_game_next_due_at", "game")
    op.drop_index("ix_game_series_of", "game")
    for column in ("next_due_at", "series_ended", "series_place", "series_of"):
        op.drop_column("game", column)
