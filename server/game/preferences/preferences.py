"""The preferences of a player about time and email, for all games; and muting, for one game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from server.accounts import players, profiles
from server.accounts.choices import SUBJECT, Choice
from server.clock.digests import digest_in_words, read_digest, write_digest
from server.clock.errors import BadTime
from server.clock.moments import write_local, write_moment, zone_at
from server.clock.reminders import REMINDERS_IN_WORDS, read_reminders, reminders_in_words, write_reminders
from server.clock.spans import HOUR, ZERO, limited, read_span
from server.clock.zones import is_offset, read_zone, zone_name
from server.errors import BadRequest, refusing
from server.game.clock import deadlines
from server.game.lobby.computer_joiners import COMPANY_CHOICE
from server.game.messages.extra_text import WORDS
from server.game.notifications import channels
from server.game.notifications.services import address_examples, service_names
from server.game.preferences import vacations
from server.game.preferences.choices import MAIL_CHOICE, MESSAGES_CHOICE, PAGE_CHOICES
from server.game.preferences.digests import catch_up, plan, unmute
from server.game.preferences.form_fields import Selection, Several, Switch, TextField
from server.game.views.boards import BOARD
from server.store.deferral import (
    LONGEST_MUTE,
)
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext
from server.wording import on_or_off, without_please


@dataclass(frozen=True)
class Preference:
    """A preference that a player sets by email or on the settings page."""

    name: str
    """The name of its form, and of the value in it."""
    rank: int
    """Its place on the page."""
    usage: str
    """The syntax of its command."""
    help: str
    """The effect of its command."""
    choose: Callable[[ActionContext, Player, str], str]
    """Stores the value in a text and returns sentences for the player; raises BadRequest."""
    form: TextField | Switch | Selection | Several
    topic: str
    """The part of the help that explains it, one of `server.commands.word.Topic`."""
    example: str
    """An example of its command."""
    synonyms: tuple[str, ...] = ()
    """Other words for its command: one or two words in lower case."""
    is_free: bool = False
    """True if any text is a value."""
    lines: Mapping[str, str] = field(default_factory=dict)
    """Complete lines that set it, each with the value: “daily digest” means daily."""

    def in_words(self, action: ActionContext, player: Player) -> str:
        """Return the current value in words: "Time zone: Europe/Berlin"."""
        state = self.form.state(action, player) if isinstance(self.form, TextField) else ""
        if state:
            return f"{self.form.label}. {state}"
        return f"{self.form.label}: {self.form.value(player) or 'none'}"

    def changing_line(self, player: Player) -> str:
        """Return a command that changes this preference: "zone Europe/Berlin".

        If only a few values are possible, it sets a value other than the current one.
        """
        command, now = self.example.rpartition(" ")[0], self.form.value(player)
        match self.form:
            case Switch():
                return f"{command} {'off' if now == 'on' else 'on'}"
            case Selection(choice=choice):
                return f"{choice.name} {next(way.word for way in choice.ways if way.word != now)}"
        return self.example


def _switched(*names: str) -> dict[str, str]:
    """Return the lines that switch something with these names on or off: “no digest”, “turn reminders off”."""
    said: dict[str, str] = {}
    for name in names:
        said |= dict.fromkeys((f"enable {name}", f"turn on {name}", f"turn {name} on"), "on")
        said |= dict.fromkeys((f"no {name}", f"no more {name}", f"disable {name}", f"stop {name}"), "off")
        said |= dict.fromkeys((f"turn off {name}", f"turn {name} off", f"cancel {name}", f"end {name}"), "off")
    return said


def set_zone(action: ActionContext, player: Player, text: str) -> str:
    """Set a player's time zone; it affects deadlines from the next turn on.

    Like the other functions of this module that set something, it returns a sentence for the player, and raises
    BadRequest for a text that it does not understand.
    """
    with refusing(BadTime):
        zone = read_zone(without_please(text))
    player.zone = zone.key
    _plan_digest(action, player)
    told = f"Your time zone is {zone_at(zone, action.now)}; it is now {write_local(action.now, zone)}."
    return (
        f"{told} It ignores daylight saving: if your clocks change, write a city." if is_offset(zone) else told
    )


def set_reminders(action: ActionContext, player: Player, text: str) -> str:
    """Set the times of reminders. Raises BadRequest."""
    with refusing(BadTime):
        choice = read_reminders(without_please(text))
    player.reminders = write_reminders(choice)
    deadlines.recompute_deadlines(action.session, player, action.now)
    return reminders_in_words(choice)


def set_digest(action: ActionContext, player: Player, text: str) -> str:
    """Set a daily or weekly digest, or separate emails for each turn. Raises BadRequest."""
    with refusing(BadTime):
        control = read_digest(without_please(text), players.zone(player))
    player.digest = write_digest(control)
    _plan_digest(action, player)
    return digest_in_words(control, action.now)


def set_forced_moves(action: ActionContext, player: Player, text: str) -> str:
    """Set whether a move is played automatically if it is the only legal one. Raises BadRequest."""
    switch = on_or_off(text)
    if switch is None:
        raise BadRequest("Write: forced on, or: forced off.")
    player.forced_moves = switch
    if switch:
        return (
            "When you have only one legal move, it will be played for you as soon as your opponent has moved."
        )
    return "No moves will be played for you automatically."


def take_vacation(action: ActionContext, player: Player, text: str) -> str:
    """Announce or end a vacation, or set its automatic use. Raises BadRequest."""
    if text.lower().startswith("auto"):
        return set_auto_vacation(action, player, text[len("auto") :].strip())
    return vacations.announce(action, player, without_please(text))


def set_auto_vacation(action: ActionContext, player: Player, text: str) -> str:
    """Set whether the server uses vacation when time is up: "on" or "off". Raises BadRequest."""
    switch = on_or_off(text.lower().removeprefix("vacation"))
    if switch is None:
        raise BadRequest("Write: auto vacation on, or: auto vacation off.")
    player.auto_vacation = switch
    if switch:
        return (
            "When your time is up in a game, an hour of your vacation will be used, as long as you have any "
            "left."
        )
    return "Your vacation will only be used when you say so."


def mute(action: ActionContext, game: Game, seat: Seat, player: Player, text: str) -> str:
    """Mute the email about one game for the time in `text`, such as "5d", or unmute it with "off".

    Returns the answer to the player. Raises BadRequest.
    """
    with refusing(BadTime):
        wish = read_span(text, "write mute 5d, or mute off.")
        span = limited(wish, "The time without email", ZERO, LONGEST_MUTE)
    if span < HOUR:
        unmute(action, game, seat, player)
        return f"You will get emails about game {game.id} again."
    seat.muted_until = action.now + span
    until = write_moment(seat.muted_until, players.zone(player))
    return (
        f"You will get no email about game {game.id} until {until} or until it ends; then one email reports "
        "what happened. Your deadlines do not change."
    )


def _plan_digest(action: ActionContext, player: Player) -> None:
    """Recompute the time of the digest, and send reports that cannot wait for it."""
    plan(player, action.now)
    deadlines.recompute_deadlines(action.session, player, action.now)
    catch_up(action, player)


BIO = Preference(
    name="bio",
    is_free=True,
    rank=1,
    usage="bio TEXT",
    topic="account",
    example="bio I play after dinner",
    synonyms=("about me",),
    help="a line about yourself, for your page; bio off removes it",
    choose=lambda action, player, text: profiles.write_bio(action.sealer, player, text),
    form=TextField(
        label="About you",
        hint="A line for your page, which everyone can see.",
        value=lambda player: player.bio,
        when_empty="off",
    ),
)
LANGUAGES = Preference(
    name="languages",
    is_free=True,
    rank=2,
    usage="languages NAMES",
    topic="account",
    example="languages English, German",
    synonyms=("language",),
    help="the languages that you speak, for your page: languages English, German",
    choose=lambda action, player, text: profiles.choose_languages(player, text),
    form=TextField(
        label="Languages you speak",
        hint="For your page, for example: English, German.",
        value=lambda player: player.languages,
        when_empty="off",
    ),
)
VACATION = Preference(
    name="vacation",
    rank=6,
    usage="vacation TIME",
    topic="time",
    example="vacation 5d",
    synonyms=("vacations", "holiday", "holidays", "absence", "away"),
    help=(
        "pause your clocks in all your games: vacation 5d, vacation 2026-12-20 to 2027-01-03, vacation off; "
        "vacation alone shows how much you have left"
    ),
    choose=take_vacation,
    form=TextField(
        label="Vacation",
        hint=(
            "For example 5d, or 2026-12-20 to 2027-01-03: pauses your clocks in all your games. off ends your "
            "vacation."
        ),
        value=lambda player: "",
        state=lambda action, player: " ".join(vacations.in_words(action, player)),
    ),
)
AUTO_VACATION = Preference(
    name="auto",
    rank=7,
    usage="auto vacation on|off",
    topic="time",
    example="auto vacation on",
    synonyms=("automatic vacation", "auto-vacation"),
    lines=_switched("auto vacation", "automatic vacation"),
    help="use an hour of vacation automatically whenever your time is up, or never",
    choose=set_auto_vacation,
    form=Switch(
        label="Vacation when your time is up",
        hint="Uses an hour of your vacation at a time, so that you do not lose.",
        on="Use it automatically",
        off="Never use it automatically",
        is_on=lambda player: player.auto_vacation,
    ),
)
REMINDERS = Preference(
    name="reminders",
    rank=4,
    usage="remind WHEN",
    topic="time",
    example="remind day, hour",
    synonyms=("reminder", "reminders"),
    lines=_switched("reminders", "the reminders", "reminding me"),
    help="when to remind you of your moves: half, day, hour, several of these, or none",
    choose=set_reminders,
    form=Several(
        label="Reminders",
        hint="We remind you of moves that you have to make. Untick all of them to get no reminders.",
        choices=tuple((str(reminder), words) for reminder, words in REMINDERS_IN_WORDS.items()),
        value=lambda player: player.reminders,
    ),
)
DIGEST = Preference(
    name="digest",
    rank=5,
    usage="digest WHEN",
    topic="email",
    example="digest daily 18:00",
    synonyms=("digests", "daily digest", "weekly digest"),
    lines=_switched("digest", "the digest", "digests") | {"daily digest": "daily", "weekly digest": "weekly"},
    help=(
        "one email for all turns: digest daily, digest daily 18:00, digest weekly, digest fri 18:00; "
        "digest off: an email for each turn"
    ),
    choose=set_digest,
    form=TextField(
        label="Digest",
        hint="For example daily 18:00, weekly, or fri 18:00: one email for all turns; off: one for each turn.",
        suggested=("off", "daily 8:00", "daily 18:00", "sun 18:00", "mon,thu 18:00"),
        value=lambda player: player.digest,
    ),
)
FORCED_MOVES = Preference(
    name="forced",
    rank=8,
    usage="forced on|off",
    topic="playing",
    example="forced on",
    synonyms=("forced moves", "forced move"),
    lines=_switched("forced moves"),
    help="in games for two, play your move automatically when it is the only legal one, or never",
    choose=set_forced_moves,
    form=Switch(
        label="When you have only one legal move",
        hint="In games for two, Nabu can play it for you as soon as your opponent has moved.",
        on="Play it automatically",
        off="Never play it automatically",
        is_on=lambda player: player.forced_moves,
    ),
)
ZONE = Preference(
    name="zone",
    rank=3,
    usage="zone PLACE",
    topic="time",
    example="zone Berlin",
    synonyms=("time zone", "timezone", "zones"),
    help="the time zone of all times that you read, by city or country: zone Berlin, zone New York, zone Japan",
    choose=set_zone,
    form=TextField(
        label="Time zone",
        hint="For example Berlin, New York or Japan. We show all times in this time zone; without one, in UTC.",
        value=lambda player: zone_name(players.zone(player)) if player.zone else "",
    ),
)

NOTIFY = Preference(
    name="notify",
    rank=9,
    usage="notify WHERE",
    topic="email",
    example="notify ntfys://ntfy.example.com/room",
    synonyms=("notification", "notifications"),
    lines={line: value for line, value in _switched("notifications").items() if value == "off"},
    help=f"be notified of your turns in {service_names()} as well: the address there, or off",
    choose=channels.choose,
    form=TextField(
        label="Notifications in other services",
        hint="The address of a channel there, or: off. You get email as well. Notifications contain no moves.",
        examples=address_examples(),
        value=lambda player: "",
        state=channels.in_words,
    ),
)

CHOICES: tuple[Choice, ...] = (
    MAIL_CHOICE,
    MESSAGES_CHOICE,
    SUBJECT,
    WORDS,
    BOARD,
    *PAGE_CHOICES,
    COMPANY_CHOICE,
)
"""The preferences with a few fixed values, in the order of the page, where they follow the others."""


def preference_of(choice: Choice, rank: int) -> Preference:
    """Return a preference, with command and form, for a choice of fixed values; `rank` is its place there."""
    return Preference(
        name=choice.name,
        rank=rank,
        usage=choice.usage,
        help=choice.help,
        choose=lambda action, player, text: choice.choose(player, text),
        form=Selection(choice),
        topic=choice.topic,
        example=f"{choice.name} {choice.ways[-1].word}",
    )


PREFERENCES = [BIO, LANGUAGES, VACATION, AUTO_VACATION, REMINDERS, DIGEST, FORCED_MOVES, ZONE, NOTIFY]
CHOSEN = [preference_of(choice, rank) for rank, choice in enumerate(CHOICES, len(PREFERENCES) + 1)]
"""The preferences with fixed values, which can also be set in a reply to a game's email."""
PREFERENCES += CHOSEN
"""All preferences, in the order in which the help lists their commands."""
