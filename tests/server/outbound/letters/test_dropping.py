"""Letters that are no longer true when they could be sent are dropped: a story for each such letter."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import update
from sqlalchemy.exc import OperationalError
from sqlmodel import col, select

from server.clock.moments import write_moment
from server.game.lobby import challenges, counter_offers
from server.game.log import log
from server.game.play import endings, moves
from server.game.play.target import Target
from server.game.preferences import preferences
from server.jobs import downtime, retention
from server.jobs.table import CLOCK, DIGESTS, REMINDERS
from server.outbound.letters.account import Announced, Asked
from server.outbound.letters.expiry import is_true, still_true
from server.outbound.letters.hints_and_analysis import Hinted
from server.outbound.sent_texts import Sent
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.letters.letter import About, Letter, name_of
from server.store.letters.tournaments import AdjudicatedSoon
from server.store.models import Announcement, Game, Inbox, Outbox, Player, Seat
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from server.tournaments import signup
from tests.support.database.connections import lost_at
from tests.support.server.emails import Written, letters, parsed, receive
from tests.support.server.games import begin, offer_draw, submit, take_back
from tests.support.server.jobs import work_of
from tests.support.server.players import add_player
from tests.support.server.services import Clock

CITY = "nebuchadnezzar"
Act = Callable[["Scene"], object]


class Scene:
    """A game of two people, and the queued letters."""

    def __init__(self, services: Services, clock: Clock, game_type: str = CITY, **options: object) -> None:
        self.services, self.clock = services, clock
        self.ann = add_player(services, "ann@example.org", "Ann")
        self.ben = add_player(services, "ben@example.org", "Ben")
        with writing(services.engine) as session:
            ann, ben = (session.get_one(Player, player.id) for player in (self.ann, self.ben))
            options = {"size": 5, **options} if game_type == CITY else options
            self.number = log.id_of(challenges.challenge(self.action(session), ann, [ben], game_type, options))

    def action(self, session: object, writer: int | None = None) -> ActionContext:
        return ActionContext(session, self.services.sealer, self.clock(), writer=writer)  # type: ignore[arg-type]

    def accept(self) -> None:
        with writing(self.services.engine) as session:
            challenges.accept(self.action(session), session.get_one(Player, self.ben.id), self.number)

    def act(self, seat: int, do: Callable[..., object], *more: object) -> None:
        """Return an action of a seat in the game, by email."""
        with writing(self.services.engine) as session:
            game = session.get_one(Game, self.number)
            _, player = log.seats(session, game)[seat]
            do(self.action(session, player.id), player, Target(self.number, seat, game.turn), *more)

    def choose(self, seat: int, do: Callable[[ActionContext, Player, str], str], text: str) -> None:
        with writing(self.services.engine) as session:
            _, player = log.seats(session, session.get_one(Game, self.number))[seat]
            do(self.action(session), player, text)

    def run_out(self) -> None:
        """Let the player to move run out of time, after their email was sent."""
        self.clock.advance(days=4)
        with writing(self.services.engine) as session:
            session.execute(update(Outbox).values(state="sent", sent_at=col(Outbox.created_at)))
            endings.handle_timeouts(self.action(session), session.get_one(Game, self.number))

    def remind(self) -> None:
        self.clock.advance(days=2, hours=1)
        assert REMINDERS.run_next(self.services.engine, self.services.sealer, self.clock())

    def last(self, letter: str) -> Outbox:
        with reading(self.services.engine) as session:
            query = select(Outbox).where(Outbox.letter == letter).order_by(col(Outbox.id).desc())
            row = session.exec(query).first()
            assert row is not None, f"no {letter} was queued"
            return row

    def due(self, seat: int) -> str:
        """Return the deadline of a seat, as letters write it."""
        with reading(self.services.engine) as session:
            moment = session.get_one(Seat, (self.number, seat)).deadline_at
        assert moment is not None
        return write_moment(moment, ZoneInfo("UTC"))

    def write(self, seat: int, text: str) -> None:
        """Answer the email about the current turn."""
        with reading(self.services.engine) as session:
            game = session.get_one(Game, self.number)
            sender, turn = log.seats(session, game)[seat][1].email, game.turn
        token = self.services.tokens.write(ReplyToken(self.number, seat, turn))
        receive(self.services, sender, f"play+{token}@games.example.org", text)

    def sent(self, row: Outbox) -> str:
        """Return the plain text of a letter in one line, as it is sent now; "" if it is dropped."""
        with reading(self.services.engine) as session:
            mail = self.services.delivery().writer.write_what_is_true(session, row)
        return "" if mail is None else Written(row.letter, row.recipient, mail).words

    def holds(self, row: Outbox) -> bool:
        return self.sent(row) != ""


def then(*acts: Act) -> Act:
    """Return an action that does several in turn."""
    return lambda scene: [act(scene) for act in acts]


def accept(scene: Scene) -> None:
    scene.accept()


def decline(scene: Scene) -> None:
    with writing(scene.services.engine) as session:
        player = session.get_one(Player, scene.ann.id)
        challenges.decline(scene.action(session), player, scene.number)


def challenge(scene: Scene) -> None:
    """Challenge by email; the story continues in this game."""
    to = scene.services.settings.plain_address
    receive(scene.services, scene.ann.email, to, "challenge ben nebuchadnezzar size=5")
    scene.number = scene.last("challenge_sent").game_id or 0


def counter(scene: Scene) -> None:
    """Propose other terms, which sends another invitation."""
    with writing(scene.services.engine) as session:
        player = session.get_one(Player, scene.ben.id)
        counter_offers.counter(scene.action(session), player, scene.number, {"time": "9d"})


def seek(scene: Scene) -> None:
    """Open a game for three by email, and let another player join; the story continues in this game."""
    to = scene.services.settings.plain_address
    receive(scene.services, scene.ann.email, to, "seek nexus players=3")
    with reading(scene.services.engine) as session:
        scene.number = session.exec(select(Game.id).where(Game.state == "open")).one() or 0
    receive(scene.services, scene.ben.email, to, f"join {scene.number}")


def leave(scene: Scene) -> None:
    """Close the open game."""
    receive(scene.services, scene.ann.email, scene.services.settings.plain_address, f"leave {scene.number}")


def ask_to_begin(scene: Scene) -> None:
    """Let the player who has joined ask to start without a third."""
    receive(scene.services, scene.ben.email, scene.services.settings.plain_address, f"start {scene.number}")


def agree(scene: Scene) -> None:
    """Let the other player agree."""
    receive(scene.services, scene.ann.email, scene.services.settings.plain_address, f"start {scene.number}")


def come_and_go(scene: Scene) -> None:
    """Let a player leave and join again."""
    for word in ("leave", "join"):
        to = scene.services.settings.plain_address
        receive(scene.services, scene.ben.email, to, f"{word} {scene.number}")


def warn(scene: Scene) -> None:
    """Warn of an adjudication, as a tournament does."""
    with writing(scene.services.engine) as session:
        moment = scene.clock() + timedelta(days=3)
        player = session.get_one(Player, scene.ann.id)
        number = signup.make(scene.action(session), player, "Spring Cup", CITY, {}).id
        letter = AdjudicatedSoon(number or 0, moment)
        scene.action(session).put_to_player(player, letter, About(scene.number, 0))


def hint(scene: Scene) -> None:
    """Send a hint, as the computer does; here for a game of two."""
    with writing(scene.services.engine) as session:
        game = session.get_one(Game, scene.number)
        found = {"best": {"move": "c3", "looks": 1, "share": 0.5, "reply": ""}, "second": None, "looks": 1}
        letter = Hinted(found, game.position, game.turn)
        scene.action(session).put_to_player(
            session.get_one(Player, scene.ann.id), letter, About(scene.number, 0)
        )


def announce(scene: Scene) -> None:
    """Send an announcement by email, as an administrator does."""
    with writing(scene.services.engine) as session:
        action, until = scene.action(session), scene.clock() + timedelta(days=2)
        session.add(
            Announcement(text="Hello!", since=scene.clock(), until=until, by_id=scene.ann.id, is_mailed=True)
        )
        action.put_to_player(session.get_one(Player, scene.ann.id), Announced(1, "Hello!", until))


def end_announcement(scene: Scene) -> None:
    with writing(scene.services.engine) as session:
        session.get_one(Announcement, 1).until = scene.clock()


def act(seat: int, do: Callable[..., object], *more: object) -> Act:
    return lambda scene: scene.act(seat, do, *more)


def move(seat: int, text: str) -> Act:
    return act(seat, moves.submit, text)


BEGUN = accept
ISLAND: dict[str, object] = {"size": 10, "troops": 1, "sea": 0}
STORIES: dict[str, list[tuple[str, dict[str, object], Act, Act]]] = {
    "invitation": [
        (CITY, {}, lambda scene: None, accept),
        (CITY, {}, lambda scene: None, decline),
        (CITY, {}, lambda scene: None, counter),
    ],
    "challenge_sent": [
        (CITY, {}, challenge, accept),
        (CITY, {}, challenge, decline),
    ],
    "report": [
        (CITY, {}, then(BEGUN, move(0, "c3")), move(1, "a1")),
        (CITY, {}, then(BEGUN, move(0, "c3")), act(0, moves.resign)),
        (CITY, {}, then(BEGUN, move(0, "c3")), then(act(0, offer_draw), act(1, offer_draw))),
        (CITY, {}, then(BEGUN, move(0, "c3")), then(act(0, take_back), act(1, take_back))),
    ],
    "proposed": [
        (
            CITY,
            {},
            then(BEGUN, act(1, offer_draw)),
            then(move(0, "c3"), move(1, "a1"), move(0, "e5")),
        ),
        (CITY, {}, then(BEGUN, act(1, offer_draw)), act(0, moves.resign)),
        (CITY, {}, then(BEGUN, move(0, "c3"), act(0, take_back)), move(1, "a1")),
    ],
    "clock_stands": [
        (
            CITY,
            {},
            then(BEGUN, lambda scene: scene.choose(0, preferences.take_vacation, "5d")),
            lambda scene: scene.choose(0, preferences.take_vacation, "off"),
        ),
        (
            CITY,
            {},
            then(BEGUN, lambda scene: scene.choose(0, preferences.take_vacation, "5d")),
            move(0, "c3"),
        ),
    ],
    "time_given": [
        (CITY, {}, then(BEGUN, act(1, moves.give_time, "1d")), move(0, "c3")),
        (CITY, {}, then(BEGUN, act(1, moves.give_time, "1d")), act(1, moves.give_time, "1d")),
    ],
    "overdue": [
        (
            CITY,
            {"timeout": "claim"},
            then(BEGUN, lambda scene: scene.run_out()),
            move(0, "c3"),
        ),
    ],
    "reminder": [
        (CITY, {}, then(BEGUN, lambda scene: scene.remind()), move(0, "c3")),
        (
            CITY,
            {},
            then(BEGUN, lambda scene: scene.remind()),
            lambda scene: scene.choose(0, preferences.take_vacation, "5d"),
        ),
    ],
    "receipt": [
        ("nelaxtam", ISLAND, then(BEGUN, move(0, "1 d4")), move(0, "1 e5")),
        ("nelaxtam", ISLAND, then(BEGUN, move(0, "1 d4")), act(0, moves.withdraw)),
    ],
    "withdrawn": [
        (
            "nelaxtam",
            ISLAND,
            then(BEGUN, move(0, "1 d4"), act(0, moves.withdraw)),
            move(0, "1 d4"),
        ),
    ],
}
STORIES |= {
    "open_game": [(CITY, {}, seek, leave)],
    "open_game_changed": [(CITY, {}, seek, leave)],
    "start_asked": [
        (CITY, {}, then(seek, ask_to_begin), leave),
        (CITY, {}, then(seek, ask_to_begin), agree),
        (CITY, {}, then(seek, ask_to_begin), come_and_go),
    ],
    "adjudicated_soon": [(CITY, {}, then(BEGUN, warn), act(0, moves.resign))],
    "hinted": [
        (CITY, {}, then(BEGUN, hint), move(0, "c3")),
        (CITY, {}, then(BEGUN, hint), act(0, moves.resign)),
    ],
    "announced": [(CITY, {}, announce, end_announcement)],
    "proposal_noted": [
        (CITY, {}, then(BEGUN, lambda scene: scene.write(0, "draw")), act(1, moves.resign)),
        (
            CITY,
            {},
            then(BEGUN, move(0, "c3"), lambda scene: scene.write(0, "takeback")),
            act(1, take_back),
        ),
    ],
    "answers": [
        (
            CITY,
            {},
            then(BEGUN, move(0, "c3"), lambda scene: scene.write(0, "undo\ndraw")),
            then(move(1, "a1"), act(1, moves.resign)),
        ),
    ],
}
CASES = [
    pytest.param(letter, *story, id=f"{letter} {number}")
    for letter, stories in STORIES.items()
    for number, story in enumerate(stories)
]


@pytest.mark.sample(7)
@pytest.mark.parametrize(("letter", "game_type", "options", "put", "change"), CASES)
def test_letter_is_true_until_something_changes(
    services: Services,
    clock: Clock,
    letter: str,
    game_type: str,
    options: dict[str, object],
    put: Act,
    change: Act,
) -> None:
    scene = Scene(services, clock, game_type, **options)
    put(scene)
    row = scene.last(letter)
    assert scene.holds(row)
    change(scene)
    assert not scene.holds(row)


@pytest.mark.both
def test_acceptance_is_dropped_after_the_start(services: Services, clock: Clock) -> None:
    scene, cem = Scene(services, clock), add_player(services, "cem@example.org", "Cem")
    with writing(services.engine) as session:
        ann, ben, third = (session.get_one(Player, player.id) for player in (scene.ann, scene.ben, cem))
        game = challenges.challenge(scene.action(session), ann, [ben, third], "nexus", {"players": 3})
        scene.number = log.id_of(game)
        challenges.accept(scene.action(session), ben, scene.number)
    row = scene.last("accepted")
    assert scene.holds(row)
    with writing(services.engine) as session:
        challenges.accept(scene.action(session), session.get_one(Player, cem.id), scene.number)
    assert not scene.holds(row)


def test_answered_question_is_dropped(services: Services, clock: Clock) -> None:
    scene = Scene(services, clock)
    receive(services, "eve@example.org", services.settings.plain_address, "help")
    with writing(services.engine) as session:
        mail = session.exec(select(Inbox)).one()
        scene.action(session).put("eve@example.org", Asked("eve@example.org", mail.id or 0, ["help"]))
        mail.state = "asked"
    row = scene.last("asked")
    assert scene.holds(row)
    with writing(services.engine) as session:
        session.exec(select(Inbox)).one().state = "done"
    assert not scene.holds(row)


def test_digest_is_dropped_when_everything_was_answered(services: Services, clock: Clock) -> None:
    scene = Scene(services, clock)
    scene.accept()
    scene.choose(1, preferences.set_digest, "daily 18:00")
    move(0, "c3")(scene)
    clock.advance(hours=6)
    assert DIGESTS.run_next(services.engine, services.sealer, clock())
    row = scene.last("digest")
    assert scene.holds(row)
    move(1, "a1")(scene)
    assert not scene.holds(row)


def owed_by(services: Services, player: Player, other: Player) -> tuple[int, int]:
    """Return a new game in which the opponent has just moved, and the player's seat."""
    number = begin(services, CITY, other, player, size=5)
    with reading(services.engine) as session:
        seated = log.seats(session, session.get_one(Game, number))
    seat = next(seat.number for seat, each in seated if each.id == player.id)
    if seat == 0:
        submit(services, number, 0, "c3")
    submit(services, number, 1 - seat, "e5")
    return number, seat


