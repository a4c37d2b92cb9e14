"""The public profile of players: a line about themselves, and their languages."""

import re
import unicodedata

from mail.decoding import visible
from rules.sentences import quoted
from server.errors import BadRequest
from server.limits import LONGEST_BIO, MOST_LANGUAGES
from server.store.keys.sealing import Sealer
from server.store.models import Player
from server.wording import on_or_off

_BETWEEN = re.compile(r"[,;/]")
_LANGUAGE = re.compile(r"[^\W\d_][\w .'()-]{0,28}[\w)]")


def write_bio(sealer: Sealer, player: Player, text: str) -> str:
    """Store a player's line about themselves, or delete it with "off"; return a sentence. Raises BadRequest."""
    line = _one_line(text)
    if not line:
        raise BadRequest("Write: bio TEXT, with a line about yourself, or: bio off.")
    if on_or_off(line) is False:
        player.bio = ""
        return "The line about yourself is removed from your page."
    if len(line) > LONGEST_BIO:
        raise BadRequest(
            f"A line about yourself can have {LONGEST_BIO} characters; yours has {len(line)}. Shorten it."
        )
    player.bio = line = sealer.without_secrets(line, LONGEST_BIO)
    return f"Your page now says: {line}"


def choose_languages(player: Player, text: str) -> str:
    """Store a player's languages, or delete them with "off"; return a sentence. Raises BadRequest."""
    names = [_one_line(name).strip(" .!") for name in _BETWEEN.split(text)]
    named = {name.casefold(): name[0].upper() + name[1:] for name in names if name}
    if not named:
        raise BadRequest("Write: languages English, German (the languages that you speak), or: languages off.")
    if on_or_off(text) is False:
        player.languages = ""
        return "Your page no longer lists languages."
    if len(named) > MOST_LANGUAGES:
        raise BadRequest(f"Name at most {MOST_LANGUAGES} languages; you named {len(named)}.")
    wrong = next((name for name in named.values() if not _LANGUAGE.fullmatch(name)), None)
    if wrong is not None:
        raise BadRequest(
            f"{quoted(wrong)} cannot be a language: it needs 2 to 30 letters. Put commas between several."
        )
    player.languages = ", ".join(named.values())
    return f"Your page now says that you speak: {player.languages}"


def _one_line(text: str) -> str:
    """Return a text in one line, without invisible characters."""
    return " ".join(unicodedata.normalize("NFC", visible(text)).split())
