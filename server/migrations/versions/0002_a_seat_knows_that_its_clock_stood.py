"""A seat knows in which turn the others were told that its clock stands still"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; in turns that run now the others may be told once more."""
    op.add_column("seat", sa.Column("stood_turn", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("seat", "stood_turn")
