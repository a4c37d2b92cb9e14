"""A mail that was acted upon has a mark, by which copies of it are known"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; copies of mails from before are not known."""
    op.add_column("inbox", sa.Column("mark", sa.String(), nullable=True))
    op.create_index("ix_inbox_mark", "inbox", ["mark"], unique=True)


def downgrade() -> None:
    """Drop the column."""
    op.drop_index("ix_inbox_mark", "inbox")
    op.drop_column("inbox", "mark")
