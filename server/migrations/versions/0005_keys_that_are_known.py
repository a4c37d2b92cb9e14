"""The keys that a database was written with are known"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "knownkey",
        sa.Column("mark", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("mark"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("knownkey")
