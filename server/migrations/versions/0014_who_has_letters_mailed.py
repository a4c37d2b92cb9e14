"""Letters know whether it is certain who had them mailed, and which seat did"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both; what was mailed before counts as certain, and as no seat's."""
    op.add_column("outbox", sa.Column("doubtful", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("outbox", sa.Column("caused_by", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("outbox", "caused_by")
    op.drop_column("outbox", "doubtful")
