"""A turn of a computer player is thought about by one process"""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add until when it is."""
    op.add_column("seat", sa.Column("thinking_until", sa.DateTime(), nullable=True))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("seat", "thinking_until")
