"""Extra text in an email, beside its commands: it is sent, discarded, or shown to its writer with a question.

Lines of a message that look like a signature or a quote are not sent; then the writer is notified, too.
"""

from dataclasses import replace

from mail.reading.comparing import TELLING
from mail.reading.markers import is_signature
from mail.reading.offices import is_signed
from mail.reading.quoting import OURS
from rules.sentences import listed
from server.accounts import newcomers
from server.commands.game_words import NOTE, SAY, TELL
from server.commands.parser import Instructions, words_beside
from server.commands.word import MOVE
from server.game.log import log
from server.game.messages import extra_text, messages
from server.inbound.reply import Reply
from server.inbound.request import Request
from server.inbound.usual_lines import UsualLines
from server.interpretation.reply_checks import courtesy_among
from server.limits import LONGEST_MESSAGE
from server.outbound.letters.account import Confirmation
from server.outbound.letters.replies import Beside
from server.store.models import Player

_ASK = "Your message below has not been sent to {others}. Reply “send” to send it."
_TOO_EARLY = (
    "Your message below has not been sent: players can send messages when everyone has accepted. Then write: "
    "say TEXT"
)
_UNCERTAIN = "Your message below has not been sent. To send it, reply to this email with “say” above it."
"""For a sender who may not be the player: the text is not kept, as it would replace the player's own."""
_NO_TEXT = "No message was sent: there is no text after “say”."
_SILENCED = "Your message below has not been sent. {why}"
_SHOWN = 200
"""Characters of the lines that were left out."""
_END = TELLING - 1
"""Characters of the end of the text that was sent."""


def handle_extra_text(reply: Reply) -> None:
    """Send, discard or store the text beside the commands, as the player prefers; by default, store and ask."""
    text, way = reply.beside, reply.way
    if not text and not reply.asks_for(SAY, TELL):
        return
    if reply.silence:
        _show_silenced(reply)
        return
    listeners = reply.listeners
    if listeners and reply.asks_for(MOVE) and reply.asks_for(SAY) and not reply.said:
        _notify_writer(reply, _NO_TEXT, "")
    if not text or way == extra_text.DROP or not listeners:
        return
    if not log.has_begun(reply.game):
        _notify_writer(reply, _TOO_EARLY, text)
    elif not reply.certain:
        _notify_writer(reply, _UNCERTAIN, text)
    elif way == extra_text.ASK:
        text = extra_text.keep(reply.action.sealer, reply.seat, text)
        _notify_writer(reply, _ASK.format(others=listed(listeners)), text)
    elif not reply.asks_for(MOVE, SAY):
        messages.say(reply.action, reply.game, reply.target.seat, text)


def _show_silenced(reply: Reply) -> None:
    """Show a suspended player the message that they wrote with a move, as it is not sent."""
    beside = "" if reply.way == extra_text.DROP else reply.beside
    text = "\n".join(filter(None, [beside, *reply.arguments(SAY), *reply.arguments(TELL)]))
    if text and reply.listeners:
        _notify_writer(reply, _SILENCED.format(why=reply.silence), text)


def _notify_writer(reply: Reply, sentence: str, text: str) -> None:
    """Show the text at the top of each letter that the writer gets now; if there is none, in a separate one."""
    _add_notice(reply, reply.player, sentence, text)
    if not _gets_letter(reply, reply.player):
        reply.answer(Beside())


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
    if not _gets_letter(request, player):
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


def _gets_letter(request: Request, player: Player) -> bool:
    """Return whether the writer gets a letter now, which shows the notice."""
    return any(request.action.gathered.get(address) for address in (request.reading.sender, player.email))


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
