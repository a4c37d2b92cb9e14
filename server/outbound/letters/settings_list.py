"""The letter with the settings of a player."""

from server.game.preferences.preferences import PREFERENCES
from server.outbound.letters.context import Draft, Sources
from server.store.letters.letter import Letter
from server.store.models import Player
from server.store.outbox import ActionContext


class SettingsList(Letter):
    """A list of the player's settings: each with its value, and a command that changes it."""

    subject = "Your settings"
    is_answer = True

    player: int

    def draft(self, sources: Sources) -> Draft:
        """Return the letter with the settings, in the order of the settings page."""
        player = sources.session.get_one(Player, self.player)
        action = ActionContext(sources.session, sources.sealer, sources.now)
        ordered = sorted(PREFERENCES, key=lambda preference: preference.rank)
        rows = [(f"set {each.changing_line(player)}", each.in_words(action, player)) for each in ordered]
        return Draft(self.subject, {"rows": [(f"set name {player.name}", f"Name: {player.name}"), *rows]})
