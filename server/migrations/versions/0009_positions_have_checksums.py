"""Positions have checksums"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; what is there already has none until it changes."""
    op.add_column("game", sa.Column("checksum", sa.String(), nullable=True))
    op.add_column("entry", sa.Column("checksum", sa.String(), nullable=True))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("entry", "checksum")
    op.drop_column("game", "checksum")
