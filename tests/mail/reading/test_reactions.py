"""Reactions and away messages are recognized without a header; emails by people are not mistaken for them."""

from __future__ import annotations

import pytest

from mail.reading.classifying import says_away
from mail.reading.languages.absences import ABSENCES, REACTED
from mail.reading.languages.phrases import LANGUAGES
from mail.reading.message import read

HEAD = b"From: Ben <ben@example.org>\nSubject: Re: Nibble 17\nMIME-Version: 1.0\n"
GMAIL = (
    HEAD + b'Content-Type: multipart/alternative; boundary="b"\n\n--b\nContent-Type: text/plain\n\nc4\n'
    b"--b\nContent-Type: text/vnd.google.email-reaction+json; charset=UTF-8\n\n"
    b'{"emoji":"\xf0\x9f\x99\x83","version":1}\n--b\nContent-Type: text/html\n\n<p>c4</p>\n--b--\n'
)
ALONE = HEAD + b'Content-Type: text/vnd.google.email-reaction+json\n\n{"emoji":"x","version":1}\n'
OUTLOOK = (
    HEAD + b'Content-Type: text/html\n\n<table><tr><td><img alt="0" src=""></td><td>'
    b"<span>Ben Baker</span> <span>reacted to your message:</span></td></tr></table>\n"
)
QUOTED = (
    b"\n________________________________\nFrom: Nabu <play@games.example>\nSent: Monday\nSubject: x\n\nHi\n"
)


@pytest.mark.parametrize(
    "raw",
    [
        GMAIL,
        ALONE,
        OUTLOOK,
        HEAD + b"\nBen Baker reacted to your message:\n" + QUOTED,
        HEAD + "\n👍\nBen Baker reacted via Gmail\n".encode(),
        HEAD + b"X-MS-Exchange-Organization-ItemClass: IPM.Note.Reaction\n\nc4\n",
        HEAD + b"Content-Class: urn:content-classes:reaction\n\nc4\n",
    ],
    ids=["gmail", "alone", "outlook", "quoted", "gmail text", "item class", "content class"],
)
def test_reaction_is_from_a_program(raw: bytes) -> None:
    reading = read(raw)
    assert (reading.kind, reading.why) == ("auto", "a reaction")


@pytest.mark.parametrize("phrase", REACTED)
def test_reaction_is_recognized_in_each_language_by_its_complete_text(phrase: str) -> None:
    assert read(HEAD + f"\nBen {phrase.capitalize()}:\n".encode()).kind == "auto"
    for text in (f"Ben {phrase}:\nc4", f"c4\nBen {phrase}: why?", f"a\nb\nc\nBen {phrase}"):
        assert read(HEAD + f"\n{text}\n".encode()).kind == "reply"


def test_email_of_another_program_that_reads_like_a_reaction_keeps_its_kind() -> None:
    assert read(HEAD + b"X-Nabu: 1\n\nBen Baker reacted to your message:\n").kind == "loop"


def test_header_about_a_reaction_is_by_a_person() -> None:
    assert (
        read(b"From: Ben <ben@example.org>\nSubject: Your reaction\nX-Reaction: a reaction\n\nc4\n").kind
        == "reply"
    )


def test_reaction_in_an_attachment_is_ignored() -> None:
    raw = GMAIL.replace(b"charset=UTF-8\n", b"charset=UTF-8\nContent-Disposition: attachment\n")
    assert (read(raw).kind, read(raw).text) == ("reply", "c4")


@pytest.mark.parametrize(
    "text",
    [
        "Hello,\n\nI am currently out of the office until 5 January.\nIn urgent cases please contact Bob.",
        "Thank you for your email. I am on annual leave until Monday with limited access to my emails.",
        "Automatic reply: I will read your email when I am back from my holidays in the mountains.",
        "Guten Tag,\nvielen Dank für Ihre Nachricht. Ich bin bis zum 5. Januar nicht im Büro.",
        "Dear sender,\n\n\n\nout of office until Monday; my colleagues are happy to help you.",
        "Ich bin im Urlaub. In dringenden Fällen wenden Sie sich bitte an Frau Meier.",
        "Bonjour,\n\nje suis absent du bureau jusqu’au 5 janvier. En cas d'urgence, veuillez contacter Luc.",
        "Gracias por su mensaje. Estoy de vacaciones y responderé a mi regreso.",
        "Grazie per il messaggio. Sono fuori ufficio e risponderò al mio rientro.",
        "Bedankt voor uw bericht. Ik ben afwezig tot 5 januari.",
        "Dziękuję za wiadomość. Jestem na urlopie do 5 stycznia.",
        "Спасибо за письмо. Я в отпуске до 5 января.",
        "お問い合わせありがとうございます。現在休暇をいただいております。メールへの返信は5日以降になります。",
        "感谢您的来信。我正在休假,回来后会尽快回复。",
    ],
)
def test_automatic_reply_is_recognized_by_its_text(text: str) -> None:
    assert read(HEAD + f"Content-Type: text/plain; charset=utf-8\n\n{text}\n".encode()).seems_away


@pytest.mark.parametrize(
    "text",
    [
        "I'm away from 20 to 27 December",
        "I am on vacation until 5 January",
        "on holiday next week",
        "Ich bin ab morgen im Urlaub",
        "afwezig van 20 tot 27 december",
        "thank you for your patience",
        "I need more time",
        "c4",
        "",
    ],
)
def test_absence_announced_by_a_person_is_not_an_automatic_reply(text: str) -> None:
    assert not says_away(text)


def test_absence_phrases_are_well_formed_in_at_least_40_languages() -> None:
    assert set(ABSENCES) <= set(LANGUAGES)
    assert len(ABSENCES) >= 40
    for code, absence in ABSENCES.items():
        for text in (absence.absent, absence.beside):
            pieces = [piece.strip() for piece in text.split(";")]
            assert text == text.lower(), code
            assert all(len(piece) > 1 for piece in pieces), code
