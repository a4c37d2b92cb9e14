"""The mailbox page of the demo: every mail, as HTML and as text, with a form to answer it."""

from flask import Flask, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from server.demo.postbox import Mail, Postbox, send_answer, send_new
from server.settings import ROOT


def create_mailbox(postbox: Postbox, listener: tuple[str, int], plain_address: str, web: str) -> Flask:
    """The mailbox page; answers go to `listener` by SMTP, new mails to `plain_address`."""
    app = Flask("nabu-demo", template_folder=str(ROOT / "templates" / "demo"), static_folder=None)
    app.jinja_env.globals.update(plain_address=plain_address, web=web)

    @app.get("/")
    def everything() -> str:
        mails = postbox.mails()
        chosen = request.args.get("to", "")
        people = sorted({mail.to for mail in mails})
        shown = [mail for mail in mails if chosen in ("", mail.to)]
        return render_template("mailbox.html", mails=shown, people=people, chosen=chosen)

    @app.get("/mail/<key>")
    def one(key: str) -> str:
        return render_template("mail.html", mail=_mail(postbox, key), sent="sent" in request.args)

    @app.post("/mail/<key>")
    def answer(key: str) -> Response:
        send_answer(_mail(postbox, key), request.form["text"], *listener)
        return redirect(url_for("one", key=key, sent=1))

    @app.post("/new")
    def write() -> Response:
        send_new(request.form["sender"], plain_address, request.form["text"], *listener)
        return redirect(url_for("everything", to=request.form["sender"]))

    return app


def _mail(postbox: Postbox, key: str) -> Mail:
    try:
        return postbox.mail(key)
    except KeyError:
        abort(404)
