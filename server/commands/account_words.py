"""The commands that are about no game in particular, in the order in which they are listed."""

from dataclasses import replace

from server.commands.arguments import (
    FREE,
    LINE,
    NAMED,
    NEW_NAME,
    NOTHING,
    NUMBER,
    OPTIONS,
    PLACE,
    REMINDERS,
    WORD,
)
from server.commands.game_words import ACCEPT, ANALYSE, COUNTER, DECLINE, LUCK, REPORT, RULES, SAY, STOP
from server.commands.word import Effect, Topic, Word
from server.game.preferences.preferences import PREFERENCES

_TAKES = {"reminders": REMINDERS}
WORD_OF = {
    each.name: Word(
        each.usage,
        each.help,
        _TAKES.get(each.name, FREE if each.is_free else LINE),
        Topic[each.topic.upper()],
        each.example,
        synonyms=each.synonyms,
        lines=each.lines,
    )
    for each in PREFERENCES
}
"""The commands that choose a preference, by its name."""
HELLO = Word("hello", "a short introduction to Nabu", NOTHING, Topic.EMAIL, "hello", effect=Effect.READS)
REGISTER = Word(
    "register NAME",
    "become a player",
    NAMED,
    Topic.ACCOUNT,
    "register Ann",
    synonyms=(
        "signup",
        "sign up",
    ),
)
NAME = Word("name NAME", "change your name", NEW_NAME, Topic.ACCOUNT, "name Anna")
CHALLENGE = Word(
    "challenge WHO GAME [option=value …]",
    "challenge a player, by name or email address, or a computer player (Belshazzar, the gentlest, Enkidu, "
    "Amytis, Hammurabi or Berossus, the strongest): challenge Enkidu nibble; several, with commas between "
    "them: challenge Ann, Ben nexus players=3",
    OPTIONS,
    Topic.GAMES,
    "challenge Enkidu nibble",
    most=5,
)
SEEK = Word(
    "seek GAME [option=value …]",
    "open a game that others can join: seek nibble time=1d; for some players: seek nibble rating=1400-1700 "
    "in-time=90; a recurring game: seek nibble always=2; for people only, as otherwise a computer player joins "
    "after an hour: seek nibble company=people",
    OPTIONS,
    Topic.GAMES,
    "seek nibble time=1d",
    most=5,
)
LOBBY = Word(
    "lobby GAME",
    "open games, games to watch and some just finished: of one game, or of all; lobby NUMBER: all about one "
    "that is open",
    WORD,
    Topic.GAMES,
    "lobby nibble",
    effect=Effect.READS,
    most=3,
    synonyms=("open",),
)
JOIN = Word(
    "join NUMBER",
    "join an open game",
    PLACE,
    Topic.GAMES,
    "join 12",
    most=5,
    also=(("join NAME", "take part in a tournament, or wait for a place; by its number: join tournament 3"),),
    brief_forms=(("enter", "tournament"),),
    topic_of_also=Topic.TOURNAMENTS,
)
LEAVE = Word(
    "leave NUMBER",
    "leave an open game, or close the one that you opened, so that it does not open again",
    PLACE,
    Topic.GAMES,
    "leave 12",
    most=5,
    also=(
        (
            "leave NAME",
            "leave a tournament, also by its number: leave tournament 3; once it has started, you lose your "
            "running games in it",
        ),
    ),
    brief_forms=(("quit", "tournament"),),
    topic_of_also=Topic.TOURNAMENTS,
)
START = Word(
    "start NUMBER",
    "start an open game with the players who have joined; all of them have to agree",
    PLACE,
    Topic.GAMES,
    "start 12",
    most=5,
    also=(("start NAME", "start your tournament before its sign-up ends; by its number: start tournament 3"),),
    topic_of_also=Topic.TOURNAMENTS,
)
LUCK_WITH_A_CHALLENGE = replace(
    LUCK,
    help="below “accept” or “join”: your own words, mixed into all random draws; “luck” below “challenge”: "
    "Nabu asks you for yours",
)
ACCEPT_A_GAME = replace(
    ACCEPT, usage="accept NUMBER", help="accept the invitation to a game", example="accept 12"
)
DECLINE_A_GAME = replace(
    DECLINE, usage="decline NUMBER", help="decline the invitation to a game", example="decline 12"
)
COUNTER_A_GAME = replace(
    COUNTER,
    usage="counter NUMBER [option=value …]",
    help="propose new terms for an invitation: counter 12 time=1d; terms that you do not name stay the same",
    takes=OPTIONS,
    example="counter 12 time=1d",
)
SETTINGS = Word(
    "settings",
    "your settings, each with a line that changes it",
    NOTHING,
    Topic.ACCOUNT,
    "settings",
    effect=Effect.READS,
    synonyms=("preferences", "my settings"),
)
SET = Word(
    "set NAME VALUE",
    "change a setting: set zone Europe/Berlin; “settings” lists them",
    LINE,
    Topic.ACCOUNT,
    "set zone Europe/Berlin",
)
GAMES = Word(
    "games",
    "your games, and which are waiting for you",
    NOTHING,
    Topic.GAMES,
    "games",
    effect=Effect.READS,
    synonyms=(
        "list",
        "status",
        "my games",
        "list games",
        "show games",
    ),
)
RULES_OF_A_GAME = replace(RULES, usage="rules GAME", help="the rules of a game", example="rules nibble")
WHO = Word(
    "who NAME",
    "a player's ratings, results and response times; who alone: yours",
    NAMED,
    Topic.WATCHING,
    "who Ben",
    effect=Effect.READS,
    synonyms=(
        "whois",
        "profile",
    ),
)
RANKING = Word(
    "ranking GAME",
    "the players with the highest ratings, in one game or in all",
    WORD,
    Topic.WATCHING,
    "ranking nibble",
    effect=Effect.READS,
    most=3,
    synonyms=("rankings", "ratings", "rating", "top", "leaderboard"),
)
LOGIN = Word("login", "a link to the web pages", NOTHING, Topic.ACCOUNT, "login", effect=Effect.READS)
BLOCK = Word(
    "block NAME",
    "block a player: neither of you can challenge the other or join their games, and you do not "
    "see their messages; only a tournament that you both enter, or an anonymous game, may pair you",
    NAMED,
    Topic.MESSAGES,
    "block Ben",
)
UNBLOCK = Word("unblock NAME", "unblock a player", NAMED, Topic.MESSAGES, "unblock Ben")
IGNORE = Word(
    "ignore NAME",
    "hide the messages of this player in games, in emails and on the web",
    NAMED,
    Topic.MESSAGES,
    "ignore Ben",
)
UNIGNORE = Word(
    "unignore NAME", "see the messages of an ignored player again", NAMED, Topic.MESSAGES, "unignore Ben"
)
ADDRESS = Word(
    "address",
    "your addresses, and where your email goes",
    LINE,
    Topic.ACCOUNT,
    "address add ann@example.com",
    also=(
        (
            "address add ADDRESS",
            "log in and send moves from another address; Nabu asks there whether it is yours",
        ),
        ("address main ADDRESS", "make it your main address; Nabu asks there and at the old one"),
        ("address remove ADDRESS", "remove an address from your account"),
    ),
    synonyms=("addresses",),
)
CONFIRM = Word(
    "confirm NUMBER",
    "confirm an account change, by the number in the email about it",
    NUMBER,
    Topic.ACCOUNT,
    "confirm 7",
)
CANCEL = Word(
    "cancel NUMBER",
    "cancel your challenge, your open game, or an account change that Nabu asked you to confirm; “cancel” "
    "alone, in a reply to a report of an account change: undo that change",
    PLACE,
    Topic.ACCOUNT,
    "cancel 7",
    most=3,
    also=(("cancel NAME", "cancel your tournament before it starts; by its number: cancel tournament 3"),),
    brief_forms=(("calloff", "tournament"), ("call off", "tournament")),
    topic_of_also=Topic.TOURNAMENTS,
)
DATA = Word("data", "everything that Nabu stores about you, as a file", NOTHING, Topic.ACCOUNT, "data")
DELETE = Word(
    "delete", "delete your account permanently; Nabu asks you to confirm", NOTHING, Topic.ACCOUNT, "delete"
)
WATCH = Word(
    "watch NUMBER|NAME",
    "get an email after each turn of a game of other players, or whenever a game of this player ends; "
    "“watch” alone lists the games and players that you watch",
    NAMED,
    Topic.WATCHING,
    "watch Ben",
    synonyms=(
        "observe",
        "spectate",
        "follow",
    ),
)
UNWATCH = Word(
    "unwatch NUMBER|NAME",
    "stop watching a game or a player; all of them: unwatch all",
    NAMED,
    Topic.WATCHING,
    "unwatch Ben",
)
SAY_TO_SPECTATORS = replace(
    SAY,
    usage="say NUMBER TEXT",
    synonyms=(),
    help="send a message to the other spectators of a game; in a reply to an email about it you can leave out "
    "the number; everything below is part of the message",
    effect=Effect.CHANGES,
    topic=Topic.WATCHING,
    example="say 12 What a move!",
)
REPORT_A_SPECTATOR = replace(
    REPORT,
    usage="report NUMBER TEXT",
    help="report the last message of another spectator of a game to the administrator, with your reason",
    most=0,
    topic=Topic.WATCHING,
    example="report 12 This is rude",
)
ANALYSE_A_GAME = replace(
    ANALYSE,
    usage="analyse NUMBER",
    help="the computer's analysis of a finished game, with the moves that cost each player most",
    takes=NUMBER,
    most=3,
    example="analyse 12",
)
LOGINS = Word(
    "logins",
    "where you are logged in on the web, and your passkeys",
    NOTHING,
    Topic.ACCOUNT,
    "logins",
    effect=Effect.READS,
    synonyms=("sessions",),
)
LOGOUT = Word(
    "logout NUMBER",
    "log out one of your browsers, by its number in the list of “logins”; all of them, and all programs: "
    "logout all",
    WORD,
    Topic.ACCOUNT,
    "logout 3",
    synonyms=("log out",),
)
PASSKEY = Word(
    "passkey remove NUMBER",
    "remove one of your passkeys, by its number in the list of “logins”",
    LINE,
    Topic.ACCOUNT,
    "passkey remove 2",
    synonyms=("passkeys",),
)
TOKEN = Word(
    "token",
    "your API tokens, with which programs can play for you",
    LINE,
    Topic.ACCOUNT,
    "token add Robot",
    also=(
        ("token add NAME", "create a token for a program that you call NAME; the answer contains it"),
        ("token remove NUMBER", "revoke a token, by its number in the list"),
    ),
    synonyms=("tokens",),
)
TOURNAMENTS = Word(
    "tournaments",
    "the tournaments that you can join, and others",
    NOTHING,
    Topic.TOURNAMENTS,
    "tournaments",
    effect=Effect.READS,
)
STANDINGS = Word(
    "standings NUMBER|NAME",
    "a tournament: its rules, players, standings, and the games of its last round, or of another one: "
    "standings 3 round=2",
    OPTIONS,
    Topic.TOURNAMENTS,
    "standings 3",
    effect=Effect.READS,
    most=5,
)
TOURNAMENT = Word(
    "tournament NAME GAME [option=value …]",
    "create a tournament: tournament Spring Cup nibble format=swiss places=4-16 time=1d",
    OPTIONS,
    Topic.TOURNAMENTS,
    "tournament Spring Cup nibble format=swiss",
    most=3,
)
STOP_ALL = replace(STOP, help="no more email from Nabu")
RESUME = Word("resume", "get email again after “stop”", NOTHING, Topic.EMAIL, "resume")

OF_ACCOUNTS = (
    *(REGISTER, NAME, CHALLENGE, LUCK_WITH_A_CHALLENGE, ACCEPT_A_GAME, DECLINE_A_GAME, COUNTER_A_GAME),
    *(SEEK, LOBBY, JOIN, START, LEAVE, GAMES),
    *(RULES_OF_A_GAME, SETTINGS, SET, *WORD_OF.values()),
    *(TOURNAMENTS, STANDINGS, TOURNAMENT),
    *(WHO, RANKING, BLOCK, UNBLOCK, IGNORE, UNIGNORE, ANALYSE_A_GAME),
    *(WATCH, UNWATCH, SAY_TO_SPECTATORS, REPORT_A_SPECTATOR),
    *(LOGIN, LOGINS, LOGOUT, PASSKEY, TOKEN, ADDRESS, CONFIRM, CANCEL, DATA, DELETE),
    *(STOP_ALL, RESUME, HELLO),
)
"""The commands for the plain address, in the order in which help lists them."""
