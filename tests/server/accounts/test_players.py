"""Players and their names."""

from __future__ import annotations

import pytest

from server.accounts import computer_players, players
from server.errors import BadRequest
from server.game.lobby import challenges
from server.store.outbox import ActionContext

DOMAIN = "games.example.org"
OWN = f"play@{DOMAIN}"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann   Lee ", "Ann Lee"),
        ("Jean-Luc O'Hara Jr.", "Jean-Luc O'Hara Jr."),
        ("Ann.", "Ann"),
        ("Zoë", "Zoë"),
        ("李", "李"),
        ("R2", "R2"),
    ],
)
def test_valid_names(written: str, name: str) -> None:
    assert players.check_name(written) == name


@pytest.mark.parametrize(
    "name", ["", " ", "-", "a@b", "<b>", "x" * 31, "_", "Ann\u202e", "Ann-", ".Ann", "a\0b"]
)
def test_invalid_names_are_refused(name: str) -> None:
    with pytest.raises(BadRequest, match="cannot be a name"):
        players.check_name(name)


@pytest.mark.parametrize(
    "email", ["", "ann", "ann@", "@example.org", "a b@example.org", "ann@example.org\nBcc: x@y.org"]
)
def test_invalid_addresses_are_refused(email: str) -> None:
    with pytest.raises(BadRequest):
        players.check_address(email, OWN)


def test_own_addresses_cannot_sign_up() -> None:
    with pytest.raises(BadRequest, match="address of this server"):
        players.check_address(f"PLAY+token@{DOMAIN.upper()}", OWN)


def test_others_at_the_mailbox_provider_can_sign_up() -> None:
    assert players.check_address(f"player@{DOMAIN}", OWN) == f"player@{DOMAIN}"


def test_names_must_differ_in_more_than_case(action: ActionContext) -> None:
    players.register(action, "ann@example.org", "Ann")
    with pytest.raises(BadRequest, match=r"The name ANN is taken.*for example Ann2"):
        players.register(action, "other@example.org", "ANN")


ALIKE = r"(is|looks like one that is) taken|letters are from several scripts"


@pytest.mark.parametrize(
    ("taken", "wanted"),
    [
        ("Ann", "Аnn"),
        ("Ann", "ＡＮＮ"),
        ("Ann", "𝐀nn"),
        ("Ann Lee", "Ann 1ее"),
        ("Ian", "lan"),
        ("Bob", "B0b"),
        ("Иван", "ИBан"),
        ("Tom", "Torn"),
        ("Zoe\u0308", "Zoë"),
        ("José", "Jose\u0301"),
    ],
)
def test_names_must_differ_in_their_looks(action: ActionContext, taken: str, wanted: str) -> None:
    """Аnn with a Cyrillic А looked like Ann."""
    players.register(action, "ann@example.org", taken)
    with pytest.raises(BadRequest, match=ALIKE):
        players.register(action, "other@example.org", wanted)
    other = players.register(action, "other@example.org", "Quite Another")
    with pytest.raises(BadRequest, match=ALIKE):
        players.rename(action.session, other, wanted)


@pytest.mark.parametrize("wanted", ["Enkıdu", "ENKIDU", "ENKlDU", "Еnkidu"])
def test_no_name_looks_like_a_computer_players(action: ActionContext, wanted: str) -> None:
    with pytest.raises(BadRequest, match=ALIKE):
        players.register(action, "other@example.org", wanted)
    assert computer_players.by_name(action, "ENKIDU") is not None
    assert computer_players.by_name(action, wanted) is None or wanted == "ENKIDU", (
        "the challenge goes to the player of exactly this name"
    )


def test_similar_looking_name_finds_no_player(action: ActionContext) -> None:
    players.register(action, "ann@example.org", "Ann")
    assert players.by_name(action.session, "Аnn") is None
    with pytest.raises(BadRequest, match="There is no player called “Аnn”"):
        challenges.opponents(action, "Аnn", OWN)


@pytest.mark.parametrize("name", ["Пaul", "Ann Ли", "Ωmega", "Раulа", "\u3164", "A\uffa0"])
def test_name_must_be_in_one_script(action: ActionContext, name: str) -> None:
    with pytest.raises(BadRequest, match="its letters are from several scripts"):
        players.check_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Иван 2",
        "Ζωή",
        "佐藤 ケン",
        "Ken 佐藤",
        "김민수",
        "محمد",
        "Mª José",
        "Keʻalohi",
        "D'Arcy",
        "Łukasz",
        "李小龙 Lee",
    ],
)
def test_names_of_all_languages_are_valid(action: ActionContext, name: str) -> None:
    assert players.register(action, "somebody@example.org", name).name == name


def test_players_can_change_their_name_and_its_case(action: ActionContext) -> None:
    ann = players.register(action, "ann@example.org", "Ann")
    ben = players.register(action, "ben@example.org", "Ben")
    players.rename(action.session, ann, "ANN")
    assert players.by_name(action.session, "ann") is ann
    players.rename(action.session, ann, "Anna")
    assert players.by_name(action.session, "ann") is None
    players.rename(action.session, ben, "Ann")
    with pytest.raises(BadRequest, match="taken"):
        players.rename(action.session, ben, "anna")


def test_invited_player_can_choose_a_name(action: ActionContext) -> None:
    invited = players.invite(action, "Ann.Lee@Example.org", DOMAIN)
    assert invited.name == "Guest"
    assert players.invite(action, "ann.lee@example.org", OWN) is invited
    assert players.register(action, "ann.lee@example.org", "Ann") is invited
    with pytest.raises(BadRequest, match="already registered, as Ann"):
        players.register(action, "ann.lee@example.org", "Anna")


def test_computer_names_are_reserved(action: ActionContext) -> None:
    ann = players.register(action, "enkidu@world.test", "Ann")
    computer = computer_players.computer(action)
    assert (computer.name, computer.computer, computer.email) == ("Enkidu", True, "")
    assert computer_players.computer(action) is computer
    with pytest.raises(BadRequest, match=r"The name ENKIDU is taken.*for example Enkidu2"):
        players.rename(action.session, ann, "ENKIDU")


@pytest.mark.parametrize("name", ["Former player", "FORMER PLAYER 2", "Former Player2", "Former pIayer 7"])
def test_name_of_deleted_accounts_is_reserved(action: ActionContext, name: str) -> None:
    ann = players.register(action, "ann@world.test", "Ann")
    sentence = "Names that begin with “Former player” are for deleted accounts. Choose another name."
    with pytest.raises(BadRequest, match=sentence):
        players.rename(action.session, ann, name)
    with pytest.raises(BadRequest, match=sentence):
        players.register(action, "ben@world.test", name)


@pytest.mark.parametrize(
    ("local", "name"),
    [
        ("ann", "Ann"),
        ("abcdefghijklmnopqrstuvw_xyz", "Abcdefghijklmnopqrstuvw"),
        ("ann__lee", "Ann Lee"),
        ("'ann.lee-", "Ann.Lee"),
        ("4", "Player"),
        ("+", "Player"),
    ],
)
def test_generated_names_are_valid(action: ActionContext, local: str, name: str) -> None:
    """Some generated names ended in a blank or contained two in a row: such players could not be challenged."""
    assert players.free_name(action.session, local) == name
    assert players.check_name(name) == name
