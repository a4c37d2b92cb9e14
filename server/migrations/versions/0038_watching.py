"""Players can watch games of others, and other players"""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables, and the column that says in which games something has to be told."""
    op.create_table(
        "watch",
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("game_id", ID, sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("told_at", sa.DateTime(), nullable=True),
    )
    op.create_index("ix_watch_game_id", "watch", ["game_id"])
    op.create_table(
        "follow",
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("other_id", ID, sa.ForeignKey("player.id"), primary_key=True),
    )
    op.create_index("ix_follow_other_id", "follow", ["other_id"])
    op.add_column("game", sa.Column("news_at", sa.DateTime(), nullable=True))
    op.create_index("ix_game_news_at", "game", ["news_at"])


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_game_news_at", "game")
    op.drop_column("game", "news_at")
    op.drop_table("follow")
    op.drop_table("watch")
