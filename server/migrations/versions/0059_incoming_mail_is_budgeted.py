"""Incoming mail is counted against budgets of bytes a day"""

import sqlalchemy as sa
from alembic import op

revision = "0059"
down_revision = "0057"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table that counts it."""
    op.create_table(
        "intake",
        sa.Column("day", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("budget", sa.String(), primary_key=True),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("most", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("intake")
