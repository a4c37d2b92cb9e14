"""Two names never look alike"""

from itertools import chain, count

import sqlalchemy as sa
from alembic import op

from server.accounts.confusable_names import shape

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what names that look alike have in common; who is called so already keeps their name."""
    op.add_column("player", sa.Column("name_shape", sa.String(), nullable=False, server_default=""))
    player = sa.table(
        "player",
        sa.column("id", sa.BigInteger),
        sa.column("name", sa.String),
        sa.column("name_shape", sa.String),
    )
    connection, known = op.get_bind(), set[str]()
    for number, name in connection.execute(sa.select(player.c.id, player.c.name).order_by(player.c.id)).all():
        # In no shape there is a parenthesis, so what is told apart by one is never wanted by anybody else.
        others = (f"{shape(name)} ({more})" for more in count(2))
        free = next(seen for seen in chain([shape(name)], others) if seen not in known)
        known.add(free)
        connection.execute(sa.update(player).where(player.c.id == number).values(name_shape=free))
    op.create_index("ix_player_name_shape", "player", ["name_shape"], unique=True)


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_player_name_shape", "player")
    op.drop_column("player", "name_shape")
