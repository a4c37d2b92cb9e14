"""Choices about boards on web pages (colours, letters, sounds, keys), and about emails."""

from server.accounts.choices import Choice, Way
from server.store.deferral import AT_ONCE, EVERY_TURN, MAIL, MESSAGES, MY_TURN, NEVER, NEXT_TURN

THEME = Choice(
    name="theme",
    topic="playing",
    label="Boards on pages",
    help="the colours of boards on web pages",
    ways=(
        Way("clay", "clay and wood", "Boards on web pages will look like clay and wood."),
        Way("felt", "green felt", "Boards on web pages will look like green felt.", also=("green",)),
        Way("slate", "slate and steel", "Boards on web pages will look like slate and steel."),
        Way(
            "contrast",
            "high contrast",
            "Boards on web pages will be black and white, apart from the colours that the rules need.",
            also=("high contrast",),
        ),
    ),
)
LETTERS = Choice(
    name="letters",
    topic="playing",
    label="Letters on boards",
    help="letters of pieces and coordinates on boards on web pages",
    ways=(
        Way("off", "coordinates only", "Boards on web pages will show coordinates, but no letters on pieces."),
        Way(
            "on", "letters and coordinates", "Boards on web pages will show coordinates and letters on pieces."
        ),
        Way(
            "none",
            "neither",
            "Boards on web pages will show neither coordinates nor letters; printed pages will show both.",
        ),
    ),
)
SOUND = Choice(
    name="sound",
    topic="playing",
    label="Sounds of pages",
    help="sounds of open pages for your move and for messages",
    ways=(
        Way(
            "auto",
            "on computers, but not on phones",
            "Open pages will play a sound for your move and for messages on computers, but not on phones.",
        ),
        Way("on", "on all devices", "Open pages will play a sound for your move and for messages."),
        Way("off", "never", "Pages will play no sounds."),
    ),
)
TYPING = Choice(
    name="typing",
    topic="playing",
    label="Typing moves on pages",
    help="whether letters and digits typed anywhere on the page of a game begin a move",
    ways=(
        Way("on", "anywhere on the page", "You can type a move anywhere on the page of a game."),
        Way("off", "only in the text field", "You can type a move only in the text field of a game's page."),
    ),
)
PAGE_CHOICES = (THEME, LETTERS, SOUND, TYPING)
"""The choices that style sheet and scripts follow: each page contains their values."""


MAIL_CHOICE = Choice(
    name=MAIL,
    label="Email about games",
    help="which turns you get email about; with “never”, you get only invitations, reminders and answers to "
    "your emails, and no news from the administrator",
    ways=(
        Way(
            MY_TURN,
            "when it is my turn",
            "You will get email about a game when it is your turn, when it starts or ends, and when others "
            "send a message.",
            also=("on", "my turns", "my move", "my moves", "mine"),
        ),
        Way(
            EVERY_TURN,
            "after every turn",
            "You will get email after every turn, your own turns included.",
            also=("all", "all turns", "every move", "each turn", "always"),
        ),
        Way(
            NEVER,
            "never",
            "You will get no email about games that have started, except the reminders that you choose with "
            "“remind” and answers to your own emails. Invitations still come.",
            also=("off",),
        ),
    ),
)

MESSAGES_CHOICE = Choice(
    name=MESSAGES,
    topic="messages",
    label="Email about messages",
    help="when you get email about messages from other players",
    ways=(
        Way(
            AT_ONCE,
            "immediately",
            "You will get messages from other players by email immediately.",
            also=("on", "immediately", "now"),
        ),
        Way(
            NEXT_TURN,
            "with the next turn",
            "You will get messages with the next email about the game; once it is over, immediately.",
            also=("with the next turn", "later"),
        ),
    ),
)
