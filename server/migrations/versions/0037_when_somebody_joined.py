"""A seat knows when somebody joined an open game"""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; nobody has joined anything yet."""
    op.add_column("seat", sa.Column("joined_at", sa.DateTime(), nullable=True))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("seat", "joined_at")
