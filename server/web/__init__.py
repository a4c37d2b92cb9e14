"""The web pages: everything that a player can do by email, in a browser and without scripts."""

from flask import Flask
from werkzeug.routing import IntegerConverter

from mail.incoming.webhooks.certificates import Fetch
from server.processes.services import Services
from server.web import (
    admin,
    api,
    compressing,
    connections,
    errors,
    forms,
    help_pages,
    home_page,
    mail_webhooks,
    metrics,
    rules_pages,
    security,
    site_pages,
    verify,
)
from server.web.account import actions as account_actions
from server.web.account import (
    addresses,
    api_tokens,
    feeds,
    login,
    passkeys,
    push,
    sessions,
    undo_account_change,
    unsubscribe,
)
from server.web.game import (
    abuse_reports,
    actions,
    analysis_board,
    export,
    page_streams,
    page_updates,
    variations,
)
from server.web.game import routes as game_routes
from server.web.lobby import (
    archive,
    challenges,
    counter_offers,
    games,
    lobby_page,
    players,
    tournaments,
    tryout,
    watching,
)
from server.web.shared import colour_scheme, sender_confirmation, templating

_BLUEPRINTS = (
    home_page.pages,
    metrics.pages,
    help_pages.pages,
    site_pages.pages,
    rules_pages.pages,
    tryout.pages,
    login.pages,
    players.pages,
    watching.pages,
    watching.leaving,
    account_actions.pages,
    sessions.pages,
    passkeys.pages,
    api_tokens.pages,
    addresses.pages,
    undo_account_change.pages,
    games.pages,
    archive.pages,
    challenges.pages,
    counter_offers.pages,
    lobby_page.pages,
    tournaments.pages,
    game_routes.pages,
    actions.pages,
    abuse_reports.pages,
    variations.pages,
    analysis_board.pages,
    page_updates.pages,
    feeds.pages,
    push.pages,
    export.pages,
    unsubscribe.pages,
    sender_confirmation.pages,
    verify.pages,
    colour_scheme.pages,
    mail_webhooks.pages,
    admin.pages,
)


class _Number(IntegerConverter):
    """A number in a URL, with at most 15 digits: longer ones belong to nothing and overflow the database."""

    regex = "[0-9]{1,15}"


def create_app(services: Services, fetch: Fetch = mail_webhooks.fetched) -> Flask:
    """Return the web pages as a WSGI application; `fetch` downloads from Amazon's URLs."""
    app = api.make_app(
        __name__,
        template_folder=str(templating.PAGES),
        static_folder=str(templating.PAGES / "static"),
        static_url_path=f"/static/{templating.static_version()}",
    )
    templating.prepare(app)  # first, as others use the environment of the templates
    app.extensions["services"] = services
    app.extensions[page_streams.EXTENSION] = page_streams.PageStreams(services.engine)
    app.url_map.converters["int"] = _Number
    connections.look_behind(app, services.settings.proxies)
    metrics.measure(app)
    compressing.prepare(app)  # response hooks run in reverse order: this one is the last
    security.protect(app, services.settings)
    forms.prepare(app)
    mail_webhooks.prepare(app, fetch)
    errors.answer_errors(app)
    for pages in _BLUEPRINTS:
        app.register_blueprint(pages)
    api.prepare(app, services.settings)
    return app
