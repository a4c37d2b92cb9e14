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
from server.game.notifications.services.registry import service_names

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
    "propose new terms for the invitation: counter time=1d; terms that you do not name stay the same",
    ONLY_OPTIONS,
    when=_BEFORE,
    most=5,
    topic=Topic.GAMES,
    example="counter time=1d",
)
LUCK = Word(
    "luck TEXT",
    "below “accept”, or for your challenge: your own words, mixed into all random draws",
    LINE,
    when=_BEFORE,
    synonyms=("client seed",),
    topic=Topic.CHECKING,
    example="luck seven",
)
REMATCH = Word(
    "rematch",
    "challenge the same players to another game, when this one is over; two players change seats",
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
    "claim the game after you were notified that an opponent's time is up",
    NOTHING,
    when=_BEGUN,
    topic=Topic.TIME,
    example="claim",
)
GIVE = Word(
    "give TIME",
    "give the others more time for their move: give 1d",
    SPAN,
    when=_BEGUN,
    synonyms=("more time", "moretime"),
    topic=Topic.TIME,
    example="give 1d",
)
ANALYSE = Word(
    "analyse",
    "the computer's analysis of the game when it is over, with the moves that cost each player most",
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
    example="notify ntfys://ntfy.example.com/room",
)
IF = Word(
    "if MOVE then MOVE",
    "conditional moves, for two players: if c4 then d5, if c5 then d6; one variation per line",
    CONDITIONS,
    Effect.PLAYS,
    when=_IN_TURN,
    also=(("if off", "remove your conditional moves"),),
    topic=Topic.PLAYING,
    example="if c4 then d5",
)
SAY = Word(
    "say TEXT",
    "send a message to the other players; everything below is part of the message",
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
    "send a message to only one of several other players: tell Ben: shall we?",
    TEXT,
    Effect.PLAYS,
    when=_BEGUN | {When.SEVERAL},
    topic=Topic.MESSAGES,
    example="tell Ben: shall we?",
)
SEND = Word(
    "send",
    "send the text beside your move that Nabu asked you about",
    NOTHING,
    Effect.PLAYS,
    when=_BEGUN,
    topic=Topic.MESSAGES,
    example="send",
)
DROP = Word(
    "drop",
    "discard the text beside your move that Nabu asked you about",
    NOTHING,
    Effect.PLAYS,
    when=_BEGUN,
    topic=Topic.MESSAGES,
    example="drop",
)
NOTE = Word(
    "note TEXT",
    "write a note that only you can see; everything below is part of the note",
    TEXT,
    Effect.PLAYS,
    when=_BEGUN,
    topic=Topic.MESSAGES,
    example="note Keep the corner",
)
TRY = Word(
    "? MOVE",
    "see the board after a move, without playing it",
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
    "moves", "your legal moves", NOTHING, Effect.READS, when=_BEGUN, topic=Topic.PLAYING, example="moves"
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
    "the game as a file that you can check, with instructions",
    NOTHING,
    Effect.READS,
    when=_BEGUN,
    topic=Topic.CHECKING,
    example="verify",
)
# The address to which it is sent, or the email that it answers, decides which question it answers.
YES = Word(
    "yes",
    "answer a question from Nabu: carry it out",
    ALWAYS,
    Effect.READS,
    topic=Topic.EMAIL,
    example="yes",
)
AGREEMENTS = frozenset(["ja", "oui", "sí", "si", "sì", "sim", "да", "evet"])
"""Words of other languages for “yes”."""
REPORT = Word(
    "report TEXT",
    "report the last message of another player to the administrator, with your reason",
    TEXT,
    when=_BEGUN,
    most=1,
    topic=Topic.MESSAGES,
    example="report This is rude",
)
STOP = Word(
    "stop",
    "get no more emails from Nabu, about any game",
    NOTHING,
    lines=dict.fromkeys(stop_lines(), ""),
    topic=Topic.EMAIL,
    example="stop",
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
