"""The plan of a tournament: the format and the options that its creator chooses."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Self

from rules.sentences import quoted
from server.clock.errors import BadTime
from server.clock.spans import DAY, HOUR, YEAR, limited, read_span, write_span
from server.errors import BadRequest, refusing
from server.game.terms.terms import count, switch
from server.pairing.standings import TIE_BREAKS
from server.tournaments.length import GameLength
from server.wording import Sentence

_PLACES = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3}))?")
_MOST_ROUNDS = 15
_MONTH = 30 * DAY


@dataclass(frozen=True)
class Form:
    """A format of tournaments; `about` explains it to players, `ties` are its default tie-breaks.

    `options` are the options of a plan that apply only to this format.
    """

    name: str
    title: str
    about: str
    most: int
    """The largest number of places."""
    ties: tuple[str, ...]
    options: tuple[str, ...]
    keeps_apart: bool = False
    """True if the pairing can keep two players apart."""


_LENGTH = ("after",)
_TABLE = ("sonneborn", "head", "wins")
FORMS: Mapping[str, Form] = {
    form.name: form
    for form in (
        Form("round-robin", "Round robin", "Everyone plays everyone once.", 16, _TABLE, ("together", *_LENGTH)),
        Form(
            "double",
            "Double round robin",
            "Everyone plays everyone twice, once from each seat.",
            10,
            _TABLE,
            ("together", *_LENGTH),
        ),
        Form(
            "swiss",
            "Swiss",
            "Each round pairs players with similar points who have not met before.",
            64,
            ("buchholz", "sonneborn", "wins"),
            ("rounds", *_LENGTH),
            keeps_apart=True,
        ),
        Form(
            "knock-out",
            "Knock-out",
            "The loser of a game is out; the winner advances to the next round.",
            64,
            (),
            _LENGTH,
        ),
        Form(
            "ladder",
            "Ladder",
            "Players without a game are paired with each other until the ladder ends.",
            64,
            ("wins", "games"),
            ("lasts",),
            keeps_apart=True,
        ),
    )
}
"""All formats, by the name in options."""
USUAL = {
    "format": "swiss",
    "places": "4-16",
    "signup": "14d",
    "early": "on",
    "rounds": "auto",
    "together": "on",
    "lasts": "auto",
    "after": "auto",
    "ties": "auto",
}
"""The default of each option of a plan."""
SYNONYMS = {"form": "format"}
"""Other names of options, which players may write and stored plans may contain."""


@dataclass(frozen=True)
class TournamentPlan:
    """The choices for a tournament besides its games.

    It needs `least` players and has room for `most`. Sign-up is open for `signup`; with `early`, the tournament
    starts as soon as all places are taken. `rounds` is None if their number follows from that of the players.
    With `together` all rounds of a round robin start at the same time. A ladder lasts as long as `lasts`. In
    the other formats, a game that is not over after `after` of play is adjudicated.
    """

    form: Form
    least: int
    most: int
    signup: timedelta
    early: bool
    rounds: int | None
    together: bool
    lasts: timedelta
    after: timedelta
    ties: tuple[str, ...]

    @classmethod
    def from_options(cls, given: Mapping[str, object], length: GameLength) -> Self:
        """Read the options of a new tournament whose games have this `length`. Raises BadRequest."""
        plan = cls._read(given, length.usual)
        if plan.adjudicates:
            length.check(plan.after)
        return plan

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read a plan that `to_json` wrote."""
        return cls._read(data, _MONTH)

    @classmethod
    def _read(cls, given: Mapping[str, object], usual: timedelta) -> Self:
        """Read options; `usual` is the default length of a round."""
        texts = {SYNONYMS.get(name, name): str(value).strip().lower() for name, value in given.items()}
        form = _form(texts.get("format", USUAL["format"]))
        for name in texts:
            only = [each.title for each in FORMS.values() if name in each.options]
            if only and name not in form.options:
                raise BadRequest(_meaningless(name, form))
        texts = USUAL | texts
        least, most = _places(texts["places"], form)
        return cls(
            form=form,
            least=least,
            most=most,
            signup=_span(texts, "signup", HOUR, 90 * DAY),
            early=switch("early", texts["early"]),
            rounds=None if texts["rounds"] == "auto" else count("rounds", texts["rounds"], _MOST_ROUNDS),
            together=switch("together", texts["together"]),
            lasts=_length(texts, "lasts", form, max(usual, _MONTH)),
            after=_length(texts, "after", form, usual),
            ties=form.ties if texts["ties"] == "auto" else _ties(texts["ties"], form),
        )

    def to_json(self) -> dict[str, str]:
        """Return the options that apply to this format, as they are written: for example `rounds` as "5"."""
        texts = {
            "format": self.form.name,
            "places": f"{self.least}-{self.most}",
            "signup": write_span(self.signup),
            "early": "on" if self.early else "off",
            "rounds": "auto" if self.rounds is None else str(self.rounds),
            "together": "on" if self.together else "off",
            "lasts": write_span(self.lasts),
            "after": write_span(self.after),
            "ties": ",".join(self.ties) or "auto",
        }
        return {name: text for name, text in texts.items() if name in option_names(self.form)}

    @property
    def adjudicates(self) -> bool:
        """True if games that last too long are adjudicated."""
        return "after" in self.form.options

    @property
    def notice(self) -> timedelta:
        """The time between the notification of both players and the adjudication."""
        return min(3 * DAY, self.after / 2)


