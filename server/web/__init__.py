"""The web pages: everything that a player can do by mail, in a browser, without any script."""

from flask import Flask
from werkzeug.routing import IntegerConverter

from mail.incoming.webhooks.certificates import Fetch
from server.processes.services import Services
from server.web import (
    account,
    admin,
    analysis,
    api,
    archive,
    challenges,
    coaching,
    colours,
    compressing,
    countering,
    errors,
    exports,
    feeds,
    forms,
    game,
    games,
    live,
    lobby,
    logins,
    mailboxes,
    metrics,
    notified,
    passkeys,
    players,
    proxies,
    public,
    questions,
    relations,
    remarks,
    reporting,
    rulebook,
    security,
    sizes,
    templating,
    tokens,
    tournaments,
    tryout,
    undoing,
    unsubscribe,
    variations,
    verify,
    watching,
    webhooks,
)

_BLUEPRINTS = (
    public.pages,
    metrics.pages,
    rulebook.pages,
    tryout.pages,
    account.pages,
    players.pages,
    relations.pages,
    watching.pages,
    watching.leaving,
    logins.pages,
    passkeys.pages,
    tokens.pages,
    mailboxes.pages,
    undoing.pages,
    games.pages,
    archive.pages,
    challenges.pages,
    countering.pages,
    lobby.pages,
    tournaments.pages,
    game.pages,
    coaching.pages,
    remarks.pages,
    reporting.pages,
    variations.pages,
    analysis.pages,
    live.pages,
    feeds.pages,
    notified.pages,
    exports.pages,
    unsubscribe.pages,
    questions.pages,
    verify.pages,
    colours.pages,
    webhooks.pages,
    admin.pages,
)


class _Number(IntegerConverter):
    """A number in an address; nothing has one with more digits, nor can a database look for it."""

    regex = "[0-9]{1,15}"


def create_app(services: Services, fetch: Fetch = webhooks.fetched) -> Flask:
    """The web pages, as a WSGI application; `fetch` gets what is at one of Amazon's addresses."""
    app = api.make_app(
        __name__,
        template_folder=str(templating.PAGES),
        static_folder=str(templating.PAGES / "static"),
        static_url_path=f"/static/{templating.static_version()}",
    )
    app.extensions["services"] = services
    app.url_map.converters["int"] = _Number
    proxies.look_behind(app, services.settings.proxies)
    metrics.measure(app)
    compressing.prepare(app)  # of all that look at answers, the first to be named is the last to do so
    security.protect(app, services.settings)
    sizes.limit(app)
    forms.prepare(app)
    templating.prepare(app)
    webhooks.prepare(app, fetch)
    errors.answer_errors(app)
    for pages in _BLUEPRINTS:
        app.register_blueprint(pages)
    api.prepare(app, services.settings)
    return app
