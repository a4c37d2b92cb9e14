"""Players can have roles, and what they do in them is written down"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "staff",
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("sealed_factor", sa.LargeBinary(), nullable=True),
        sa.Column("confirmed_at", sa.DateTime(), nullable=True),
        sa.Column("last_step", sa.Integer(), nullable=False),
        sa.Column("wrong_codes", sa.Integer(), nullable=False),
        sa.Column("wrong_since", sa.DateTime(), nullable=True),
    )
    op.create_table(
        "deed",
        sa.Column("id", ID, primary_key=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("by_id", ID, sa.ForeignKey("player.id"), nullable=True),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), nullable=True),
        sa.Column("game_id", ID, sa.ForeignKey("game.id"), nullable=True),
        sa.Column("why", sa.String(), nullable=False),
    )
    for column in ("by_id", "player_id", "game_id"):
        op.create_index(f"ix_deed_{column}", "deed", [column])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("deed")
    op.drop_table("staff")
