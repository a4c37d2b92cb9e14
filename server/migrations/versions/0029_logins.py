"""Players see where they are logged in, and log out single browsers"""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOST = 10


def upgrade() -> None:
    """Add the table, with the logins that may still be used: what they are used with is mostly unknown."""
    table = op.create_table(
        "login",
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("browser", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("seen_at", sa.DateTime(), nullable=False),
    )
    op.create_index("ix_login_seen_at", "login", ["seen_at"])
    connection, now = op.get_bind(), datetime.now(UTC).replace(tzinfo=None)
    allowed = "SELECT player_id, login, service FROM browser JOIN channel ON channel.id = browser.channel_id"
    names = {(player, number): name for player, number, name in connection.execute(sa.text(allowed))}
    for player, since, serial in connection.execute(
        sa.text("SELECT id, logged_in_since, login_serial FROM player WHERE login_serial > 0")
    ).all():
        last = range(max(1, serial - MOST + 1), serial + 1)
        known = {number for owner, number in names if owner == player}
        for number in sorted(each for each in {*last, *known} if each >= since):
            row = {"player_id": player, "number": number, "browser": names.get((player, number), "A browser")}
            connection.execute(sa.insert(table).values(**row, since=now, seen_at=now))
    op.drop_column("player", "logged_in_since")


def downgrade() -> None:
    """Drop it; everybody has to log in again."""
    op.drop_table("login")
    op.add_column("player", sa.Column("logged_in_since", sa.Integer(), nullable=False, server_default="0"))
    op.execute("UPDATE player SET logged_in_since = login_serial + 1")
