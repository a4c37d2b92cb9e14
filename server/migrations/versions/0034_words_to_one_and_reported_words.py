"""Players can say something to one of several others, and report words of others to the operator"""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Until now everything was said to all."""
    op.add_column("press", sa.Column("listener", sa.Integer(), nullable=True))
    op.create_table(
        "reported",
        sa.Column("id", ID, primary_key=True),
        sa.Column("game_id", ID, sa.ForeignKey("game.id"), nullable=False),
        sa.Column("press_id", ID, sa.ForeignKey("press.id"), nullable=False),
        sa.Column("speaker_id", ID, sa.ForeignKey("player.id"), nullable=False),
        sa.Column("by_id", ID, sa.ForeignKey("player.id"), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("reported_at", sa.DateTime(), nullable=False),
        sa.Column("settled_at", sa.DateTime(), nullable=True),
        sa.UniqueConstraint("press_id", "by_id"),
    )
    for column in ("speaker_id", "by_id", "reported_at"):
        op.create_index(f"ix_reported_{column}", "reported", [column])


def downgrade() -> None:
    """Drop what others would then be shown, the column and the table."""
    op.drop_table("reported")
    op.execute("DELETE FROM press WHERE listener IS NOT NULL")
    op.drop_column("press", "listener")
