"""Choices about the boards on web pages: their colours, and the letters and coordinates on them."""

from server.accounts.choices import Choice, Way

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
