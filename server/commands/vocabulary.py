"""All commands, in the order in which they are listed. What each does is in `server/inbound`."""

import re
from dataclasses import replace

from rules import registry
from server.commands.arguments import (
    ALWAYS,
    CONDITIONS,
    LINE,
    MOVE_TEXT,
    NOTHING,
    NUMBER,
    ONLY_OPTIONS,
    OPTIONS,
    PLACE,
    SPAN,
    TEXT,
    WORD,
    Argument,
    IsMove,
)
from server.commands.stop_phrases import stop_lines
from server.commands.word import Effect, Topic, Vocabulary, When, Word
from server.game.notifications.services.registry import service_names
from server.game.preferences.preferences import CHOSEN, PREFERENCES

WORD_OF = {
    each.name: Word(
        each.usage,
        each.help,
        LINE,
        synonyms=each.synonyms,
        lines=each.lines,
        topic=Topic[each.topic.upper()],
        example=each.example,
    )
    for each in PREFERENCES
}
"""The commands that choose a preference, by its name."""

_BEFORE = frozenset({When.BEFORE})
_BEGUN = frozenset({When.BEGUN})
_OVER = frozenset({When.OVER})
_SEALED = _BEGUN | {When.SEALED}
_IN_TURN = _BEGUN | {When.IN_TURN}

