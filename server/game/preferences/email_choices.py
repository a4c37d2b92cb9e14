"""Preferences with a fixed list of values about email: which turns and messages players get, and when."""

from server.accounts.choices import Choice, Way
from server.store.deferral import AT_ONCE, EVERY_TURN, MAIL, MESSAGES, MY_TURN, NEVER, NEXT_TURN

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
