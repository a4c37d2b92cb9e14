"""What players choose among a few ways, each by its word; kept with the player."""

from dataclasses import dataclass

from server.errors import BadRequest
from server.store.models import Player
from server.wording import on_or_off, without_please


@dataclass(frozen=True)
class Way:
    """One of the ways of a choice."""

    word: str
    """What is written to choose it: one word or several, in lower case."""
    label: str
    """What it is called on the settings page."""
    told: str
    """What follows from it, the sentence with which it is confirmed."""
    also: tuple[str, ...] = ()
    """What else may be written to choose it; “on” and “off” stand for all words like them."""


@dataclass(frozen=True)
class Choice:
    """Something that a player chooses among a few ways."""

    name: str
    """The command that chooses it, and under which it is kept: both stay as they are."""
    label: str
    """What it is called on the settings page."""
    help: str
    """What the command does."""
    ways: tuple[Way, ...]
    """The first is that of everybody who has not chosen."""
    topic: str = "email"
    """The part of the help that explains it."""

    @property
    def usage(self) -> str:
        """How the command is written: `mail every turn|my turn|never`."""
        return f"{self.name} {'|'.join(way.word for way in self.ways)}"

    @property
    def words(self) -> tuple[tuple[str, str], ...]:
        """The word of each way, with what it is called."""
        return tuple((way.word, way.label) for way in self.ways)

    def chosen_by(self, player: Player) -> str:
        """The word of a player's way; that of the first if what is kept is none of them."""
        kept = player.choices.get(self.name)
        return next((way.word for way in self.ways if way.word == kept), self.ways[0].word)

    def choose(self, player: Player, text: str) -> str:
        """Keep the way that a text names, and give its sentence. Raises BadRequest for any other text."""
        written = " ".join(without_please(text).casefold().strip(" .!").split())
        switch = {True: "on", False: "off", None: ""}[on_or_off(written)]
        named = (way for word in (written, switch) for way in self.ways if word in (way.word, *way.also))
        way = next(named, None)
        if way is None:
            raise BadRequest(f"Write: {', or: '.join(f'{self.name} {way.word}' for way in self.ways)}.")
        player.choices = {**player.choices, self.name: way.word}
        return way.told


SUBJECT = Choice(
    name="subject",
    label="Subjects",
    help="one subject for all email about a game, or one that says each time whose move it is",
    ways=(
        Way(
            "game",
            "one for all email about a game",
            "All email about a game will have the same subject, so that your mail program keeps it together.",
        ),
        Way(
            "state",
            "whose move it is, each time",
            "The subject of an email about a game will say whether it is your move, and which turn it is.",
        ),
    ),
)