RESIGN = Word(
    "resign",
    "give up the game",
    NOTHING,
    when=_BEGUN,
    asked_by=("concede", "i concede", "surrender", "forfeit", "give up", "i give up", "i resign"),
    topic=Topic.PLAYING,
    example="resign",
)
DRAW = Word("draw", "offer a draw, or accept one", NOTHING, when=_BEGUN, topic=Topic.PLAYING, example="draw")
TAKEBACK = Word(
    "takeback",
    "ask to take back your last move, or agree when another player asks",
    NOTHING,
    when=_IN_TURN,
    synonyms=("undo", "take back"),
    topic=Topic.PLAYING,
    example="takeback",
)
WITHDRAW = Word(
    "withdraw", "take back your sealed orders", NOTHING, when=_SEALED, topic=Topic.PLAYING, example="withdraw"
)
ACCEPT = Word("accept", "accept the invitation", NUMBER, when=_BEFORE, topic=Topic.GAMES, example="accept")
DECLINE = Word("decline", "decline the invitation", NUMBER, when=_BEFORE, topic=Topic.GAMES, example="decline")
COUNTER = Word(
    "counter [option=value …]",
    "propose other terms than those of the invitation: counter time=1d; what you do not name stays",
    ONLY_OPTIONS,
    when=_BEFORE,
    most=5,
    topic=Topic.GAMES,
    example="counter time=1d",
)
LUCK = Word(
    "luck TEXT",
    "below “accept”, or for your challenge: your own words, mixed into everything drawn at random",
    LINE,
    when=_BEFORE,
    synonyms=("client seed",),
    topic=Topic.CHECKING,
    example="luck seven",
)
REMATCH = Word(
    "rematch",
    "another game with the same options, when this one is over; two players change seats",
    NOTHING,
    when=_OVER,
    synonyms=("again", "play again"),
    topic=Topic.GAMES,
    example="rematch",
)
SERIES = Word(
    "series off",
    "end the series after this game: no other follows it",
    WORD,
    when=_BEGUN | {When.SERIES},
    topic=Topic.GAMES,
    example="series off",
)
CLAIM = Word(
    "claim",
    "claim the game once we have told you that an opponent's time is up",
    NOTHING,
    when=_BEGUN,
    topic=Topic.TIME,
    example="claim",
)
GIVE = Word(
    "give TIME",
    "give the others more time for the move they owe: give 1d",
    SPAN,
    when=_BEGUN,
    synonyms=("more time", "moretime"),
    topic=Topic.TIME,
    example="give 1d",
)
ANALYSE = Word(
    "analyse",
    "how the game went, as the computer sees it, and where each player lost most, when it is over",
    NOTHING,
    Effect.READS,
    when=_OVER,
    synonyms=("analyze",),
    most=1,
    topic=Topic.PLAYING,
    example="analyse",
)
MUTE = Word(
    "mute TIME",
    "no email about this game for a while: mute 5d, or mute off",
    SPAN,
    topic=Topic.EMAIL,
    example="mute 5d",
)
NOTIFY = Word(
    "notify WHERE",
    f"be notified of your turns in this game in {service_names()} as well: the address there, or off",
    LINE,
    topic=Topic.EMAIL,
    example="notify ntfys://ntfy.example.org/room",
)
IF = Word(
    "if MOVE then MOVE",
    "conditional moves, for two players: if c4 then d5, if c5 then d6; one variation per line",
    CONDITIONS,
    Effect.PLAYS,
    when=_IN_TURN,
    also=(("if off", "drop your conditional moves"),),
    topic=Topic.PLAYING,
    example="if c4 then d5",
)
SAY = Word(
    "say TEXT",
    "say something to the other players; everything below is part of the text",
    TEXT,
    Effect.PLAYS,
    when=_BEGUN,
    topic=Topic.MESSAGES,
    example="say Good luck!",
    synonyms=(
        "message",
        "chat",
        "press",
    ),
)
TELL = Word(
    "tell NAME TEXT",
    "say something to one of several other players alone: tell Ben: shall we?",
    TEXT,
    Effect.PLAYS,
    when=_BEGUN | {When.SEVERAL},
    topic=Topic.MESSAGES,
    example="tell Ben: shall we?",
)
SEND = Word(
    "send",
    "pass on what you wrote beside a move and we have asked you about",
    NOTHING,
    Effect.PLAYS,
    when=_BEGUN,
    topic=Topic.MESSAGES,
    example="send",
)
DROP = Word(
    "drop",
    "drop what you wrote beside a move and we have asked you about",
    NOTHING,
    Effect.PLAYS,
    when=_BEGUN,
    topic=Topic.MESSAGES,
    example="drop",
)
NOTE = Word(
    "note TEXT",
    "write a note that only you can see; everything below is part of it",
    TEXT,
    Effect.PLAYS,
    when=_BEGUN,
    topic=Topic.MESSAGES,
    example="note Keep the corner",
)
TRY = Word(
    "? MOVE",
    "try a move: you see the board it would give, but nothing is played",
    MOVE_TEXT,
    Effect.READS,
    when=_BEGUN,
    most=10,
    name="try",
    topic=Topic.PLAYING,
    example="? c4",
)
SHOW = Word(
    "show", "the board as it is now", NOTHING, Effect.READS, when=_BEGUN, topic=Topic.PLAYING, example="show"
)
HISTORY = Word(
    "history",
    "all the turns so far",
    NOTHING,
    Effect.READS,
    when=_BEGUN,
    topic=Topic.PLAYING,
    example="history",
)
MOVES = Word(
    "moves", "what you can play", NOTHING, Effect.READS, when=_BEGUN, topic=Topic.PLAYING, example="moves"
)
HINT = Word(
    "hint",
    "get a good move from the computer, and why; only in games against it that are not rated",
    NOTHING,
    Effect.READS,
    when=_BEGUN | {When.COACHED},
    most=1,
    topic=Topic.PLAYING,
    example="hint",
)
RULES = Word(
    "rules", "the rules of this game", WORD, Effect.READS, most=3, topic=Topic.PLAYING, example="rules"
)
VERIFY = Word(
    "verify",
    "the game as a file with everything needed to check it, and how to do so",
    NOTHING,
    Effect.READS,
    when=_BEGUN,
    topic=Topic.CHECKING,
    example="verify",
)
# By itself it does not say what it says yes to: the address it is sent to does, or the mail it answers.
YES = Word(
    "yes",
    "when we ask whether you wrote or meant something: you did, and it should be carried out",
    ALWAYS,
    Effect.READS,
    topic=Topic.EMAIL,
    example="yes",
)
REPORT = Word(
    "report TEXT",
    "report the last thing that another player said to the administrator, with what you write here",
    TEXT,
    when=_BEGUN,
    most=1,
    topic=Topic.MESSAGES,
    example="report This is rude",
)
STOP = Word(
    "stop",
    "no more email from us, about any game",
    NOTHING,
    lines=dict.fromkeys(stop_lines(), ""),
    topic=Topic.EMAIL,
    example="stop",
)


def _help_subject(rest: str, is_move: IsMove) -> str | None:
    """A topic of the help, a game or a command, or nothing; other words are prose."""
    name = _ABOUT.sub("", " ".join(rest.lower().split())).strip('“”"<>.!: ')
    subjects = {"", *registry.RULES, "moving", *(topic.value for topic in Topic)}
    return name if name in subjects or name in REPLY or name in PLAIN else None


