"""Players can ask the computer for hints"""

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """What they ask waits in a table until a worker answers it."""
    op.create_table(
        "inquiry",
        sa.Column("id", ID, primary_key=True),
        sa.Column("game_id", ID, sa.ForeignKey("game.id"), nullable=False),
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("by_mail", sa.Boolean(), nullable=False),
        sa.Column("asked_at", sa.DateTime(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=True),
        sa.Column("answer", sa.JSON(), nullable=True),
    )
    op.create_index("ix_inquiry_game_id", "inquiry", ["game_id"])
    op.create_index("ix_inquiry_due_at", "inquiry", ["due_at"])
    op.create_index("ix_inquiry_player_id_asked_at", "inquiry", ["player_id", "asked_at"])


def downgrade() -> None:
    """Forget what was asked."""
    op.drop_table("inquiry")
