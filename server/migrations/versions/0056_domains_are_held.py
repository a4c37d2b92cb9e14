"""Operators hold domains to which nothing is sent for now"""

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add them."""
    op.create_table(
        "helddomain",
        sa.Column("domain", sa.String(), primary_key=True),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("helddomain")