_ABOUT = re.compile("^(?:about|for|on|with) ")
HELP = Word(
    "help",
    "the commands that you need every day",
    Argument(_help_subject, is_closed=True),
    Effect.READS,
    also=(
        (
            "help TOPIC",
            "all commands of a topic: help time; a command: help challenge; how moves are written: help nibble",
        ),
    ),
    topic=Topic.EMAIL,
    example="help time",
    synonyms=(
        "commands",
        "info",
    ),
)

REPLY = Vocabulary(
    (
        *(
            RESIGN,
            DRAW,
            TAKEBACK,
            WITHDRAW,
            ACCEPT,
            DECLINE,
            COUNTER,
            LUCK,
            REMATCH,
            ANALYSE,
            SERIES,
            CLAIM,
            GIVE,
            MUTE,
            NOTIFY,
            IF,
            SAY,
            TELL,
            SEND,
            DROP,
            NOTE,
        ),
        *(TRY, SHOW, HISTORY, MOVES, HINT, RULES, VERIFY, *(WORD_OF[preference.name] for preference in CHOSEN)),
        *(YES, REPORT, STOP, HELP),
    )
)
"""What can be written in a reply to a game's mail, besides a move."""
ABOUT_A_GAME = Vocabulary(word for word in REPLY if word.when or word in (MUTE, NOTIFY))
"""The commands that need a game: elsewhere than in a reply they name it by its number, unless only one fits."""