def test_digest_contains_only_what_was_not_answered(services: Services, clock: Clock) -> None:
    scene = Scene(services, clock)
    with writing(services.engine) as session:
        reader = session.get_one(Player, scene.ben.id)
        preferences.set_digest(scene.action(session), reader, "daily 18:00")
    games = [owed_by(services, scene.ben, scene.ann) for _ in range(2)]
    with writing(services.engine) as session:
        session.execute(update(Seat).values(unreported_turn=1))  # the report of the start was sent
    clock.advance(hours=6)
    assert DIGESTS.run_next(services.engine, services.sealer, clock())
    row = scene.last("digest")
    assert "2 games are waiting for your move" in scene.sent(row)
    submit(services, *games[0], "a1")
    assert "One game is waiting for your move" in scene.sent(row)
    assert f"Nebuchadnezzar {games[0][0]}:" not in scene.sent(row)
    assert f"Nebuchadnezzar {games[1][0]}:" in scene.sent(row)


def test_reminder_contains_only_moves_still_owed(services: Services, clock: Clock) -> None:
    scene = Scene(services, clock)
    games = []
    for _ in range(3):
        games.append(owed_by(services, scene.ben, scene.ann))
        clock.advance(minutes=1)
    scene.remind()
    row = scene.last("reminder")
    assert "3 games are waiting" in scene.sent(row)
    submit(services, *games[0], "a1")
    assert "2 games are waiting" in scene.sent(row)
    submit(services, *games[1], "a1")
    assert "Turn " in scene.sent(row)
    assert "games are waiting" not in scene.sent(row)
    with reading(services.engine) as session:
        mail = services.delivery().writer.write_what_is_true(session, row)
    assert mail is not None
    assert parsed(mail)["Subject"] == f"Reminder: Nebuchadnezzar {games[2][0]} with Ann, by Wed 12:02 UTC"


