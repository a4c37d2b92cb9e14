"""A mail that is not taken tells since when, and what its refusal has in common with others"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; what was refused before counts from its next attempt on."""
    op.add_column("outbox", sa.Column("refusal", sa.String(), nullable=False, server_default=""))
    op.add_column("outbox", sa.Column("failing_since", sa.DateTime(), nullable=True))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("outbox", "failing_since")
    op.drop_column("outbox", "refusal")
