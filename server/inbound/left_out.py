"""The note to a player that a part of their message was not sent, as it looks like a signature or a quote."""

from dataclasses import replace

from mail.reading.comparing import TELLING
from mail.reading.markers import is_signature
from mail.reading.offices import is_signed
from mail.reading.quoting import OURS
from server.accounts import newcomers
from server.commands.game_words import NOTE
from server.commands.parser import Instructions, words_beside
from server.game.messages import extra_text
from server.inbound.reply import Reply
from server.inbound.request import Request
from server.inbound.usual_lines import UsualLines
from server.interpretation.reply_checks import courtesy_among
from server.limits import LONGEST_MESSAGE
from server.outbound.letters.account import Confirmation
from server.outbound.letters.replies import Beside
from server.store.models import Player

_SHOWN = 200
"""Characters of the lines that were left out."""
_END = TELLING - 1
"""Characters of the end of the text that was sent."""


def show_left_out(request: Request, player: Player | None, here: Reply | None) -> None:
    """Quote to a player the lines of their message that were not sent. Strangers get no such note."""
    texts = [each for each in request.instructions.commands if each.word.takes.to_the_end]
    beside = here.beside if here is not None and here.way == extra_text.SEND else ""
    if not (texts or beside) or player is None or not newcomers.is_known(player):
        return
    sent = texts[-1].argument if texts else beside
    left_out = "\n".join(filter(None, [beside[LONGEST_MESSAGE:], *_cut(request, player)]))
    if not left_out:
        return
    what = "saved" if texts and all(command.word is NOTE for command in texts) else "sent"
    shown = request.action.sealer.without_secrets(left_out, LONGEST_MESSAGE)
    shown = f"{shown[:_SHOWN].rstrip()}…" if len(shown) > _SHOWN else shown
    _add_notice(request, player, f"Your text was {what} up to “{_end_of(request, sent)}”. Not {what}:", shown)
    addresses = {request.reading.sender, player.email}
    if not any(request.action.gathered.get(address) for address in addresses):
        request.answer(
            Confirmation("Everything else in your email has been done.") if here is None else Beside()
        )


def _add_notice(request: Request, player: Player, sentence: str, text: str) -> None:
    """Show a text at the top of the letters that the writer gets now, or within the notice if there is one."""
    addresses = {request.reading.sender, player.email}
    lines, quoted = request.action.notice_lines, request.action.quoted
    if any(quoted.get(address) for address in addresses):
        sentence = f"{sentence} “{' '.join(text.split())}”"
    else:
        quoted = {**quoted, **dict.fromkeys(addresses, text)}
    said = {address: f"{lines.get(address, '')} {sentence}".strip() for address in addresses}
    request.action = replace(request.action, notice_lines={**lines, **said}, quoted=quoted)


def _end_of(request: Request, text: str) -> str:
    """Return the end of a text, without secrets of Nabu, which may belong to another player.

    It is shorter than a line by which Nabu recognizes its own emails in a quote.
    """
    words = " ".join(request.action.sealer.without_secrets(text, LONGEST_MESSAGE).split())
    return words if len(words) <= _END else f"…{words[-_END:].partition(' ')[2] or words[-_END:]}"


def _cut(request: Request, player: Player) -> list[str]:
    """Return the lines that were cut, and those between and below quoted lines, without usual ones.

    If the text itself quotes an email from Nabu without marks, the lines below the quote are among them.
    """
    written, names = request.reading.written, [request.reading.author.name, player.name]
    cut = [line.strip() for line in written.cut.splitlines() if line.strip()]
    words = [line for line in cut if any(map(str.isalnum, line))]
    if not words or (words[0] != cut[0] and is_signed(words[0], names)):
        cut = []
    below = f"{written.below}\n{written.aside if written.ended_by == OURS else ''}"
    read = Instructions(
        (), "", below=tuple(line.strip() for line in below.splitlines() if not is_signature(line))
    )
    lines = [*cut, *words_beside(read, courtesy_among(names)).splitlines()]
    usual = UsualLines(request.action.session, request.action.sealer, request.reading.sender)
    return lines if not all(usual.has(line) for line in lines if any(map(str.isalnum, line))) else []