@pytest.mark.parametrize(
    ("letter", "put"),
    [
        ("time_given", act(1, moves.give_time, "1d")),
        (
            "clock_stands",
            lambda scene: scene.choose(0, preferences.take_vacation, "2026-03-03 to 2026-03-08"),
        ),
        ("reminder", lambda scene: scene.remind()),
    ],
)
def test_credited_time_changes_only_the_deadline(
    services: Services, clock: Clock, letter: str, put: Act
) -> None:
    """No other letter reports a time credit."""
    scene = Scene(services, clock)
    scene.accept()
    put(scene)
    row, said = scene.last(letter), scene.due(0)
    assert said in scene.sent(row)
    downtime.beat(services.engine, clock())
    clock.advance(hours=5)
    CLOCK.run(work_of(services, clock))
    assert said != scene.due(0) in scene.sent(row)


def test_report_of_conditional_moves_is_always_sent(services: Services, clock: Clock) -> None:
    """No other letter reports that they were deleted."""
    scene = Scene(services, clock)
    scene.accept()
    act(1, moves.set_conditions, "if c3 then a1")(scene)
    move(0, "b2")(scene)
    row = scene.last("report")
    move(1, "a1")(scene)
    assert "have been deleted: | if c3 then a1" in scene.sent(row)


def test_proposal_is_not_sent_to_a_player_who_has_left(services: Services, clock: Clock) -> None:
    scene = Scene(services, clock)
    cleo = add_player(services, "cleo@example.org", "Cleo")
    number = begin(services, "nexus", scene.ann, scene.ben, cleo, players=3)
    scene.number = number
    scene.act(0, offer_draw)
    row = scene.last("proposed")  # to the player of seat 2
    assert scene.holds(row)
    scene.act(2, moves.resign)
    assert not scene.holds(row)


