"""The mailbox page of the demo: every email as HTML and as text, with a form to reply."""

import re
from html import escape, unescape
from urllib.parse import parse_qsl, unquote, urlsplit

from flask import Flask, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from server.demo.postbox import Mail, Postbox, send_answer, send_new
from server.settings import ROOT

_ON_A_PAGE = 100
"""The number of emails on one page of the list."""
_BEGINS_A_MAIL = re.compile(r'href="(mailto:[^"]*)"')


def create_mailbox(
    postbox: Postbox, listener: tuple[str, int], plain_address: str, web: str, people: tuple[str, ...] = ()
) -> Flask:
    """Return the mailbox page, which sends replies and new emails to `listener` by SMTP.

    New emails go to `plain_address`. `people` have a tab even before they get an email.
    """
    app = Flask("nabu-demo", template_folder=str(ROOT / "templates" / "demo"), static_folder=None)
    app.jinja_env.globals.update(plain_address=plain_address, web=web)

    @app.get("/")
    def everything() -> str:
        headings, unread, chosen = postbox.headings(), postbox.unread(), request.args.get("to", "")
        tabs = dict.fromkeys(sorted({*people, *(heading.to for heading in headings)}), 0)
        for heading in headings:
            tabs[heading.to] += heading.key in unread
        listed = [heading for heading in headings if chosen in ("", heading.to)]
        first = max(request.args.get("from", 0, type=int), 0)
        return render_template(
            "mailbox.html",
            tabs=tabs,
            chosen=chosen,
            unread=unread,
            headings=listed[first : first + _ON_A_PAGE],
            newer=None if first == 0 else max(first - _ON_A_PAGE, 0),
            older=first + _ON_A_PAGE if len(listed) > first + _ON_A_PAGE else None,
            sent="sent" in request.args,
        )

    @app.get("/mail/<key>")
    def show_email(key: str) -> str:
        mail = _opened(postbox, key)
        return render_template("mail.html", mail=mail, html=_framed(mail))

    @app.post("/mail/<key>")
    def answer(key: str) -> Response:
        mail = _opened(postbox, key)
        send_answer(mail, request.form["text"], *listener)
        return redirect(url_for("everything", to=mail.heading.to, sent=1), 303)

    @app.get("/write")
    def begin() -> str:
        return render_template("write.html", written=request.args)

    @app.post("/write")
    def write() -> Response:
        written = request.form
        send_new(
            written["sender"],
            written.get("to") or plain_address,
            written.get("subject", ""),
            written["text"],
            *listener,
        )
        return redirect(url_for("everything", to=written["sender"], sent=1), 303)

    return app


def _opened(postbox: Postbox, key: str) -> Mail:
    try:
        return postbox.opened(key)
    except KeyError:
        abort(404)


def _framed(mail: Mail) -> str:
    """Return the HTML of an email with links that open outside its frame.

    Links with `mailto:` open the form for a new email, as in a mail program.
    """
    html = _BEGINS_A_MAIL.sub(lambda found: _form(unescape(found[1]), mail.heading.to), mail.html)
    return html.replace("<head>", '<head><base target="_blank">', 1)


def _form(link: str, sender: str) -> str:
    parts = urlsplit(link)
    filled = dict(parse_qsl(parts.query))
    form = url_for(
        "begin",
        sender=sender,
        to=unquote(parts.path),
        subject=filled.get("subject", ""),
        text=filled.get("body", ""),
    )
    return f'href="{escape(form)}" target="_top"'
