"""Forms for the actions outside games: blocking and ignoring players, watching games, deleting the account."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, request
from werkzeug.wrappers import Response

from server.actions.action import Action, Actor, Door
from server.actions.registry import ACCOUNT_ACTIONS
from server.actions.relations import WATCHING
from server.web.shared.visits import carried_out, done, require_login

pages = Blueprint("account_actions", __name__, url_prefix="/settings")


def _form_of(action: Action[Actor, Any]) -> Callable[[], Response]:
    """Return a view that carries an action out, then shows the result or the error on the action's page."""

    def act() -> Response:
        require_login()
        sentence = carried_out(
            action, {name: request.form.get(name, "") for name in action.arguments.model_fields}
        )
        if action in WATCHING:
            return done(sentence, "watching.show")
        page = request.form.get("page", type=int)
        return done(sentence, "account.settings", page=page, _anchor=action.anchor or None)

    return act


for each in ACCOUNT_ACTIONS:
    if Door.WEB not in each.not_offered:
        pages.add_url_rule(f"/{each.name}", each.name, _form_of(each), methods=["POST"])