def test_each_letter_that_can_expire_has_a_test() -> None:
    told = {*STORIES, "accepted", "asked", "digest"}
    registered = {*is_true.registry, *still_true.registry} - {Letter, object}
    assert {name_of(letter) for letter in registered} == told


def test_dropped_letter_is_not_sent_and_no_failure(services: Services, clock: Clock) -> None:
    scene = Scene(services, clock)
    scene.accept()
    invitation = scene.last("invitation")
    services.delivery().send_due(clock())
    with reading(services.engine) as session:
        row = session.get_one(Outbox, invitation.id)
        assert (row.state, row.sent_at, row.error) == ("dropped", None, "")
    clock.advance(days=400)
    with writing(services.engine) as session:
        retention.throw_away(session, clock(), timedelta(days=30))
    with reading(services.engine) as session:
        assert session.get(Outbox, invitation.id) is None


def test_invitation_shows_the_state_when_it_was_queued(services: Services, clock: Clock) -> None:
    """A delayed one showed the game in its fourth turn, with the seats already drawn."""
    scene = Scene(services, clock)
    first = next(each for each in letters(services) if each.letter == "invitation").text
    clock.advance(days=1)
    scene.accept()
    move(0, "c3")(scene)
    assert next(each for each in letters(services) if each.letter == "invitation").text == first


