"""The texts of the latest emails to a player, to recognize quotes of them in a reply."""

from dataclasses import dataclass

from sqlmodel import Session, col, or_, select

from server.game.log import log
from server.outbound.letters.reminders import Reminder
from server.outbound.letters.writer import Writer
from server.store.db import is_away
from server.store.letters.game import Digest
from server.store.letters.letter import Answers, name_of
from server.store.models import Game, Outbox, Player, Seat
from server.store.tokens import ReplyToken

_MAILS = 3
_OF_SEVERAL = (name_of(Digest), name_of(Answers), name_of(Reminder))


@dataclass(frozen=True)
class Sent:
    """Renders the latest emails to a player again, to recognize quotes of them in a reply."""

    writer: Writer

    def texts(self, session: Session, token: ReplyToken, sender: str) -> tuple[str, ...]:
        """Return the texts of the last three emails about a game to the player of a seat, or to the sender."""
        game = session.get(Game, token.game)
        number = token.seat if token.turn or game is None else log.seat_of_asked(session, game, token.seat)
        seat = session.get(Seat, (token.game, number))
        player = None if seat is None else session.get(Player, seat.player_id)
        addresses = [sender] if player is None else [sender, player.email]
        query = select(Outbox).where(
            or_(Outbox.game_id == token.game, col(Outbox.letter).in_(_OF_SEVERAL)),
            col(Outbox.recipient).in_(addresses),
            Outbox.state != "dropped",
        )
        rows = session.exec(query.order_by(col(Outbox.id).desc()).limit(_MAILS))
        return tuple(filter(None, (self._text(session, row) for row in rows)))

    def _text(self, session: Session, row: Outbox) -> str:
        try:
            return self.writer.text(session, row)
        except Exception as error:  # the text only helps to read the reply, so an error must not stop it
            if is_away(error):
                raise
            return ""
