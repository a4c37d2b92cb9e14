"""What becomes of the words that a reply holds beside its commands: never dropped without a word."""

from dataclasses import replace

from server.game import log, press, words
from server.game.commands.word import MOVE
from server.game.vocabulary import SAY, TELL
from server.inbound.reply import Reply
from server.outbound.letters.replies import Beside

_ASK = "You also wrote the words below. {others} {have} not seen them; to pass them on, answer “send”."
_TOO_EARLY = (
    "You also wrote the words below. Nobody else has seen them: nothing can be said before everyone has "
    "accepted. Then write: say TEXT"
)
_UNCERTAIN = (
    "Nobody has seen the words below. To pass them on, write “say” above them, in a reply to this email."
)
"""Where anybody may have written them: they are not kept either, or they would take the place of others."""
_SILENCED = "The words below were not passed on. {why}"


def settle_words(reply: Reply) -> None:
    """Do what the player has chosen for such words; by default keep them, and ask in the mail they get now."""
    text, way = reply.beside, reply.way
    if not text and not reply.asks_for(SAY, TELL):
        return
    if reply.silence:
        _tell_silenced(reply)
        return
    listeners = reply.listeners
    if not text or way == words.DROP or not listeners:
        return
    if not log.has_begun(reply.game):
        _remark(reply, _TOO_EARLY, text)
    elif not reply.certain:
        _remark(reply, _UNCERTAIN, text)
    elif way == words.ASK:
        text = words.keep(reply.action.sealer, reply.seat, text)
        have = "have" if len(listeners) > 1 else "has"
        _remark(reply, _ASK.format(others=" and ".join(listeners), have=have), text)
    elif not reply.asks_for(MOVE, SAY):
        press.say(reply.action, reply.game, reply.target.seat, text)


def _tell_silenced(reply: Reply) -> None:
    """Show a player who is suspended the words beside their move, which go to nobody."""
    beside = "" if reply.way == words.DROP else reply.beside
    text = "\n".join(filter(None, [beside, *reply.arguments(SAY), *reply.arguments(TELL)]))
    if text and reply.listeners:
        _remark(reply, _SILENCED.format(why=reply.silence), text)


def _remark(reply: Reply, sentence: str, text: str) -> None:
    """Show the words at the top of each letter that goes to the writer now, or of one of its own."""
    addresses = {reply.reading.sender, reply.player.email}
    earlier = reply.action.remarks
    said = {address: f"{earlier.get(address, '')} {sentence}".strip() for address in addresses}
    quoted = dict.fromkeys(addresses, text)
    reply.action = replace(reply.action, remarks={**earlier, **said}, quoted=quoted)
    if not any(reply.action.gathered.get(address) for address in addresses):
        reply.tell(Beside())
