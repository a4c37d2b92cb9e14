"""Games that are over are assessed"""

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """What the computer finds is kept with the game."""
    op.create_table(
        "assessed",
        sa.Column("game_id", ID, sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("answer", sa.JSON(), nullable=False),
        sa.Column("made_at", sa.DateTime(), nullable=False),
    )


def downgrade() -> None:
    """It can be found again."""
    op.drop_table("assessed")
