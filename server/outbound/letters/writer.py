"""The writer of emails: it turns a row of the outbox into the text of an email."""

from dataclasses import dataclass, field, replace
from typing import Any

from sqlmodel import Session

from mail.addresses import mailto, with_tag
from mail.outgoing.composing import Mail, compose
from mail.reading.reports import bounce_address
from server.accounts.login.links import Logins
from server.commands import player_names
from server.outbound.letters.context import Draft, Sources, draft_of
from server.outbound.letters.expiry import still_true
from server.outbound.letters.render import Renderer
from server.settings import Settings
from server.store.keys.sealing import Sealer
from server.store.letters.letter import AddressedLetter, read
from server.store.models import Outbox
from server.store.tokens import ConfirmationToken, ReplyToken, TokenSigner


@dataclass(frozen=True)
class Writer:
    """Writes emails. It needs the keys because the content of a letter is sealed in the outbox."""

    settings: Settings
    sealer: Sealer
    tokens: TokenSigner
    logins: Logins
    renderer: Renderer = field(default_factory=Renderer)

    def write(self, session: Session, row: Outbox) -> bytes:
        """Return the complete email for a row, as bytes.

        Its Message-ID stays the same as long as a reply to it has the same meaning.
        """
        return self._written(row, *self._addressed(session, row))

    def write_what_is_true(self, session: Session, row: Outbox) -> bytes | None:
        """Return the email for a row with the parts that are still true, as bytes; None if no part is."""
        addressed, sources = self._addressed(session, row)
        letter = still_true(addressed.letter, sources)
        return None if letter is None else self._written(row, replace(addressed, letter=letter), sources)

    def text(self, session: Session, row: Outbox) -> str:
        """Return the plain text of the email for a row."""
        addressed, sources = self._addressed(session, row)
        return self.renderer.text(row.letter, self._context(draft_of(addressed.letter, sources), addressed))

    def message_id(self, row: Outbox, reply: ReplyToken | ConfirmationToken | None) -> str:
        """Return the Message-ID of an email; it ends with the token of a reply."""
        token = "" if reply is None else f".{self.tokens.write_id(reply)}"
        return f"{row.key}{token}@{self.settings.mail_domain}"

    def return_path(self, row: Outbox) -> str:
        """Return the return path, the address for bounces; only mail servers see it."""
        return bounce_address(self.tokens.write_return(row.key), self.settings.plain_address)

    def reply_address(self, reply: ReplyToken | ConfirmationToken | None) -> str:
        """Return the address for a reply: with a token, or the plain address."""
        tag = "" if reply is None else self.tokens.write(reply)
        return with_tag(self.settings.plain_address, tag)

    def _written(self, row: Outbox, addressed: AddressedLetter, sources: Sources) -> bytes:
        draft = draft_of(addressed.letter, sources)
        text, html = self.renderer.render(row.letter, self._context(draft, addressed), draft.preview)
        return compose(self._mail(row, draft, addressed, text, html))

    def _addressed(self, session: Session, row: Outbox) -> tuple[AddressedLetter, Sources]:
        addressed = read(row.letter, row.game_id, self.sealer.open_json(row.sealed))
        return addressed, Sources(
            session, self.sealer, self.settings, self.logins, addressed.about, row.created_at
        )

    def _context(self, draft: Draft, addressed: AddressedLetter) -> dict[str, Any]:
        frame = {
            "reply_to": self.reply_address(draft.reply),
            "address_of": self.reply_address,
            "plain": self.reply_address(None),
            "base_url": self.settings.base_url,
            "marked": draft.reply is not None or addressed.letter.takes_commands,
            "answerable": isinstance(draft.reply, ReplyToken),
            "question": self._page_of(draft.reply),
            "subject": draft.subject,
            "log": draft.log,
            "notice_line": addressed.notice_line,
            "quoted": addressed.quoted.splitlines(),
            "part": None,
        }
        return {**draft.context, "frame": frame}

    def _page_of(self, reply: ReplyToken | ConfirmationToken | None) -> str:
        """Return the page that answers the question "Was this you?"; "" for other letters."""
        if not isinstance(reply, ConfirmationToken):
            return ""
        return f"{self.settings.base_url}/yes/{self.tokens.write(reply)}"

    def _mail(self, row: Outbox, draft: Draft, addressed: AddressedLetter, text: str, html: str) -> Mail:
        domain = self.settings.mail_domain
        game = draft.reply.game if isinstance(draft.reply, ReplyToken) else row.game_id
        root = (f"game-{game}@{domain}",) if game is not None else ()
        references = (*root, addressed.answers) if addressed.answers else root
        return Mail(
            sender=f"{player_names.sender(draft.by)} <{self.reply_address(None)}>",
            recipient=row.recipient,
            reply_to=self.reply_address(draft.reply),
            subject=draft.subject,
            text=text,
            html=html,
            message_id=self.message_id(row, draft.reply),
            date=row.created_at,
            in_reply_to=references[-1] if references else "",
            references=references,
            headers=(*self._way_out(row, draft), ("Feedback-ID", f"{row.letter}:nabu:{domain}")),
            attachments=draft.attachments,
            is_answer=addressed.letter.is_answer,
        )

    def _way_out(self, row: Outbox, draft: Draft) -> list[tuple[str, str]]:
        """Return the List-Unsubscribe headers: by email, and for players also by one click (RFC 8058)."""
        page, command = draft.way_out or ("", "stop")
        stop = f"<{mailto(self.reply_address(None), command)}>"
        if row.player_id is None:
            return [("List-Unsubscribe", stop)]
        click = f"<{self.settings.base_url}{page or f'/stop/{self.logins.write_stop(row.player_id)}'}>"
        return [
            ("List-Unsubscribe", f"{click}, {stop}"),
            ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ]
