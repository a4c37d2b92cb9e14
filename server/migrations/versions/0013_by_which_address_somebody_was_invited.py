"""A seat knows by which address somebody was invited to it"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; who is invited already goes by their name."""
    op.add_column("seat", sa.Column("invited_as", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("seat", "invited_as")
