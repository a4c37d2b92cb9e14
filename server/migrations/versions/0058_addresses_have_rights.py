"""Some addresses can log in, others only send moves"""

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the right and the date; all addresses that exist can log in."""
    op.add_column("address", sa.Column("logs_in", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("address", sa.Column("since", sa.DateTime(), nullable=True))


def downgrade() -> None:
    """Drop both."""
    op.drop_column("address", "since")
    op.drop_column("address", "logs_in")