def option_names(form: Form) -> tuple[str, ...]:
    """Return the options of a plan that apply to this format."""
    elsewhere = {name for each in FORMS.values() for name in each.options}.difference(form.options)
    return tuple(name for name in USUAL if name not in elsewhere and (form.ties or name != "ties"))


def _form(text: str) -> Form:
    for form in FORMS.values():
        if text.replace("-", "") == form.name.replace("-", ""):
            return form
    raise BadRequest(
        lambda where: f"{quoted(text)} is not a format of tournaments; write {where.option('format', *FORMS)}."
    )


def _meaningless(name: str, form: Form) -> Sentence:
    return lambda where: f"“{where.option(name)}” does not apply to this format ({form.title}); leave it out."


def _places(text: str, form: Form) -> tuple[int, int]:
    found = _PLACES.fullmatch(text)
    if found is None:
        raise BadRequest(
            lambda where: (
                f"{quoted(text)} is not a number of places; write {where.option('places', '4-16')} for at "
                "least 4 and at most 16 players."
            )
        )
    least, most = int(found[1]), int(found[2] or found[1])
    if not 2 <= least <= most <= form.most:
        raise BadRequest(
            lambda where: (
                f"A tournament of this format ({form.title}) has from 2 to {form.most} places; write "
                f"{where.option('places', f'4-{form.most}')} for at least 4 and at most {form.most} players."
            )
        )
    return least, most


def _ties(text: str, form: Form) -> tuple[str, ...]:
    if not form.ties:
        raise BadRequest(
            lambda where: (
                f"A tournament of this format ({form.title}) has no tie-breaks; leave "
                f"“{where.option('ties')}” out."
            )
        )
    names = tuple(name.strip() for name in text.split(","))
    if set(names) <= TIE_BREAKS.keys() and len(set(names)) == len(names):
        return names
    some, usual = ", ".join(TIE_BREAKS), ",".join(form.ties)
    raise BadRequest(
        lambda where: (
            f"{quoted(text)} are no tie-breaks; write some of {some}, as in {where.option('ties', usual)}."
        )
    )


def _length(texts: Mapping[str, str], name: str, form: Form, usual: timedelta) -> timedelta:
    """Return a length of time: a month if it does not apply to this format."""
    if texts[name] == "auto":
        return usual if name in form.options else _MONTH
    return _span(texts, name, DAY, YEAR)


def _span(texts: Mapping[str, str], name: str, least: timedelta, most: timedelta) -> timedelta:
    with refusing(BadTime):
        return limited(read_span(texts[name]), lambda where: f"“{where.option(name)}”", least, most)
