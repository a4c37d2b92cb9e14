"""How a tournament is played, as whoever makes it chooses: its form, and all that its form leaves open."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Self

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
    """A form of tournament; `about` says to players how it goes, `ties` are the tie-breaks it has by default.

    `options` are those of a plan that mean something only in this form.
    """

    name: str
    title: str
    about: str
    most: int
    """The most places that it can have."""
    ties: tuple[str, ...]
    options: tuple[str, ...]
    keeps_apart: bool = False
    """Whether others can be found for two who are not to meet."""


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
            "In each round people play who stand alike and have not met before.",
            64,
            ("buchholz", "sonneborn", "wins"),
            ("rounds", *_LENGTH),
            keeps_apart=True,
        ),
        Form(
            "knock-out",
            "Knock-out",
            "Whoever loses is out; the others go on to the next round.",
            64,
            (),
            _LENGTH,
        ),
        Form(
            "ladder",
            "Ladder",
            "Whoever is free is paired again with somebody else who is, until time is up.",
            64,
            ("wins", "games"),
            ("lasts",),
            keeps_apart=True,
        ),
    )
}
"""All forms, by the name with which they are chosen."""
USUAL = {
    "form": "swiss",
    "places": "4-16",
    "signup": "14d",
    "early": "on",
    "rounds": "auto",
    "together": "on",
    "lasts": "auto",
    "after": "auto",
    "ties": "auto",
}
"""All options of a plan, as they are if nothing is said of them."""


@dataclass(frozen=True)
class TournamentPlan:
    """All that is chosen about a tournament besides its games.

    It needs `least` players and has room for `most`. Sign-up is open for `signup`; with `early`, the tournament
    begins as soon as all places are taken. `rounds` is None where their number follows from that of the
    players. With `together` all rounds of a round robin begin at once. A ladder lasts as long as `lasts`. A
    game of the other forms that is not over when it was played for `after` is adjudicated.
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
        """Read the options of somebody who makes a tournament. Raises BadRequest.

        `length` is that of its games.
        """
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
        """Read options; `usual` is how long a round lasts if nothing is said of it."""
        texts = {name: str(value).strip().lower() for name, value in given.items()}
        form = _form(texts.get("form", USUAL["form"]))
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
        """The options that mean something in this form, as they are written."""
        texts = {
            "form": self.form.name,
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
        """Whether games that last too long are adjudicated."""
        return "after" in self.form.options

    @property
    def notice(self) -> timedelta:
        """How long before that both players are told."""
        return min(3 * DAY, self.after / 2)


def option_names(form: Form) -> tuple[str, ...]:
    """The options of a plan that mean something in this form."""
    elsewhere = {name for each in FORMS.values() for name in each.options}.difference(form.options)
    return tuple(name for name in USUAL if name not in elsewhere and (form.ties or name != "ties"))


def _form(text: str) -> Form:
    for form in FORMS.values():
        if text.replace("-", "") == form.name.replace("-", ""):
            return form
    raise BadRequest(
        lambda where: f"“{text:.40}” is not a form of tournament; write {where.option('form', *FORMS)}."
    )


def _meaningless(name: str, form: Form) -> Sentence:
    return lambda where: (
        f"“{where.option(name)}” means nothing in this form of tournament ({form.title}); leave it out."
    )


def _places(text: str, form: Form) -> tuple[int, int]:
    found = _PLACES.fullmatch(text)
    if found is None:
        raise BadRequest(
            lambda where: (
                f"“{text:.40}” is not a number of places; write {where.option('places', '4-16')} for at least "
                "4 and at most 16 players."
            )
        )
    least, most = int(found[1]), int(found[2] or found[1])
    if not 2 <= least <= most <= form.most:
        raise BadRequest(
            lambda where: (
                f"This form of tournament ({form.title}) has from 2 to {form.most} places; write "
                f"{where.option('places', f'4-{form.most}')} for at least 4 and at most {form.most} players."
            )
        )
    return least, most


def _ties(text: str, form: Form) -> tuple[str, ...]:
    if not form.ties:
        raise BadRequest(
            lambda where: (
                f"A tournament of this form ({form.title}) has no tie-breaks; leave "
                f"“{where.option('ties')}” out."
            )
        )
    names = tuple(name.strip() for name in text.split(","))
    if set(names) <= TIE_BREAKS.keys() and len(set(names)) == len(names):
        return names
    some, usual = ", ".join(TIE_BREAKS), ",".join(form.ties)
    raise BadRequest(
        lambda where: (
            f"“{text:.40}” are no tie-breaks; write some of {some}, as in {where.option('ties', usual)}."
        )
    )


def _length(texts: Mapping[str, str], name: str, form: Form, usual: timedelta) -> timedelta:
    """How long something lasts: a month where that means nothing in this form."""
    if texts[name] == "auto":
        return usual if name in form.options else _MONTH
    return _span(texts, name, DAY, YEAR)


def _span(texts: Mapping[str, str], name: str, least: timedelta, most: timedelta) -> timedelta:
    with refusing(BadTime):
        return limited(read_span(texts[name]), lambda where: f"“{where.option(name)}”", least, most)
