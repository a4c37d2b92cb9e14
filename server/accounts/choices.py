"""Preferences of players with a few possible values."""

from dataclasses import dataclass

from server.errors import BadRequest
from server.store.models import Player
from server.wording import on_or_off, without_please


@dataclass(frozen=True)
class Way:
    """A possible value of a preference."""

    word: str
    """The value as players write it: one or several words in lower case."""
    label: str
    """The label on the settings page."""
    sentence: str
    """The sentence that confirms the choice."""
    also: tuple[str, ...] = ()
    """Synonyms; “on” and “off” include all words like them."""


@dataclass(frozen=True)
class Choice:
    """A preference of players."""

    name: str
    """The name of the command, and of the stored value; it must not change."""
    label: str
    """The label on the settings page."""
    help: str
    """The description of the command."""
    ways: tuple[Way, ...]
    """The possible values; the first one is the default."""
    topic: str = "email"
    """The part of the help that explains it."""
    hint: str = ""
    """The description on the settings page, if the one of the command would not fit there."""

    @property
    def usage(self) -> str:
        """Return the syntax of the command: `mail every turn|my turn|never`."""
        return f"{self.name} {'|'.join(way.word for way in self.ways)}"

    @property
    def words(self) -> tuple[tuple[str, str], ...]:
        """Return the word and the label of each value."""
        return tuple((way.word, way.label) for way in self.ways)

    def chosen_by(self, player: Player) -> str:
        """Return the word of a player's value; the default if the stored one is unknown."""
        kept = player.choices.get(self.name)
        return next((way.word for way in self.ways if way.word == kept), self.ways[0].word)

    def choose(self, player: Player, text: str) -> str:
        """Store the value in a text, and return its sentence. Raises BadRequest for any other text."""
        written = " ".join(without_please(text).casefold().strip(" .!").split())
        switch = {True: "on", False: "off", None: ""}[on_or_off(written)]
        named = (way for word in (written, switch) for way in self.ways if word in (way.word, *way.also))
        way = next(named, None)
        if way is None:
            raise BadRequest(f"Write: {', or: '.join(f'{self.name} {way.word}' for way in self.ways)}.")
        player.choices = {**player.choices, self.name: way.word}
        return way.sentence


SUBJECT = Choice(
    name="subject",
    label="Subjects of emails",
    help="one subject for all emails about a game, or one that shows whose move it is",
    ways=(
        Way(
            "game",
            "one for all emails about a game",
            "All emails about a game will have the same subject, so that your email program groups them.",
        ),
        Way(
            "state",
            "one that shows whose move it is",
            "The subject of an email about a game will show whether it is your move, and the turn.",
        ),
    ),
)
