"""The commands about one game, in the order in which they are listed."""

from server.commands.arguments import (
    ALWAYS,
    CONDITIONS,
    LINE,
    MOVE_TEXT,
    NOTHING,
    NUMBER,
    ONLY_OPTIONS,
    SPAN,
    TEXT,
    WORD,
)
from server.commands.stop_phrases import stop_lines
from server.commands.word import Effect, Topic, When, Word
from server.game.notifications.services import service_names

_BEFORE = frozenset({When.BEFORE})
_BEGUN = frozenset({When.BEGUN})
_OVER = frozenset({When.OVER})
_SEALED = _BEGUN | {When.SEALED}
_IN_TURN = _BEGUN | {When.IN_TURN}
RESIGN = Word("resign", "give up the game", NOTHING, Topic.PLAYING, "resign", when=_BEGUN)
DRAW = Word("draw", "offer a draw, or accept one", NOTHING, Topic.PLAYING, "draw", when=_BEGUN)
TAKEBACK = Word(
    "takeback",
    "ask to take back your last move, or agree when another player asks",
    NOTHING,
    Topic.PLAYING,
    "takeback",
    when=_IN_TURN,
    synonyms=("undo", "take back"),
)
WITHDRAW = Word("withdraw", "take back your sealed orders", NOTHING, Topic.PLAYING, "withdraw", when=_SEALED)
ACCEPT = Word("accept", "accept the invitation", NUMBER, Topic.GAMES, "accept", when=_BEFORE)
DECLINE = Word("decline", "decline the invitation", NUMBER, Topic.GAMES, "decline", when=_BEFORE)
COUNTER = Word(
    "counter [option=value …]",
    "propose new terms for the invitation: counter time=1d; terms that you do not name stay the same",
    ONLY_OPTIONS,
    Topic.GAMES,
    "counter time=1d",
    when=_BEFORE,
    most=5,
)
LUCK = Word(
    "luck TEXT",
    "below “accept”, or for your challenge: your own words, mixed into all random draws",
    LINE,
    Topic.CHECKING,
    "luck seven",
    when=_BEFORE,
    synonyms=("client seed",),
)
REMATCH = Word(
    "rematch",
    "challenge the same players to another game, when this one is over; two players change seats",
    NOTHING,
    Topic.GAMES,
    "rematch",
    when=_OVER,
    synonyms=("again", "play again"),
)
SERIES = Word(
    "series off",
    "end the series after this game: no other follows it",
    WORD,
    Topic.GAMES,
    "series off",
    when=_BEGUN | {When.SERIES},
)
CLAIM = Word(
    "claim",
    "claim the game after you were notified that an opponent's time is up",
    NOTHING,
    Topic.TIME,
    "claim",
    when=_BEGUN,
)
GIVE = Word(
    "give TIME",
    "give the others more time for their move: give 1d",
    SPAN,
    Topic.TIME,
    "give 1d",
    when=_BEGUN,
    synonyms=("more time", "moretime"),
)
ANALYSE = Word(
    "analyse",
    "the computer's analysis of the game when it is over, with the moves that cost each player most",
    NOTHING,
    Topic.PLAYING,
    "analyse",
    effect=Effect.READS,
    when=_OVER,
    synonyms=("analyze",),
    most=1,
)
MUTE = Word(
    "mute TIME", "no email about this game for a while: mute 5d, or mute off", SPAN, Topic.EMAIL, "mute 5d"
)
NOTIFY = Word(
    "notify WHERE",
    f"be notified of your turns in this game in {service_names()} as well: the address there, or off",
    LINE,
    Topic.EMAIL,
    "notify ntfys://ntfy.example.com/room",
)
IF = Word(
    "if MOVE then MOVE",
    "conditional moves, for two players: if c4 then d5, if c5 then d6; one variation per line",
    CONDITIONS,
    Topic.PLAYING,
    "if c4 then d5",
    effect=Effect.PLAYS,
    when=_IN_TURN,
    also=(("if off", "remove your conditional moves"),),
)
SAY = Word(
    "say TEXT",
    "send a message to the other players; everything below is part of the message",
    TEXT,
    Topic.MESSAGES,
    "say Good luck!",
    effect=Effect.PLAYS,
    when=_BEGUN,
    synonyms=(
        "message",
        "chat",
        "press",
    ),
)
TELL = Word(
    "tell NAME TEXT",
    "send a message to only one of several other players; an unambiguous first name is enough",
    TEXT,
    Topic.MESSAGES,
    "tell Ben: shall we?",
    effect=Effect.PLAYS,
    when=_BEGUN | {When.SEVERAL},
)
SEND = Word(
    "send",
    "send the text beside your move that Nabu asked you about",
    NOTHING,
    Topic.MESSAGES,
    "send",
    effect=Effect.PLAYS,
    when=_BEGUN,
)
DROP = Word(
    "drop",
    "discard the text beside your move that Nabu asked you about",
    NOTHING,
    Topic.MESSAGES,
    "drop",
    effect=Effect.PLAYS,
    when=_BEGUN,
)
NOTE = Word(
    "note TEXT",
    "write a note that only you can see; everything below is part of the note",
    TEXT,
    Topic.MESSAGES,
    "note Keep the corner",
    effect=Effect.PLAYS,
    when=_BEGUN,
)
TRY = Word(
    "? MOVE",
    "see the board after a move, without playing it",
    MOVE_TEXT,
    Topic.PLAYING,
    "? c4",
    effect=Effect.READS,
    when=_BEGUN,
    most=10,
    name="try",
)
SHOW = Word("show", "the board as it is now", NOTHING, Topic.PLAYING, "show", effect=Effect.READS, when=_BEGUN)
HISTORY = Word(
    "history", "all the turns so far", NOTHING, Topic.PLAYING, "history", effect=Effect.READS, when=_BEGUN
)
MOVES = Word("moves", "your legal moves", NOTHING, Topic.PLAYING, "moves", effect=Effect.READS, when=_BEGUN)
HINT = Word(
    "hint",
    "get a good move from the computer, and why; only in games against it that are not rated",
    NOTHING,
    Topic.PLAYING,
    "hint",
    effect=Effect.READS,
    when=_BEGUN | {When.COACHED},
    most=1,
)
RULES = Word("rules", "the rules of this game", WORD, Topic.PLAYING, "rules", effect=Effect.READS, most=3)
VERIFY = Word(
    "verify",
    "the game as a file that you can check, with instructions",
    NOTHING,
    Topic.CHECKING,
    "verify",
    effect=Effect.READS,
    when=_BEGUN,
)
# The address to which it is sent, or the email that it answers, decides which question it answers.
YES = Word("yes", "answer a question from Nabu: carry it out", ALWAYS, Topic.EMAIL, "yes", effect=Effect.READS)
AGREEMENTS = frozenset(["ja", "oui", "sí", "si", "sì", "sim", "да", "evet"])
"""Words of other languages for “yes”."""
REPORT = Word(
    "report TEXT",
    "report the last message of another player to the administrator, with your reason",
    TEXT,
    Topic.MESSAGES,
    "report This is rude",
    when=_BEGUN,
    most=1,
)
STOP = Word(
    "stop",
    "get no more emails from Nabu, about any game",
    NOTHING,
    Topic.EMAIL,
    "stop",
    lines=dict.fromkeys(stop_lines(), ""),
)

IN_GAMES = (
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
    *(TRY, SHOW, HISTORY, MOVES, HINT, RULES, VERIFY),
)
"""The commands about a game, in the order in which help lists them."""
