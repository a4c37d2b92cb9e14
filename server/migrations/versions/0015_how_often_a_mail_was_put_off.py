"""A mail knows how often it was put off, as the name servers did not answer"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the count; what waits already was put off by nobody."""
    op.add_column("inbox", sa.Column("put_off", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("inbox", "put_off")
