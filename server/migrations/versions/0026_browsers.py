"""Players can be told their turns in their browsers"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table, and notices without a game."""
    op.create_table(
        "browser",
        sa.Column("channel_id", ID, sa.ForeignKey("channel.id"), primary_key=True),
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), nullable=False),
        sa.Column("login", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("told_at", sa.DateTime(), nullable=True),
    )
    op.create_index("ix_browser_player_id", "browser", ["player_id"])
    with op.batch_alter_table("notice") as batch:
        batch.alter_column("game_id", existing_type=ID, nullable=True)


def downgrade() -> None:
    """Drop it, and those notices."""
    op.execute("DELETE FROM notice WHERE game_id IS NULL")
    with op.batch_alter_table("notice") as batch:
        batch.alter_column("game_id", existing_type=ID, nullable=False)
    op.drop_table("browser")
