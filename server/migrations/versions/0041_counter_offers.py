"""A game knows in place of which one it was proposed"""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the column; nobody has proposed anything in place of a game yet."""
    op.add_column("game", sa.Column("counter_of", ID, nullable=True))
    op.create_index("ix_game_counter_of", "game", ["counter_of"])


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_game_counter_of", "game")
    op.drop_column("game", "counter_of")