HELLO = Word(
    "hello", "a short letter: what to write first", NOTHING, Effect.READS, topic=Topic.EMAIL, example="hello"
)
REGISTER = Word(
    "register NAME",
    "become a player",
    LINE,
    topic=Topic.ACCOUNT,
    example="register Ann",
    synonyms=(
        "signup",
        "sign up",
    ),
)
NAME = Word("name NAME", "change your name", LINE, topic=Topic.ACCOUNT, example="name Anna")
CHALLENGE = Word(
    "challenge WHO GAME [option=value …]",
    "challenge a player, by name or email address, or a computer player (Belshazzar, the gentlest, Enkidu, "
    "Amytis, Hammurabi or Berossus, the strongest): challenge Enkidu nibble; several, with commas between "
    "them: challenge Ann, Ben nexus players=3",
    OPTIONS,
    most=5,
    topic=Topic.GAMES,
    example="challenge Enkidu nibble",
)
SEEK = Word(
    "seek GAME [option=value …]",
    "open a game to anybody, or to some: seek nibble time=1d, seek nibble rating=1400-1700 in-time=90; "
    "again and again: seek nibble always=2; for people alone, as otherwise a computer player joins after an "
    "hour: seek nibble company=people",
    OPTIONS,
    most=5,
    topic=Topic.GAMES,
    example="seek nibble time=1d",
)
LOBBY = Word(
    "lobby GAME",
    "open games, games to watch and some just finished: of one game, or of all; lobby NUMBER: all about one "
    "that is open",
    WORD,
    Effect.READS,
    most=3,
    synonyms=("open",),
    topic=Topic.GAMES,
    example="lobby nibble",
)
JOIN = Word(
    "join NUMBER",
    "join an open game",
    PLACE,
    most=5,
    also=(("join NAME", "take part in a tournament, or wait for a place; by its number: join tournament 3"),),
    brief_forms=(("enter", "tournament"),),
    topic=Topic.GAMES,
    example="join 12",
)
LEAVE = Word(
    "leave NUMBER",
    "leave an open game, or close the one that you opened, so that it does not open again",
    PLACE,
    most=5,
    also=(
        (
            "leave NAME",
            "leave a tournament, also by its number: leave tournament 3; once it has begun, you lose the games "
            "that go on in it",
        ),
    ),
    brief_forms=(("quit", "tournament"),),
    topic=Topic.GAMES,
    example="leave 12",
)
START = Word(
    "start NUMBER",
    "begin an open game with those who have joined; all of them have to agree",
    PLACE,
    most=5,
    topic=Topic.GAMES,
    example="start 12",
)
LUCK_WITH_A_CHALLENGE = replace(
    LUCK,
    help="below “accept” or “join”: your own words, mixed into everything drawn at random; "
    "“luck” below “challenge”: we ask you for yours",
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
    help="propose other terms than those of an invitation: counter 12 time=1d; what you do not name stays",
    takes=OPTIONS,
    example="counter 12 time=1d",
)
SETTINGS = Word(
    "settings",
    "your settings, each with a line that changes it",
    NOTHING,
    Effect.READS,
    synonyms=("preferences", "my settings"),
    topic=Topic.ACCOUNT,
    example="settings",
)
SET = Word(
    "set NAME VALUE",
    "change a setting: set zone Europe/Berlin; “settings” lists them",
    LINE,
    topic=Topic.ACCOUNT,
    example="set zone Europe/Berlin",
)
GAMES = Word(
    "games",
    "your games, and which are waiting for you",
    NOTHING,
    Effect.READS,
    topic=Topic.GAMES,
    example="games",
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
    "what we can tell of a player: ratings, results, how they answer; who alone: of you",
    LINE,
    Effect.READS,
    topic=Topic.WATCHING,
    example="who Ben",
    synonyms=(
        "whois",
        "profile",
    ),
)
RANKING = Word(
    "ranking GAME",
    "the players with the highest ratings, in one game or in all",
    WORD,
    Effect.READS,
    most=3,
    synonyms=("ranking of", "rankings", "ratings", "ratings of", "rating", "top", "top players", "leaderboard"),
    topic=Topic.WATCHING,
    example="ranking nibble",
)
LOGIN = Word("login", "a link to the web pages", NOTHING, Effect.READS, topic=Topic.ACCOUNT, example="login")
BLOCK = Word(
    "block NAME",
    "keep away from this player: neither of you can challenge the other or join their games, and you do not "
    "see what they say; only a tournament that you both enter, or an anonymous game, may pair you",
    LINE,
    topic=Topic.MESSAGES,
    example="block Ben",
)
UNBLOCK = Word("unblock NAME", "undo it", LINE, topic=Topic.MESSAGES, example="unblock Ben")
IGNORE = Word(
    "ignore NAME",
    "do not see what this player says in games, by email or on the web",
    LINE,
    topic=Topic.MESSAGES,
    example="ignore Ben",
)
UNIGNORE = Word("unignore NAME", "undo it", LINE, topic=Topic.MESSAGES, example="unignore Ben")
ADDRESS = Word(
    "address",
    "your addresses, and where your email goes",
    LINE,
    also=(
        ("address add ADDRESS", "log in and send moves from another address; we ask there whether it is yours"),
        ("address main ADDRESS", "make it your main address; we ask there and at the old one"),
        ("address remove ADDRESS", "remove an address from your account"),
    ),
    synonyms=("addresses",),
    topic=Topic.ACCOUNT,
    example="address add ann@example.org",
)
CONFIRM = Word(
    "confirm NUMBER",
    "confirm what we asked you about in an email, by its number",
    NUMBER,
    topic=Topic.ACCOUNT,
    example="confirm 7",
)
CANCEL = Word(
    "cancel NUMBER",
    "cancel your challenge, your open game, or an account change that we asked you to confirm; “cancel” alone, "
    "in a reply to a report of an account change: undo that change",
    PLACE,
    most=3,
    also=(("cancel NAME", "cancel your tournament before it begins; by its number: cancel tournament 3"),),
    brief_forms=(("calloff", "tournament"), ("call off", "tournament")),
    topic=Topic.ACCOUNT,
    example="cancel 7",
)
DATA = Word("data", "all that we have of you, as a file", NOTHING, topic=Topic.ACCOUNT, example="data")
DELETE = Word(
    "delete", "delete your account for good; we ask before that", NOTHING, topic=Topic.ACCOUNT, example="delete"
)
WATCH = Word(
    "watch NUMBER|NAME",
    "get an email after each turn of a game that others play, or whenever a game of this player ends; "
    "“watch” alone lists what you watch",
    LINE,
    topic=Topic.WATCHING,
    example="watch Ben",
    synonyms=(
        "observe",
        "spectate",
        "follow",
    ),
)
UNWATCH = Word(
    "unwatch NUMBER|NAME",
    "watch it no longer; nothing at all: unwatch all",
    LINE,
    topic=Topic.WATCHING,
    example="unwatch Ben",
)
SAY_TO_SPECTATORS = replace(
    SAY,
    usage="say NUMBER TEXT",
    synonyms=(),
    help="say something to the others who watch a game; in a reply to an email about it you can leave out the "
    "number; everything below is part of the text",
    effect=Effect.CHANGES,
    topic=Topic.WATCHING,
    example="say 12 What a move!",
)
REPORT_A_SPECTATOR = replace(
    REPORT,
    usage="report NUMBER TEXT",
    help="report the last message of another spectator of a game to the administrator, with what you write",
    most=0,
    topic=Topic.WATCHING,
    example="report 12 This is rude",
)
ANALYSE_A_GAME = replace(
    ANALYSE,
    usage="analyse NUMBER",
    help="how a game that is over went, as the computer sees it, and where each player lost most",
    takes=NUMBER,
    most=3,
    example="analyse 12",
)
LOGINS = Word(
    "logins",
    "where you are logged in on the web, and your passkeys",
    NOTHING,
    Effect.READS,
    synonyms=("sessions",),
    topic=Topic.ACCOUNT,
    example="logins",
)
LOGOUT = Word(
    "logout NUMBER",
    "log out one of your browsers, by its number in the list of “logins”; all of them, and all programs: "
    "logout all",
    WORD,
    synonyms=("log out",),
    topic=Topic.ACCOUNT,
    example="logout 3",
)
PASSKEY = Word(
    "passkey remove NUMBER",
    "let nobody log in with one of your passkeys any more, by its number in the list of “logins”",
    LINE,
    synonyms=("passkeys",),
    topic=Topic.ACCOUNT,
    example="passkey remove 2",
)
TOKEN = Word(
    "token",
    "the tokens with which programs of yours play for you over the API",
    LINE,
    also=(
        ("token add NAME", "make one, for a program that you call so; the answer holds it"),
        ("token remove NUMBER", "withdraw one, by its number in the list"),
    ),
    synonyms=("tokens",),
    topic=Topic.ACCOUNT,
    example="token add Robot",
)
TOURNAMENTS = Word(
    "tournaments",
    "the tournaments that you can join, and others",
    NOTHING,
    Effect.READS,
    topic=Topic.TOURNAMENTS,
    example="tournaments",
)
STANDINGS = Word(
    "standings NUMBER|NAME",
    "a tournament: how it is played, who takes part, how everybody stands, and the games of its last round, or "
    "of another one: standings 3 round=2",
    OPTIONS,
    Effect.READS,
    most=5,
    topic=Topic.TOURNAMENTS,
    example="standings 3",
)
TOURNAMENT = Word(
    "tournament NAME GAME [option=value …]",
    "make a tournament: tournament Spring Cup nibble form=swiss places=4-16 time=1d",
    OPTIONS,
    most=3,
    topic=Topic.TOURNAMENTS,
    example="tournament Spring Cup nibble form=swiss",
)
STOP_ALL = replace(STOP, help="no more email from us")
RESUME = Word("resume", "get email again after “stop”", NOTHING, topic=Topic.EMAIL, example="resume")

