"""Programs can act for players over the API"""

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add their tokens, and what they were answered."""
    op.create_table(
        "apitoken",
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.Column("used_at", sa.DateTime(), nullable=True),
    )
    op.create_index("ix_apitoken_fingerprint", "apitoken", ["fingerprint"], unique=True)
    op.create_table(
        "apianswer",
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
    )
    op.create_index("ix_apianswer_at", "apianswer", ["at"])


def downgrade() -> None:
    """Drop both."""
    op.drop_table("apianswer")
    op.drop_table("apitoken")
