"""A seat knows what the result was for it, and games that are over are found by their date"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add column and index, and fill in the results of games that are over."""
    op.add_column("seat", sa.Column("outcome", sa.String(), nullable=False, server_default=""))
    op.create_index("ix_game_state_changed_at", "game", ["state", "changed_at"])
    game = sa.table("game", sa.column("id", sa.BigInteger), sa.column("state"), sa.column("result", sa.JSON))
    names = ("game_id", "number", "outcome")
    seat = sa.table("seat", *(sa.column(name) for name in names))
    connection = op.get_bind()
    over = sa.select(game.c.id, game.c.result).where(game.c.state == "over")
    for number, result in connection.execute(over).all():
        winners = result["winners"] if result else []
        won = "drawn" if winners[1:] else "won"
        others = "lost" if winners else "abandoned"
        of_game = seat.c.game_id == number
        connection.execute(sa.update(seat).where(of_game).values(outcome=others))
        connection.execute(sa.update(seat).where(of_game, seat.c.number.in_(winners)).values(outcome=won))


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_game_state_changed_at", "game")
    op.drop_column("seat", "outcome")
