"""The help letters about commands: for a reply about a game, and for the plain address."""

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from rules.registry import RULES
from server.accounts.computer_characters import COMPUTER
from server.commands.game_words import TRY
from server.commands.vocabulary import ANYWHERE, PLAIN, REPLY
from server.commands.word import Topic, Vocabulary, When, Word
from server.game.computer import inquiries
from server.game.log import log
from server.outbound.letters import rulebook
from server.outbound.letters.context import Draft, Sources, template_fields
from server.store.letters.letter import Letter

_EVERYDAY = (
    "register challenge seek lobby join accept decline games rules who watch tournaments vacation settings "
    "login stop"
)
_BEFORE = "accept decline counter luck rules games stop"
_RUNNING = "draw resign takeback withdraw hint say tell ? show moves history rules note give vacation mute stop"
_OVER = "rematch analyse history show verify say note rules games stop"
_MOST = 16
"""Maximum number of commands in the general help."""


class HelpGame(Letter):
    """Help for replies about a game: the commands that make sense now, or details of a subject."""

    is_answer = True

    about: str = ""
    """A topic, a command or a game; "" for everyday commands."""

    def draft(self, sources: Sources) -> Draft:
        true = _true_of(sources)
        words = [word for word in ANYWHERE if word.when.issubset(true)]
        if self.about:
            return sources.draft(**_explained(self.about, words))
        names = _BEFORE if When.BEFORE in true else _OVER if When.OVER in true else _RUNNING
        moves = sources.standing.examples[:1]
        rows = [(move, "your orders" if sources.view.simultaneous else "your move") for move in moves]
        for word in (word for word in _named(names, ANYWHERE) if word in words):
            if word is not TRY:
                rows.append((word.example, word.brief))
            rows += [(f"? {move}", word.brief) for move in moves if word is TRY]
        return sources.draft(**_everyday(rows, [sources.view.game_type]))


class HelpAccount(Letter):
    """Help for emails to the plain address: everyday commands, or details of a subject."""

    subject = "How to use Nabu by email"
    is_answer = True

    about: str = ""
    """A topic, a command or a game; "" for everyday commands."""

    def draft(self, sources: Sources) -> Draft:
        if self.about:
            return Draft(self.subject, _explained(self.about, [*PLAIN, *REPLY]))
        rows = [(word.example, word.brief) for word in _named(_EVERYDAY, PLAIN)]
        return Draft(self.subject, _everyday(rows, sorted(RULES, key=lambda name: name != "nibble")))


def _everyday(rows: Sequence[tuple[str, str]], games: Sequence[str]) -> dict[str, Any]:
    """Return the template context for everyday commands."""
    topics = [(f"help {topic.value}", topic.covers) for topic in Topic]
    return {"about": "", "rows": rows[:_MOST], "topics": topics, "games": games}


_NAMES_OF_TOPICS = {topic.value: topic for topic in Topic} | {"moves": Topic.PLAYING, "moving": Topic.PLAYING}


def _explained(about: str, words: Sequence[Word]) -> dict[str, Any]:
    """Return the template context for a subject; a topic wins over a command with the same name."""
    topic = _NAMES_OF_TOPICS.get(about)
    if topic is None:
        found = [word for word in words if about in (word.word, *word.synonyms)]
    else:
        found = sorted(words, key=lambda word: word.topic is not topic)
    forms = [word.help_by_usage if topic is None else word.help_about(topic) for word in found]
    commands: dict[str, str] = {}
    for each in forms:
        commands = each | commands
    names = {name for word in found for name in (word.word, *word.synonyms)} - {about}
    return {
        "about": about,
        "topic": topic,
        "commands": {usage: commands[usage] for each in forms for usage in each},
        "examples": [] if topic else list(dict.fromkeys(word.example for word in found)),
        "synonyms": [] if topic else sorted(names),
        "title": RULES[about].title if about in RULES else "",
        "notation": rulebook.notation(about),
    }


def _named(names: str, words: Vocabulary) -> list[Word]:
    """Return the commands with these names, without unknown ones, in this order."""
    return [words.spelled[name] for name in names.split() if name in words]


def _true_of(sources: Sources) -> set[When]:
    """Return the conditions that hold in a game; they decide which commands make sense."""
    view = sources.view
    true = {When.BEFORE if view.state == "invited" else When.BEGUN}
    true |= {When.OVER} if view.state == "over" else set()
    true |= {When.SEVERAL} if len(view.seats) > 2 else set()
    true |= {When.SERIES} if view.series and view.series.goes_on else set()
    seated = log.seats(sources.session, sources.game)
    true |= {When.COACHED} if not inquiries.why_no_hints(sources.game, seated, sources.seat) else set()
    true |= {When.SEALED} if view.simultaneous else set()
    true |= {When.IN_TURN} if not view.simultaneous and not view.dice else set()
    return true


class Hello(Letter):
    """Three commands to begin with, for someone whose email contains no command."""

    subject = "Hello from Nabu"
    is_answer = True

    name: str = ""
    """The name to sign up with; "" for a player."""
    asks: bool = False
    """True if “yes” registers with that name."""

    def draft(self, sources: Sources) -> Draft:
        return Draft(self.subject, {**template_fields(self, sources), "computer": COMPUTER})


class RefusalAccount(Letter):
    """A refusal of an email to the plain address."""

    subject = "Not done"
    is_answer = True

    problem: str
    read: list[str]
    """The first lines of the email."""
    choices: list[str] = field(default_factory=list)
    """Commands that the sender may have meant."""
    failed: str = "Not done"
    """The beginning of the subject, as in `Refusal`."""
    can_retry: bool = True
    """Whether another text may succeed."""

    def draft(self, sources: Sources) -> Draft:
        return Draft(f"{self.failed}: your email to Nabu", template_fields(self, sources))
