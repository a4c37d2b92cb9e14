"""The writer turns a row of the outbox into a mail."""

from dataclasses import dataclass, field, replace
from typing import Any

from sqlmodel import Session

from mail.addresses import with_tag
from mail.outgoing.composing import Mail, compose
from mail.outgoing.links import mailto
from mail.reading.reports import bounce_address
from server.accounts.login.links import Logins
from server.commands import player_names
from server.outbound.letters.context import Draft, Sources, draft_of
from server.outbound.letters.expiry import still_true
from server.outbound.letters.render import Renderer
from server.settings import Settings
from server.store.keys.sealing import Sealer
from server.store.letters.letter import Put, read
from server.store.models import Outbox
from server.store.tokens import ConfirmationToken, ReplyToken, TokenSigner


@dataclass(frozen=True)
class Writer:
    """Writes mails; needs the keys because what a letter says is sealed in the outbox."""

    settings: Settings
    sealer: Sealer
    tokens: TokenSigner
    logins: Logins
    renderer: Renderer = field(default_factory=Renderer)

    def write(self, session: Session, row: Outbox) -> bytes:
        """The mail for a row of the outbox, under the same Message-ID while a reply to it means the same."""
        return self._written(row, *self._put(session, row))

    def write_what_is_true(self, session: Session, row: Outbox) -> bytes | None:
        """That mail with what is still true of it; None if nothing is."""
        put, sources = self._put(session, row)
        letter = still_true(put.letter, sources)
        return None if letter is None else self._written(row, replace(put, letter=letter), sources)

    def text(self, session: Session, row: Outbox) -> str:
        """The plain text of that mail."""
        put, sources = self._put(session, row)
        return self.renderer.text(row.letter, self._context(draft_of(put.letter, sources), put))

    def message_id(self, row: Outbox, reply: ReplyToken | ConfirmationToken | None) -> str:
        """A mail's Message-ID, wherever it goes; it ends with what a reply to it is about."""
        token = "" if reply is None else f".{self.tokens.write_id(reply)}"
        return f"{row.key}{token}@{self.settings.mail_domain}"

    def return_path(self, row: Outbox) -> str:
        """Where a mail bounces to; only mail servers see this address."""
        return bounce_address(self.tokens.write_return(row.key), self.settings.plain_address)

    def reply_address(self, reply: ReplyToken | ConfirmationToken | None) -> str:
        """Where a reply goes: to a game, or to the plain address."""
        tag = "" if reply is None else self.tokens.write(reply)
        return with_tag(self.settings.plain_address, tag)

    def _written(self, row: Outbox, put: Put, sources: Sources) -> bytes:
        draft = draft_of(put.letter, sources)
        text, html = self.renderer.render(row.letter, self._context(draft, put), draft.preview)
        return compose(self._mail(row, draft, put, text, html))

    def _put(self, session: Session, row: Outbox) -> tuple[Put, Sources]:
        put = read(row.letter, row.game_id, self.sealer.open_json(row.sealed))
        return put, Sources(session, self.sealer, self.settings, self.logins, put.about, row.created_at)

    def _context(self, draft: Draft, put: Put) -> dict[str, Any]:
        frame = {
            "reply_to": self.reply_address(draft.reply),
            "address_of": self.reply_address,
            "plain": self.reply_address(None),
            "base_url": self.settings.base_url,
            "answerable": isinstance(draft.reply, ReplyToken),
            "question": self._page_of(draft.reply),
            "subject": draft.subject,
            "log": draft.log,
            "notice_line": put.notice_line,
            "quoted": put.quoted.splitlines(),
            "part": None,
        }
        return {**draft.context, "frame": frame}

    def _page_of(self, reply: ReplyToken | ConfirmationToken | None) -> str:
        """The page whose button answers the question whether a mail is theirs; "" for other letters."""
        if not isinstance(reply, ConfirmationToken):
            return ""
        return f"{self.settings.base_url}/yes/{self.tokens.write(reply)}"

    def _mail(self, row: Outbox, draft: Draft, put: Put, text: str, html: str) -> Mail:
        domain = self.settings.mail_domain
        game = draft.reply.game if isinstance(draft.reply, ReplyToken) else row.game_id
        root = (f"game-{game}@{domain}",) if game is not None else ()
        references = (*root, put.answers) if put.answers else root
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
            is_answer=put.letter.is_answer,
        )

    def _way_out(self, row: Outbox, draft: Draft) -> list[tuple[str, str]]:
        """How mail programs stop our mail: by a mail, and for players with one click (RFC 8058)."""
        page, command = draft.way_out or ("", "stop")
        stop = f"<{mailto(self.reply_address(None), command)}>"
        if row.player_id is None:
            return [("List-Unsubscribe", stop)]
        click = f"<{self.settings.base_url}{page or f'/stop/{self.logins.write_stop(row.player_id)}'}>"
        return [
            ("List-Unsubscribe", f"{click}, {stop}"),
            ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ]
