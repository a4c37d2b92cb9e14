"""What a player chooses about their time and mail, for all their games; and `mute`, for one of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from server.accounts import players, profiles
from server.accounts.choices import SUBJECT, Choice
from server.clock.digests import digest_in_words, read_digest, write_digest
from server.clock.errors import BadTime
from server.clock.moments import write_moment
from server.clock.reminders import REMINDERS_IN_WORDS, read_reminders, reminders_in_words, write_reminders
from server.clock.spans import HOUR, ZERO, limited, read_span
from server.clock.zones import is_offset, read_zone, zone_name
from server.errors import BadRequest, refusing
from server.game.clock import deadlines
from server.game.lobby.computer_joiners import COMPANY_CHOICE
from server.game.messages.extra_text import WORDS
from server.game.notifications import channels
from server.game.notifications.services.registry import how_to_write_addresses, service_names
from server.game.preferences import vacations
from server.game.preferences.digests import catch_up, plan, unmute
from server.game.preferences.email_choices import MAIL_CHOICE, MESSAGES_CHOICE
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
    """Something that a player chooses, by mail or on the settings page."""

    name: str
    """That of its form, and of what is sent with it."""
    rank: int
    """Its place on the page."""
    usage: str
    """How the command that chooses it is written."""
    help: str
    """What the command does."""
    choose: Callable[[ActionContext, Player, str], str]
    """Store what a text says and give the answer, sentences for the player; raises BadRequest."""
    form: TextField | Switch | Selection | Several
    topic: str
    """The part of the help that explains it, one of `server.commands.word.Topic`."""
    example: str
    """A line that chooses it."""
    synonyms: tuple[str, ...] = ()
    """What else may be written for the word of its command: one or two words in lower case."""
    lines: Mapping[str, str] = field(default_factory=dict)
    """Whole lines that choose it, each with the value: “daily digest” chooses daily."""

    def in_words(self, action: ActionContext, player: Player) -> str:
        """Return what a player has chosen: "Time zone: Europe/Berlin"."""
        stands = self.form.stands(action, player) if isinstance(self.form, TextField) else ""
        if stands:
            return f"{self.form.label}. {stands}"
        return f"{self.form.label}: {self.form.value(player) or 'none'}"

    def changing_line(self, player: Player) -> str:
        """Return a line that changes it: to another value where there are only a few."""
        command, now = self.example.rpartition(" ")[0], self.form.value(player)
        match self.form:
            case Switch():
                return f"{command} {'off' if now == 'on' else 'on'}"
            case Selection(choice=choice):
                return f"{choice.name} {next(way.word for way in choice.ways if way.word != now)}"
        return self.example


def _switched(*names: str) -> dict[str, str]:
    """The lines that switch something of these names on or off: “no digest”, “turn reminders off”."""
    said: dict[str, str] = {}
    for name in names:
        said |= dict.fromkeys((f"enable {name}", f"turn on {name}", f"turn {name} on"), "on")
        said |= dict.fromkeys((f"no {name}", f"no more {name}", f"disable {name}", f"stop {name}"), "off")
        said |= dict.fromkeys((f"turn off {name}", f"turn {name} off", f"cancel {name}", f"end {name}"), "off")
    return said


def set_zone(action: ActionContext, player: Player, text: str) -> str:
    """Show moments in another zone; it decides about deadlines from the next turn on. Raises BadRequest."""
    with refusing(BadTime):
        zone = read_zone(without_please(text))
    player.zone = zone.key
    _plan_digest(action, player)
    told = f"Your time zone is {zone_name(zone)}; it is now {write_moment(action.now, zone)}."
    return (
        f"{told} It ignores daylight saving: if your clocks change, write a city." if is_offset(zone) else told
    )


def set_reminders(action: ActionContext, player: Player, text: str) -> str:
    """Choose when to be reminded. Raises BadRequest."""
    with refusing(BadTime):
        choice = read_reminders(without_please(text))
    player.reminders = write_reminders(choice)
    deadlines.recompute_deadlines(action.session, player, action.now)
    return reminders_in_words(choice)


def set_digest(action: ActionContext, player: Player, text: str) -> str:
    """Choose between a mail for each turn and one for all, daily or weekly. Raises BadRequest."""
    with refusing(BadTime):
        control = read_digest(without_please(text), players.zone(player))
    player.digest = write_digest(control)
    _plan_digest(action, player)
    return digest_in_words(control, action.now)


def set_forced_moves(action: ActionContext, player: Player, text: str) -> str:
    """Choose whether a move that is the only legal one is played at once: "on" or "off". Raises BadRequest."""
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
    """Announce vacation or end it, or choose whether it is spent by itself. Raises BadRequest."""
    if text.lower().startswith("auto"):
        return set_auto_vacation(action, player, text[len("auto") :].strip())
    return vacations.announce(action, player, without_please(text))


def set_auto_vacation(action: ActionContext, player: Player, text: str) -> str:
    """Choose whether the server spends vacation when time is up: "on" or "off". Raises BadRequest."""
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
    """Have no mail about one game for a while, or mail again with "off". Raises BadRequest."""
    with refusing(BadTime):
        wish = read_span(text, "write mute 5d, or mute off.")
        span = limited(wish, "The time without email", ZERO, LONGEST_MUTE)
    if span < HOUR:
        unmute(action, game, seat, player)
        return "You will get email about this game again."
    seat.muted_until = action.now + span
    until = write_moment(seat.muted_until, players.zone(player))
    return (
        f"You will get no email about this game until {until}, unless it ends; then one email tells you what "
        "happened. Your deadlines stay as they are."
    )


def _plan_digest(action: ActionContext, player: Player) -> None:
    """Recompute when the digest comes, and what cannot wait for it."""
    plan(player, action.now)
    deadlines.recompute_deadlines(action.session, player, action.now)
    catch_up(action, player)


BIO = Preference(
    name="bio",
    rank=1,
    usage="bio TEXT",
    topic="account",
    example="bio I play after dinner",
    synonyms=("about me",),
    help="a line about yourself, for your page; bio off: none",
    choose=lambda action, player, text: profiles.write_bio(action.sealer, player, text),
    form=TextField(
        label="About you",
        hint="A line for your page, which everyone can see.",
        value=lambda player: player.bio,
        emptied="off",
    ),
)
LANGUAGES = Preference(
    name="languages",
    rank=2,
    usage="languages NAMES",
    topic="account",
    example="languages English, German",
    synonyms=("language",),
    help="the languages that you speak, for your page: languages English, German",
    choose=lambda action, player, text: profiles.choose_languages(player, text),
    form=TextField(
        label="Languages you speak",
        hint="For your page, with commas between them.",
        value=lambda player: player.languages,
        emptied="off",
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
        "pause your clock: vacation 5d, vacation 2026-12-20 to 2027-01-03, vacation off; "
        "vacation alone: how much you have left"
    ),
    choose=take_vacation,
    form=TextField(
        label="Vacation",
        hint="Pauses your clock: write 5d, or 2026-12-20 to 2027-01-03; off ends it.",
        value=lambda player: "",
        stands=lambda action, player: " ".join(vacations.in_words(action, player)),
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
        hint="In place of losing, an hour of your vacation at a time.",
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
    help="when to remind you of moves you owe: half, day, hour, several of these, or none",
    choose=set_reminders,
    form=Several(
        label="Reminders",
        hint="For moves that you owe. Untick all of them, and you are never reminded.",
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
        "digest off: always email me at once"
    ),
    choose=set_digest,
    form=TextField(
        label="Digest",
        hint="One email for all turns: daily 18:00, weekly, or fri 18:00; off: each is emailed at once.",
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
        label="Your only legal move",
        hint="In games for two, it can be played for you as soon as your opponent has moved.",
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
    help="the time zone for the times we tell you, by city or country: zone Berlin, zone New York, zone Japan",
    choose=set_zone,
    form=TextField(
        label="Time zone",
        hint="Such as Berlin, New York or Japan. Deadlines are shown in it.",
        value=lambda player: zone_name(players.zone(player)),
    ),
)

NOTIFY = Preference(
    name="notify",
    rank=9,
    usage="notify WHERE",
    topic="email",
    example="notify ntfys://ntfy.example.org/room",
    synonyms=("notification", "notifications"),
    lines={line: value for line, value in _switched("notifications").items() if value == "off"},
    help=f"be notified of your turns in {service_names()} as well: the address there, or off",
    choose=channels.choose,
    form=TextField(
        label="Notifications in other services",
        hint=f"{how_to_write_addresses()} You get email as well. Notifications contain no moves.",
        value=lambda player: "",
        stands=channels.in_words,
    ),
)

CHOICES: tuple[Choice, ...] = (MAIL_CHOICE, MESSAGES_CHOICE, SUBJECT, WORDS, BOARD, COMPANY_CHOICE)
"""Those among a few ways, in the order in which they stand on the page, below the others."""


def preference_of(choice: Choice, rank: int) -> Preference:
    """A choice among a few ways as a preference."""
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
"""What is chosen among a few ways: in a reply to a game's mail as well, where players see what it is about."""
PREFERENCES += CHOSEN
"""All of them, in the order in which their commands are told."""
