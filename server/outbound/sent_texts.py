"""The texts of the latest emails to a player, to recognize quotes of them in a reply."""

from dataclasses import dataclass

from sqlmodel import Session, col, or_, select

from mail.reading.markers import is_quoted
from mail.reading.message import Reading
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
_SHORTEST_QUOTE = 4  # lines; an email with fewer lines contains no quote
_SHORTEST_END = 60  # characters of the last line of an email from Nabu


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


def is_needed(reading: Reading) -> bool:
    """Return whether an email may contain quoted lines of Nabu that only a comparison can recognize.

    Rendering an email takes some milliseconds. So it is necessary only if there is no text above the quote or
    some text inside it, if the marker line at the beginning of the quote is missing, or if the last line may be
    new text below the quote.
    """
    written = reading.written
    if written.follows or written.below or written.aside or not reading.text:
        return True
    *lines, last = reading.raw_text.rstrip().split("\n")
    ends_clearly = written.ends_clearly and (is_quoted(last) or len(last) >= _SHORTEST_END)
    return len(lines) >= _SHORTEST_QUOTE and not ends_clearly
