"""Which turns and messages players get email about, and when."""

from server.accounts.choices import Choice, Way
from server.store.deferral import AT_ONCE, EVERY_TURN, MAIL, MESSAGES, MY_TURN, NEVER, NEXT_TURN

MAIL_CHOICE = Choice(
    name=MAIL,
    label="Email about games",
    help="which turns you get email about",
    ways=(
        Way(
            MY_TURN,
            "when it is my turn",
            "You will get email about a game when it is your turn, when it begins or ends, and when others "
            "say something.",
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
            "You will get no email about games that have begun, except the reminders that you choose with "
            "“remind” and answers to your own emails. Invitations still come.",
            also=("off",),
        ),
    ),
)

MESSAGES_CHOICE = Choice(
    name=MESSAGES,
    topic="messages",
    label="What others say",
    help="when you are emailed what others say in a game",
    ways=(
        Way(
            AT_ONCE,
            "emailed at once",
            "You will be emailed what others say in a game at once.",
            also=("on", "immediately", "now"),
        ),
        Way(
            NEXT_TURN,
            "with the next turn",
            "What others say in a game will come with the next email about it; once the game is over, at once.",
            also=("with the next turn", "later"),
        ),
    ),
)
