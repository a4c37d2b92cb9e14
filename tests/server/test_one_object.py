"""A new command needs one object and its handler; so do a preference, a webhook and a service."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from server.actions.action import Action, GameActor, NoArguments, Outcome
from server.actions.registry import check_words
from server.commands.arguments import NOTHING
from server.commands.vocabulary import ANYWHERE, BESIDE_A_MOVE, HELP, REPLY
from server.commands.word import Effect, Topic, Vocabulary, Word
from server.inbound.handlers import game
from server.inbound.handlers.registry import Handlers
from server.inbound.reply import Reply
from server.outbound.letters.account import Confirmation
from server.processes.services import Services
from server.store.tokens import ReplyToken
from tests.support.document_tables import rows
from tests.support.folders import ROOT
from tests.support.server.emails import receive
from tests.support.server.games import TwoPlayerGame

TOY = Word(
    "hurrah",
    "cheer yourself up",
    NOTHING,
    Topic.PLAYING,
    "hurrah",
    effect=Effect.READS,
    synonyms=("hip hip",),
)


def cheer(reply: Reply, _: str) -> None:
    """Carry out the toy command."""
    reply.answer(Confirmation("Hip hip hurrah!"))


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the toy's line in the vocabulary, and its handler."""
    for words in (REPLY, ANYWHERE, ANYWHERE.strict, BESIDE_A_MOVE):
        monkeypatch.setattr(words, "spelled", {**words.spelled, "hurrah": TOY, "hip hip": TOY})
    monkeypatch.setattr(game.HANDLERS, "by_word", {**game.HANDLERS.by_word, TOY: cheer})


@pytest.fixture
def table(services: Services, toy: None) -> TwoPlayerGame:
    """Return a game of two players."""
    return TwoPlayerGame(services, "nebuchadnezzar", size=5)


def answer(table: TwoPlayerGame, text: str) -> str:
    """Return the answer to the player who has to move."""
    token = table.services.tokens.write(ReplyToken(table.number, 0, 1))
    (letter,) = receive(table.services, table.players[0].email, f"play+{token}@games.example.org", text)
    return letter.words


@pytest.mark.parametrize("written", ["hurrah", "* **Hurrah!**", "Hip hip."])
def test_new_command_is_read_and_carried_out(table: TwoPlayerGame, written: str) -> None:
    assert "Hip hip hurrah!" in answer(table, written)


def test_new_command_is_documented(table: TwoPlayerGame) -> None:
    assert "hurrah cheer yourself up" in answer(table, "help playing")
    assert "hurrah" in answer(table, "hurra"), "it is offered where it is misspelled"
    assert "| `hurrah` | `hurrah` | cheer yourself up | `hip hip` |" in rows(REPLY)


@pytest.mark.slow
def test_new_action_preference_webhook_or_service_is_one_object(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "tests.support.server.toys", str(tmp_path)], cwd=ROOT, check=True)


def test_every_command_has_exactly_one_handler() -> None:
    handlers: Handlers[None] = Handlers()
    handlers.handles(TOY)(lambda mail, argument: None)
    handlers.check([TOY])
    with pytest.raises(LookupError, match=r"without a handler: help\. .* to ACTIONS in .* server/actions"):
        handlers.check([TOY, HELP])
    with pytest.raises(LookupError, match=r"without a command: hurrah\. .* IN_GAMES in .*game_words\.py"):
        handlers.check([])
    with pytest.raises(ValueError, match="hurrah"):
        handlers.handles(TOY)(lambda mail, argument: None)


def test_every_action_has_a_command() -> None:
    cheering = Action[GameActor, NoArguments]("cheer", TOY, NoArguments, lambda here, _: Outcome("Hurrah!"))
    with pytest.raises(LookupError, match=r"action cheer .* IN_GAMES in server/commands/game_words\.py"):
        check_words([cheering])


def test_two_commands_cannot_have_the_same_synonym() -> None:
    with pytest.raises(ValueError, match="hip hip"):
        Vocabulary([TOY, Word("cheer", "the same", NOTHING, synonyms=("hip hip",))])
