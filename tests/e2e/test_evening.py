"""An evening of sixty people, by email and on the web, with the night and the day after it.

They sign up, look for games, play all games and a tournament of each form, resign, run out of time, send
messages, watch, block each other, stop their email, and delete their accounts, over sockets of separate
processes.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from server.settings import Settings
from tests.support.e2e.mailboxes import World
from tests.support.evening import afterwards, deeds
from tests.support.evening.cups import Cup, invite
from tests.support.evening.open_games import OpenGame, seat
from tests.support.evening.party import party
from tests.support.machine.ports import free_ports
from tests.support.server.services import settings_for

pytestmark = [pytest.mark.long, pytest.mark.first]

NAMES = """
    Adad Akki Amat Anshar Apil Ashur Asqudum Atra Bani Balasi Belit Beltani Damiq Dumuzi Ea Egibi Enlil Ennatum
    Erishti Etana Gimil Hammu Huzalum Ibbi Iddin Iltani Imgur Inanna Ipqu Ishme Kalumum Kubaba Kudur Lamassi
    Libluth Mannu Marduk Melishu Mushe Naram Nidnat Nin Nuratum Puzur Rimush Sabit Samsu Shala Shamhat Sherua
    Shiptu Sin Sippar Taram Tashmet Ubar Ummi Utnap Warad Zimri
"""
_SMALL = {"size": "4"}
SILENT = (
    OpenGame("nibble", {"time": "1h"}, silent=True),
    OpenGame("nebuchadnezzar", {"time": "1h", **_SMALL}, silent=True),
)
LEFT = (OpenGame("nibble", whole=True), OpenGame("nelaxtam", whole=True))
ANONYMOUS = OpenGame("nebuchadnezzar", {"anonymous": "yes", **_SMALL})
OF_THREE = OpenGame("nexus", {"players": "3"}, people=3, whole=True)
WATCHED = OpenGame("nardshir", whole=True)
AGAIN = OpenGame("nebuchadnezzar", {"always": "1", **_SMALL})
TABLES = (
    *SILENT,
    *LEFT,
    ANONYMOUS,
    OF_THREE,
    WATCHED,
    AGAIN,
    OpenGame("nibble"),
    OpenGame("nibble", {"in-time": "50"}, whole=True),
    OpenGame("nibble", {"time": "7d+1d", "rated": "no"}),
    OpenGame("nebuchadnezzar"),
    OpenGame("nebuchadnezzar", _SMALL, whole=True),
    OpenGame("nebuchadnezzar", {"size": "6", "weekends": "off"}),
    OpenGame("nelaxtam", {"size": "14"}),
    OpenGame("nelaxtam", {"size": "14", "show-ready": "off"}),
    OpenGame("nelaxtam", {"size": "10", "troops": "1", "sea": "0"}, whole=True),
    OpenGame("nexus", {"players": "2"}),
    OpenGame("nexus", {"players": "4"}, people=4),
    OpenGame("nexus", {"players": "4"}, people=3, short=True),
    OpenGame("nardshir"),
)
LADDER = Cup(
    "Ladder of Ur", "nebuchadnezzar", {"form": "ladder", "places": "4", "lasts": "1d", "time": "1h"}, 4, "4"
)
CUPS = (
    LADDER,
    Cup(
        "Six in Sippar",
        "nebuchadnezzar",
        {"form": "swiss", "places": "4-6", "signup": "1h", "early": "off"},
        7,
        "4",
    ),
    Cup("All Against All", "nibble", {"form": "round-robin", "places": "4"}, 4),
    Cup("There and Back", "nebuchadnezzar", {"form": "double", "places": "3", "together": "off"}, 3, "4"),
    Cup("Last One In", "nibble", {"form": "knock-out", "places": "5"}, 5),
)
IN_CUPS = sum(cup.people for cup in CUPS)
SIGN_UP_ENDS, NIGHT = timedelta(hours=2), timedelta(hours=30)


@pytest.fixture
def settings(database_url: str, outside: tuple[World, str]) -> Settings:
    """Settings for a house whose ports stay the same when it is opened again."""
    mail, web = (f"127.0.0.1:{port}" for port in free_ports(2))
    return settings_for(
        database_url,
        smtp_url=outside[1],
        smtp_listen=mail,
        http_listen=web,
        base_url=f"http://{web}",
        delivery_lease=30,
        domain_rate=1_000_000,
        first_game="true",
    )


def test_sixty_players_play_for_an_evening(settings: Settings, world: World) -> None:
    with party(settings, world, NAMES.split()) as it:
        engine, guests = it.house.engine, it.guests
        it.all_do(guest.register for guest in guests)
        meetings = invite(CUPS, guests)
        it.all_do(meeting.sign_up for meeting in meetings)
        ladder = next(meeting.number for meeting in meetings if meeting.cup is LADDER)
        it.hands.few[ladder] = 3
        it.live()
        it.sleep(SIGN_UP_ENDS)

        # People without a tournament sit at the first tables: some of them leave or stop their email.
        sittings = seat(TABLES, [*guests[IN_CUPS:], *guests[:IN_CUPS]])
        it.all_do(partial(sitting.gather, it.hands) for sitting in sittings)
        at = {id(sitting.table): sitting for sitting in sittings}
        some = guests[IN_CUPS - 12 : IN_CUPS]
        canaries = [deeds.watch(at[id(WATCHED)], some[:2]), deeds.tell(at[id(OF_THREE)])]
        canaries += deeds.note(sittings[len(SILENT) + len(LEFT) :])
        private = deeds.counter(some[2], some[3], "nebuchadnezzar size=4 private=on", "time=1d")
        deeds.challenge(some[4], some[5], "nebuchadnezzar size=4 games=2")
        refused = deeds.keep_away(some[6], some[7]) + deeds.keep_away(some[8], some[9])
        deaf = [at[id(table)].people[1] for table in SILENT]
        gone = [at[id(table)].people[0] for table in LEFT]
        heard = deeds.stop_by_mail(deaf[0])
        deeds.stop_on_web(deaf[1])
        deeds.delete_by_mail(gone[0])
        deeds.delete_on_web(gone[1])

        it.rest(ladder)
        it.sleep(NIGHT)
        it.rest()
        afterwards.assert_logs_hold(engine, settings)
        afterwards.assert_records_verify(engine, guests)
        assert len(it.hands.played) > 300
        afterwards.assert_all_kinds_were_played_out(engine)
        afterwards.assert_each_move_counts_once(engine, it.hands.played)
        afterwards.assert_nothing_is_left(engine, refused)
        afterwards.assert_ratings_come_out_again(engine, settings)
        afterwards.assert_all_heard_the_end(engine, guests, [*deaf, *gone])
        afterwards.assert_secrets_were_kept(guests, canaries)
        afterwards.assert_nobody_else_saw(guests, private)
        afterwards.assert_names_came_out_at_the_end(at[id(ANONYMOUS)].people, at[id(ANONYMOUS)].number)
        for who in gone:
            afterwards.assert_gone(guests, who)
        assert heard == len(deaf[0].mails)