PLAIN = Vocabulary(
    (
        *(REGISTER, NAME, CHALLENGE, LUCK_WITH_A_CHALLENGE, ACCEPT_A_GAME, DECLINE_A_GAME, COUNTER_A_GAME),
        *(SEEK, LOBBY, JOIN, START, LEAVE, GAMES),
        *(RULES_OF_A_GAME, SETTINGS, SET, *WORD_OF.values()),
        *(TOURNAMENTS, STANDINGS, TOURNAMENT),
        *(WHO, RANKING, BLOCK, UNBLOCK, IGNORE, UNIGNORE, ANALYSE_A_GAME),
        *(WATCH, UNWATCH, SAY_TO_SPECTATORS, REPORT_A_SPECTATOR),
        *(LOGIN, LOGINS, LOGOUT, PASSKEY, TOKEN, ADDRESS, CONFIRM, CANCEL, DATA, DELETE),
        *(YES, STOP_ALL, RESUME, HELLO, HELP),
    )
)
"""What can be written to the plain address."""

SETTABLE = Vocabulary((NAME, *WORD_OF.values()))
"""What `set` can change, by the commands that do so by themselves, and by the names of the settings."""
SETTABLE.spelled = WORD_OF | SETTABLE.spelled
ANYWHERE = REPLY | Vocabulary(word for word in PLAIN if word is not HELLO)
"""What can be written in a reply: as to the plain address, but what can be about the game is about it."""
BESIDE_A_MOVE = REPLY.strict | Vocabulary(word for word in PLAIN if word.takes is NOTHING and word is not HELLO)
"""What of it can stand next to a move: what begins like a sentence is one there."""