def test_receipt_shows_the_state_when_it_was_queued(services: Services, clock: Clock) -> None:
    scene = Scene(services, clock, "nelaxtam", **ISLAND, delay="30m")
    scene.accept()
    move(0, "1 d4")(scene)
    first = next(each for each in letters(services) if each.letter == "receipt").text
    move(1, "A f5")(scene)
    told = [each.text for each in letters(services) if each.letter == "receipt"]
    assert told[0] == first
    assert "They will be opened on" in told[1]


def test_dropped_letter_is_not_compared_with_quotes(services: Services, clock: Clock) -> None:
    """Only emails that were sent can be quoted."""
    scene = Scene(services, clock)
    then(BEGUN, move(0, "c3"), *[act(0, moves.give_time, "1d")] * 3)(scene)
    with writing(services.engine) as session:
        session.execute(update(Outbox).where(col(Outbox.letter) == "time_given").values(state="dropped"))
    with reading(services.engine) as session:
        texts = Sent(services.delivery().writer).texts(session, ReplyToken(scene.number, 1, 2), scene.ben.email)
    assert "played c3" in texts[0]


def test_database_outage_while_reading_sent_letters_raises(services: Services, clock: Clock) -> None:
    """The reply would be read without them, and its quotes of them would count as the player's text."""
    scene = Scene(services, clock)
    then(BEGUN, move(0, "c3"))(scene)
    sent, token = Sent(services.delivery().writer), ReplyToken(scene.number, 1, 2)
    with (
        reading(services.engine) as session,
        lost_at(services.engine, "FROM entry"),
        pytest.raises(OperationalError),
    ):
        sent.texts(session, token, scene.ben.email)
