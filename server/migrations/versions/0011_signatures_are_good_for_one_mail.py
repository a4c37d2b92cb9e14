"""Signatures that do not cover a mail are good for one"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "ticket",
        sa.Column("mark", sa.String(), nullable=False),
        sa.Column("mail", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("mark"),
    )
    op.create_index("ix_ticket_since", "ticket", ["since"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("ticket")
