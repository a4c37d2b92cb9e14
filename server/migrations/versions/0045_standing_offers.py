"""An open game can open again"""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the columns; no game does so yet."""
    op.add_column("game", sa.Column("offer", sa.JSON(), nullable=True))
    op.add_column("game", sa.Column("offer_of", ID, nullable=True))
    op.add_column("game", sa.Column("offer_due_at", sa.DateTime(), nullable=True))
    op.create_index("ix_game_offer_of", "game", ["offer_of"])
    op.create_index("ix_game_offer_due_at", "game", ["offer_due_at"])


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_game_offer_due_at", "game")
    op.drop_index("ix_game_offer_of", "game")
    for column in ("offer_due_at", "offer_of", "offer"):
        op.drop_column("game", column)
