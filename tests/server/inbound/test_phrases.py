"""Sentences of people who do not know the commands: Nabu carries them out or suggests commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlmodel import col, select

from rules.registry import RULES
from server.game.lobby import challenges
from server.game.log import log
from server.interpretation.subjects import SUBJECTS
from server.outbound.letters.help import RefusalAccount
from server.outbound.letters.replies import Refusal
from server.processes.services import Services, open_services
from server.store.db import reading, writing
from server.store.letters.letter import read
from server.store.models import Game, Outbox, Player
from server.store.outbox import ActionContext
from server.tournaments import signup
from tests.support.server.emails import PLAY, Written, receive, reply_address
from tests.support.server.games import begin
from tests.support.server.players import add_player
from tests.support.server.services import Clock, settings_for, sqlite_database

EACH_GAME = tuple(RULES)
_LONG_WORD = re.compile(r"\S{16,}")
"""Matches links, seeds and signatures of addresses, which differ from email to email."""
_REFUSED = ("register Nan", "decline 1", "claim", "unwatch Ben", "vacation off")
"""Commands that cannot be carried out here; a phrase for one gets the same refusal."""


@dataclass(frozen=True)
class Row:
    """A phrase, and the commands to one of which it must lead."""

    where: str
    """The sender and the address of an email.

    `plain`: Ann, to the plain address; `invited`: the same, with one invitation; `game`: Ann, in a reply to the
    email about her turn in game 1; `moved`: the same, after her move; `stranger`: another person, to the plain
    address.
    """
    phrase: str
    commands: tuple[str, ...]


def row(where: str, phrase: str, *commands: str) -> Row:
    return Row(where, phrase, commands)


def challenges_to(name: str) -> tuple[str, ...]:
    return tuple(f"challenge {name} {game_type}" for game_type in EACH_GAME)


SEEKS = tuple(f"seek {game_type}" for game_type in EACH_GAME)
NIBBLE = ("seek nibble", "challenge Enkidu nibble")
MORE_TIME = (
    "vacation 3d",
    "say May I have more time, please?",
)

ASKED_FOR = [
    row("plain", "play nibble", *NIBBLE),
    row("plain", "play with Ben", *challenges_to("Ben")),
    row("plain", "new game nibble", *NIBBLE),
    row("plain", "challenge Ben to nibble", "challenge Ben nibble"),
    row("plain", "Challenge Ben nibble, 3 days per move", "challenge Ben nibble time=3d"),
    row("plain", "challenge Ben", *challenges_to("Ben")),
    row("plain", "find opponent", "lobby", *SEEKS),
    row("plain", "who is online?", "lobby"),
    row("plain", "list games", "games"),
    row("plain", "show games", "games"),
    row("plain", "show 1", "show 1"),
    row("plain", "game 1", "show 1"),
    row("plain", "signup Nan", "register Nan"),
    row("plain", "register me as Nan", "register Nan"),
    row("plain", "unsubscribe", "stop"),
    row("plain", "I'm away from 20 to 27 December", "vacation from 20 to 27 December"),
    row("plain", "set vacation 5 days", "vacation 5d"),
    row("plain", "time zone Europe/Berlin", "zone Europe/Berlin"),
    row("plain", "zone New York", "zone America/New_York"),
    row("plain", "daily digest", "digest daily"),
    row("plain", "password", "login"),
    row("plain", "ratings nibble", "ranking nibble"),
    row("plain", "ranking", "ranking"),
    row("plain", "top", "ranking"),
    row("game", "top", "ranking"),
    row("plain", "rules", "rules nebuchadnezzar"),
    row("plain", "What are the rules?", "rules nebuchadnezzar"),
    row("invited", "How does this game work?", "rules nebuchadnezzar", "rules nibble"),
    row("invited", "What are the rules?", "rules nebuchadnezzar", "rules nibble"),
    row("stranger", "rules", *(f"rules {game_type}" for game_type in EACH_GAME)),
    row("plain", "Thank you!", "help messages"),
    row("plain", "an easy computer, please", "help challenge"),
    row("moved", "oops wrong move", "takeback"),
    row("plain", "help nibble", "help nibble"),
    row("plain", "commands", "help"),
    row("plain", "profile", "who"),
    row("plain", "whois Ben", "who Ben"),
    row("plain", "no more mails", "stop"),
    row("plain", "delete my account", "delete"),
    row("plain", "settings", "settings"),
    row("plain", "reminders off", "remind none"),
    row("plain", "resend last mail", "games"),
    row("invited", "accept", "accept 2"),
    row("invited", "decline #1", "decline 1"),
    row("plain", "1 c4", "#1 c4"),
    row("plain", "follow Ben", "watch Ben"),
    row("plain", "change email to ann@new.example", "address main ann@new.example"),
    row("plain", "enter Spring Cup", "join Spring Cup"),
    row("stranger", "unsubscribe", "stop"),
    row("game", "move to c4", "c4"),
    row("game", "offer draw", "draw"),
    row("game", "accept draw", "draw"),
    row("game", "unsubscribe", "stop"),
    row("game", "whose turn is it?", "show"),
    row("game", "how do I move?", "moves"),
    row("game", "board", "show"),
    row("game", "history please", "history"),
    row("game", "chat hi", "say hi"),
    row("game", "good luck!", "say good luck!"),
    row("game", "I need more time", *MORE_TIME),
    row("game", "claim victory", "claim"),
    row("game", "legal moves", "moves"),
    row("game", "c4, if d5 then e6", "c4\nif d5 then e6"),
    row("game", "preview c4", "? c4"),
    row("game", "place a disc at c4", "c4"),
    row("game", "4c", "c4"),
    row("game", "login", "login"),
    row("game", "zone Europe/Berlin", "zone Europe/Berlin"),
    row("game", "who Ben", "who Ben"),
]

MORE = [
    row("plain", "offer a draw in game 1", "draw 1"),
    row("plain", "1: offer draw", "draw 1"),
    row("plain", "what are the legal moves in game 1?", "moves 1"),
    row("plain", "preview c4", "? c4"),
    row("plain", "whose turn is it in game 1?", "show 1"),
    row("plain", "I'd like to resign game 1", "#1 resign"),
    row("plain", "could you please show me my games?", "games"),
    row("plain", "Hello Nabu, what are my current games? Thanks!", "games"),
    row("plain", "Hi,\n\nplease list all my games.\n\nBest regards,\nAnn", "games"),
    row("plain", "zeig mir meine Spiele", "games"),
    row("plain", "mis partidas, por favor", "games"),
    row("plain", "I'd like to play nibble against Ben", "challenge Ben nibble"),
    row("plain", "Can I play nibble with Ben?", "challenge Ben nibble"),
    row("plain", "challenge ben at nibble", "challenge ben nibble"),
    row("plain", "new game: nibble with Ben", "challenge Ben nibble"),
    row("plain", "please invite Ben to a game of nibble", "challenge Ben nibble"),
    row("plain", "challenge Ben to nibble, one week per move", "challenge Ben nibble time=1w"),
    row("plain", "play nibble against the computer", "challenge Enkidu nibble"),
    row("plain", "I want to play a game of nibble", *NIBBLE),
    row("plain", "nibble", *NIBBLE, "rules nibble"),
    row("plain", "start a new game", *SEEKS),
    row("plain", "jouer à nibble avec Ben", "challenge Ben nibble"),
    row("plain", "I'm looking for a game", "lobby", *SEEKS),
    row("plain", "anybody there?", "lobby"),
    row("plain", "show me the open games", "lobby"),
    row("plain", "stop sending me emails", "stop"),
    row("plain", "Please don't send me any more emails!", "stop"),
    row("plain", "remove me from this list", "stop"),
    row("plain", "keine Mails mehr, bitte", "stop"),
    row("plain", "me désabonner", "stop"),
    row("plain", "how do I play nibble?", "rules nibble"),
    row("plain", "What are the rules of nibble?", "rules nibble"),
    row("plain", "nibble rules", "rules nibble"),
    row("plain", "which games are there?", *(f"rules {game_type}" for game_type in EACH_GAME)),
    row("plain", "what can I do here?", "help"),
    row("plain", "Hilfe", "help"),
    row("plain", "who is Ben?", "who Ben"),
    row("plain", "my rating", "who"),
    row("plain", "I forgot my password", "login"),
    row("plain", "send me a login link", "login"),
    row("plain", "please turn off all reminders", "remind none"),
    row("plain", "don't remind me", "remind none"),
    row("plain", "my timezone is Europe/Berlin", "zone Europe/Berlin"),
    row("plain", "take a vacation of 2 weeks", "vacation 2w"),
    row("plain", "I am on holiday for a week", "vacation 1w"),
    row("plain", "call me Nan", "name Nan"),
    row("plain", "please delete my account", "delete"),
    row("plain", "list tournaments", "tournaments"),
    row("plain", "unfollow Ben", "unwatch Ben"),
    row("plain", "export my data", "data"),
    row("plain", "one email per day", "digest daily"),
    row("invited", "I accept!", "accept"),
    row("invited", "accept the invitation please", "accept"),
    row("game", "could you show me the board?", "show"),
    row("game", "who is to move?", "show"),
    row("game", "resend the last email", "show"),
    row("game", "how much time do I have left?", "show"),
    row("game", "put a disc on c4", "c4"),
    row("game", "my move is c4", "c4"),
    row("game", "c4 please", "c4"),
    row("game", "please move to c4, thanks", "c4"),
    row("game", "try c4", "? c4"),
    row("game", "what if I play c4?", "? c4"),
    row("game", "C4, if d5 then e6, if d6 then e5", "C4\nif d5 then e6, if d6 then e5"),
    row("game", "what are the legal moves?", "moves"),
    row("game", "what can I play?", "moves"),
    row("game", "mögliche Züge", "moves"),
    row("game", "can I have a draw?", "draw"),
    row("game", "I offer you a draw", "draw"),
    row("game", "let's call it a draw", "draw"),
    row("game", "remis?", "draw"),
    row("game", "propongo tablas", "draw"),
    row("game", "I resign", "resign"),
    row("game", "I give up!", "resign"),
    row("game", "ich gebe auf", "resign"),
    row("game", "show me all moves so far", "history"),
    row("game", "what are the rules?", "rules"),
    row("game", "how do I play this game?", "rules"),
    row("game", "no more emails about this game", "mute 30d"),
    row("game", "tell him I am late", "say I am late"),
    row("game", "Viel Glück!", "say Viel Glück!"),
    row("game", "I need help", "help"),
    row("game", "c4 if d5 then e6", "c4\nif d5 then e6"),
    row("game", "how do I resign?", "help resign"),
    row("game", "list moves", "moves"),
    row("game", "well played!", "say well played!"),
    row("plain", "play with somebody", "lobby", *SEEKS),
    row("plain", "Can someone play nibble with me?", "seek nibble", "lobby nibble"),
    row("plain", "play nibble with ben@example.org", "challenge ben@example.org nibble"),
    row("plain", "pause my games", "vacation 7d"),
    row("plain", "please block Ben", "block Ben"),
    row("plain", "rating of nibble", "ranking nibble"),
    row("plain", "I'm in vacation until 8 March", "vacation until 8 March"),
    row("plain", "end digest", "digest off"),
    row("plain", "please cancel the digest", "digest off"),
    row("plain", "no more reminders", "remind none"),
    row("plain", "cancel vacation", "vacation off"),
    row("game", "chat please be quick", "say please be quick"),
    row("plain", "Ben", "who Ben", *challenges_to("Ben")),
    row("moved", "take back my move", "takeback"),
    row("moved", "Can I take that back?", "takeback"),
    row("moved", "undo my last move, please", "takeback"),
    row("plain", "who is the best player of nibble?", "ranking nibble"),
    row("plain", "How long do I have for a move?", "games", "help challenge"),
    row("plain", "Is there a tournament I can enter?", "tournaments"),
    row("plain", "I lost the email with my game, can you send it again?", "games"),
    row("plain", "Do you have an app?", "login"),
    row("plain", "Ben was rude to me", "ignore Ben", "block Ben"),
    row("plain", "who are you?", "hello"),
    row("stranger", "unsubscribe me from everything please", "stop"),
    row("stranger", "Please take me off your list", "stop"),
    row("plain", "could you send me fewer emails please", "digest daily", "settings"),
    row("plain", "let's play chess", *(f"rules {game_type}" for game_type in EACH_GAME)),
    row("plain", "I am going away on Monday", "vacation 7d"),
    row("plain", "I don't understand this", "help"),
    row("game", "How long do I have for this move?", "show"),
    row("game", "What am I supposed to do?", "moves", "rules", "help"),
    row("moved", "Oops, wrong square, I meant c3", "takeback"),
    row("plain", "What's my rating?", "who"),
    row("plain", "how good is Ben?", "who Ben"),
    row("plain", "show me Ben's profile", "who Ben"),
    row("plain", "watch Ben's games", "watch Ben"),
    row("plain", "is it my turn anywhere?", "games"),
    row("plain", "which games are waiting for me?", "games"),
    row("plain", "what games can I join?", "lobby"),
    row("plain", "are there any open games?", "lobby"),
    row("plain", "history of game 1", "history 1"),
    row("plain", "what's happening in game 1?", "show 1"),
    row("plain", "in game 1 I play c4", "#1 c4"),
    row("plain", "my move in game 1 is c4", "#1 c4"),
    row("plain", "nibble with Ben please", "challenge Ben nibble"),
    row("plain", "play nibble against a strong computer", "challenge Hammurabi nibble"),
    row("plain", "looking for an opponent for nibble, 3 days per move", "seek nibble time=3d"),
    row("plain", "I want to play against real people", "lobby", *SEEKS),
    row("plain", "I don't want to play with Ben any more", "block Ben", "ignore Ben"),
    row("plain", "any tournaments?", "tournaments"),
    row("plain", "who is in the Spring Cup?", "standings Spring Cup"),
    row("plain", "how much vacation do I have left?", "vacation"),
    row("plain", "pause everything for two weeks", "vacation 2w"),
    row("plain", "en vacances du 20 au 27 décembre", "vacation from 20 until 27 December"),
    row("plain", "I no longer want to receive emails", "stop"),
    row("plain", "send me a daily summary", "digest daily"),
    row("plain", "only mail me when it's my turn", "mail my turn"),
    row("plain", "my new email address is ann@new.example", "address main ann@new.example"),
    row("plain", "I can't log in", "login"),
    row("plain", "call me Nan", "name Nan"),
    row("plain", "how do draws work?", "help draw"),
    row("game", "what's the score?", "show"),
    row("game", "what did Ben play?", "history"),
    row("game", "explain the rules to me please", "rules"),
    row("game", "would you like a draw?", "draw"),
    row("game", "I'm giving up", "resign"),
    row("game", "can I have two more days?", "say May I have more time, please?", "vacation 2d"),
    row("game", "I'm off on holiday next week, sorry!", "vacation next week"),
    row("game", "no rush", "say no rush"),
    row("game", "mute this game", "mute 30d"),
    row("moved", "can I take it back?", "takeback"),
    row("plain", "I want to play against Ben again, same game as last time", *challenges_to("Ben")),
    row("plain", "whats open right now", "lobby"),
    row("plain", "Where am I supposed to move? I lost track", "games"),
    row("plain", "welche spiele hab ich grad offen?", "games"),
    row("plain", "Plain text only please, my mail program can't do html", "board words"),
    row("plain", "What holidays have I entered?", "vacation"),
    row("plain", "I'm away from Dec 20 to Jan 3", "vacation from Dec 20 to Jan 3"),
    row("plain", "Bin vom 20.12. bis 3.1. im Urlaub", "vacation from 20.12. until 3.1."),
    row("plain", "The times in your emails are wrong, I live in Chicago", "zone Chicago"),
    row("plain", "call me Captain Jack instead of Newbie", "name Captain Jack"),
    row("plain", "Please stop Ben from challenging me all the time", "block Ben"),
    row("plain", "Remove me from your list. I never asked for this.", "stop"),
    row("plain", "メールの配信を停止してください", "stop"),
    row("plain", "Explain Nibble to me please. My grandson says it is like Othello.", "rules nibble"),
    row("plain", "Como se joga Nelaxtam?", "rules nelaxtam"),
    row("plain", "Je voudrais jouer à Nardshir contre l'ordinateur", "challenge Enkidu nardshir"),
    row("game", "I give up, you're too good", "resign", "say I give up, you're too good"),
    row("game", "Сдаюсь, спасибо за игру", "resign", "say Сдаюсь, спасибо за игру"),
    row("game", "参りました", "resign"),
    row("game", "我认输,你下得真好", "resign"),
    row("game", "Предлагаю ничью", "draw"),
    row("game", "Must I hit a single disc if I can?", "rules", "moves"),
    row("game", "Wer ist denn jetzt dran?", "show"),
    row("game", "Bin ich jetzt dran?", "show"),
    row("game", "zeig mir bitte das Brett", "show"),
    row("game", "Montrez-moi le plateau, s'il vous plaît", "show"),
    row("game", "¿A quién le toca?", "show"),
    row("game", "Mostrami la scacchiera", "show"),
    row("game", "Wie is er aan de beurt?", "show"),
    row("game", "Pokaż mi planszę", "show"),
    row("game", "De quem é a vez?", "show"),
    row("game", "Vems tur är det?", "show"),
    row("game", "Bitte was muss ich machen, ich verstehe die Regeln nicht???", "moves", "rules", "help"),
    row("game", "Je ne comprends pas les règles", "moves", "rules", "help"),
    row("game", "¿Qué tengo que hacer?", "moves", "rules", "help"),
    row("game", "Non capisco le regole", "moves", "rules", "help"),
    row("game", "Wat moet ik doen?", "moves", "rules", "help"),
    row("game", "Nie rozumiem zasad", "moves", "rules", "help"),
    row("game", "Não entendo as regras", "moves", "rules", "help"),
    row("game", "Jag förstår inte reglerna", "moves", "rules", "help"),
    row("game", "Sollen wir uns auf Unentschieden einigen?", "draw"),
    row("game", "On fait match nul ?", "draw"),
    row("game", "¿Quieres tablas?", "draw"),
    row("game", "Facciamo patta?", "draw"),
    row("game", "Zullen we remise overeenkomen?", "draw"),
    row("game", "Ska vi enas om oavgjort?", "draw"),
    row("moved", "Kann ich meinen letzten Zug bitte zurücknehmen?", "takeback"),
    row("moved", "Puis-je annuler mon dernier coup ?", "takeback"),
    row("moved", "¿Puedo deshacer mi última jugada?", "takeback"),
    row("moved", "Posso annullare la mia ultima mossa?", "takeback"),
    row("moved", "Mag ik mijn laatste zet terugnemen?", "takeback"),
    row("moved", "Czy mogę cofnąć mój ostatni ruch?", "takeback"),
    row("moved", "Posso desfazer a minha última jogada?", "takeback"),
    row("moved", "Kan jag ta tillbaka mitt senaste drag?", "takeback"),
    row("plain", "I am away on holiday from 10 to 17 December", "vacation from 10 to 17 December"),
    row("plain", "Ich bin vom 10. bis 17. Dezember im Urlaub", "vacation from 10 until 17 December"),
    row("game", "From 10 to 17 December I am away", "vacation From 10 to 17 December"),
    row("plain", "Vom 10. bis 17. Dezember bin ich verreist", "vacation from 10 until 17 December"),
    row("plain", "Estoy de vacaciones del 10 al 17 de diciembre", "vacation from 10 until 17 December"),
    row("plain", "Ben does not answer. What can I do?", "games", "help claim", "help"),
    row("plain", "How do I change my name?", "help name"),
    row("plain", "please delete my account and all my data", "delete"),
    row("plain", "I want to cancel my membership", "delete"),
    row("plain", "Bitte löschen Sie mein Konto", "delete"),
    row("plain", "Proszę usunąć moje konto", "delete"),
    row("plain", "Please delete my data", "delete", "data"),
    row("plain", "Which games am I losing?", "games"),
    row("plain", "I'm in hospital, please pause everything", "vacation 7d"),
    row("plain", "I want to watch Ben's game", "watch Ben"),
    row("plain", "I want to leave the tournament", "tournaments", "help leave"),
    row("plain", "what is the time limit in game 1", "#1 show"),
    row("plain", "I'd like to play something with my wife, can you set that up?", "help challenge"),
    row("plain", "Can I change my email address?", "help address"),
    row("plain", "I can't find my last game", "games", "help playing"),
    row("plain", "resign all my games", "games", "help resign"),
    row("plain", "Cancel all my games, I have no time anymore", "games", "help resign"),
    row("plain", "The board looks odd on my phone", "settings", "help email"),
    row("plain", "When does the tournament begin?", "tournaments", "help tournaments"),
    row("plain", "my name is wrong, it should be Anna", "help name"),
    row("plain", "please write me in German", "help"),
    row("plain", "I broke my arm and am in hospital", "help vacation", "settings"),
    row("plain", "Ich möchte mit meiner Frau spielen", "help challenge"),
    row("plain", "Wie ändere ich meine E-Mail-Adresse?", "help address"),
    row("plain", "Why did I lose on time?", "games", "help time"),
    row("plain", "Kann ich eine Partie gegen den Computer spielen?",
        *(f"challenge Enkidu {game_type}" for game_type in EACH_GAME)),
    row("plain", "Quiero jugar contra Ben", *challenges_to("Ben")),
    row("plain", "who is the best nibble player", "ranking nibble"),
    row("plain", "Please send mails to my work address too: ann@work.example", "address add ann@work.example"),
    row("plain", "Nebuchadnezzar: c3", "1 c3"),
    row("plain", "my move against Ben is c3", "1 c3"),
    row("plain", "Can I play 3 games at once?", "lobby", "challenge Enkidu nibble"),
    row("game", "how do I win?", "rules"),
    row("game", "who am I playing?", "show"),
    row("game", "d4 instead", "d4"),
    row("moved", "can I still change my move?", "takeback"),
    row("moved", "I want to play d4 instead", "takeback"),
    row("invited", "not today, sorry", "decline"),
    row("invited", "only if we have a week per move", "counter time=1w"),
    row("game", "which pieces are mine?", "show"),
    row("game", "what happened last turn?", "history"),
    row("game", "I can't move, can I?", "moves"),
    row("moved", "if he plays a1 I play b2", "if a1 then b2"),
    row("plain", "I would like to play against somebody of my level", "lobby", *SEEKS),
    row("plain", "I'd like to play with people as strong as me", "lobby", *SEEKS),
    row("plain", "Let's play again, Ben!", *challenges_to("Ben")),
    row("plain", "Challenge Ben to a rematch", *challenges_to("Ben")),
    row("plain", "Quiero jugar contra la máquina", *challenges_to("Enkidu")),
    row("plain", "Je voudrais jouer contre l'ordinateur", *challenges_to("Enkidu")),
    row("plain", "I'd rather play Nibble", *NIBBLE),
    row("plain", "Show me my finished games", "who"),
    row("plain", "When did Ben last move?", "who Ben"),
    row("plain", "What time is it for Ben?", "who Ben"),
    row("plain", "Block Ben, he is rude", "block Ben"),
    row("plain", "Ignore Ben, he talks too much", "ignore Ben"),
    row("plain", "Don't accept games from Ben any more", "block Ben"),
    row("plain", "I don't want invitations from Ben any more", "block Ben"),
    row("plain", "Only send me one email per day", "digest daily"),
    row("plain", "Just one email a week please", "digest weekly"),
    row("plain", "Please stop sending me emails on weekends", "settings", "help email"),
    row("plain", "Wie lösche ich mein Konto?", "delete"),
    row("plain", "Wie kann ich mein Konto bitte löschen?", "delete"),
    row("plain", "Comment supprimer mon compte ?", "delete"),
    row("plain", "¿Cómo borro mi cuenta?", "delete"),
    row("plain", "Come elimino il mio account?", "delete"),
    row("plain", "Hoe verwijder ik mijn account?", "delete"),
    row("plain", "Jak usunąć konto?", "delete"),
    row("plain", "Como apagar a minha conta?", "delete"),
    row("plain", "Hur raderar jag mitt konto?", "delete"),
    row("plain", "What is this?", "hello"),
    row("stranger", "How does this work?", "hello", "help"),
    row("stranger", "Qu'est-ce que c'est ?", "hello"),
    row("invited", "Yes please!", "accept"),
    row("invited", "Sure, I'd love that", "accept"),
    row("invited", "Ich habe leider keine Zeit", "decline"),
    row("invited", "Sorry, I'm too busy at the moment", "decline"),
    row("invited", "Count me out", "decline"),
    row("game", "Where can I see the board?", "show"),
    row("game", "Why is c5 not possible?", "moves", "rules"),
    row("game", "Why can't I play c5?", "moves", "rules"),
    row("game", "Abandon the game", "resign"),
    row("game", "I play c4, and if he answers d5, then e6", "c4\nif d5 then e6"),
    row("game", "c4, if he plays d5 I'll play e6", "c4\nif d5 then e6"),
    row("game", "I play c4, and when it is over we talk", "c4"),
    row("game", "Puis-je avoir plus de temps ?", *MORE_TIME),
    row("game", "Kann ich bitte etwas mehr Bedenkzeit haben?", *MORE_TIME),
    row("game", "Ich brauche mehr Zeit", *MORE_TIME),
    row("game", "Necesito más tiempo", *MORE_TIME),
    row("game", "Ho bisogno di più tempo", *MORE_TIME),
    row("game", "Mag ik meer tijd hebben?", *MORE_TIME),
    row("game", "Potrzebuję więcej czasu", *MORE_TIME),
    row("game", "Preciso de mais tempo", *MORE_TIME),
    row("game", "Kan jag få mer tid?", *MORE_TIME),
    row("plain", "Is Ben online?", "who Ben"),
    row("plain", "Has Ben answered my challenge?", "games", "who Ben"),
    row("plain", "What challenges do I have?", "games"),
    row("plain", "Do I have any invitations?", "games"),
    row("plain", "Cancel my challenge to Ben", "help cancel"),
    row("plain", "I changed my mind, cancel the challenge to Ben", "help cancel"),
    row("plain", "How many players are there?", "lobby", "ranking"),
    row("plain", "I want 5 days for each move", "games", "help time"),
    row("plain", "Please use German", "help"),
    row("plain", "Report Ben for cheating", "help report", "block Ben"),
    row("plain", "Start a tournament of Nibble with 8 players", "help tournament", "tournaments"),
    row("plain", "Ich bin nächste Woche im Urlaub", "vacation next week"),
    row("plain", "Je suis absent la semaine prochaine", "vacation next week"),
    row("plain", "Bin bis morgen weg", "vacation until tomorrow"),
    row("plain", "¿Cuáles son mis partidas?", "games"),
    row("plain", "Wie kann ich Ben herausfordern?", *challenges_to("Ben")),
    row("plain", "Quelles parties sont ouvertes ?", "lobby"),
    row("plain", "What happens when time runs out?", "games", "help time"),
    row("game", "I have no moves", "moves"),
    row("game", "How do I say something to my opponent?", "help messages"),
    row("game", "How do I send a move?", "moves", "help moving"),
    row("game", "ask Ben if he wants a draw", "draw"),
    row("game", "Who goes first?", "show"),
    row("game", "stop sending me emails about this game", "mute 30d"),
    row("game", "Please don't send me emails about this game", "mute 30d"),
    row("moved", "how long does Ben have?", "show"),
    row("moved", "May I have my last move back? I misread the board.", "takeback",
        "say May I have my last move back? I misread the board."),
]  # fmt: skip
"""More phrases of the same kinds."""


def identify(case: object) -> str | None:
    return f"{case.where}: {case.phrase}" if isinstance(case, Row) else None


@pytest.mark.sample(80)
@pytest.mark.parametrize("case", [*ASKED_FOR, *MORE], ids=identify)
def test_phrase_means_its_command(services: Services, case: Row) -> None:
    wanted = {outcome_of(services, case.where, command) for command in case.commands}
    assert all(map(is_carried_out, wanted)) or case.commands[0] in _REFUSED
    restore(services)
    answers = write(services, case.where, case.phrase)
    if outcome(answers) in wanted:
        return
    choices = offered(services)
    assert 0 < len(choices) <= 3, answers[-1].words
    assert set(choices) <= set(case.commands), choices
    agreed = "yes" if len(choices) == 1 else choices[0]
    carried_out = outcome(write(services, case.where, agreed, answers[-1]))
    assert carried_out in wanted, carried_out
    assert is_carried_out(carried_out), carried_out


@dataclass(frozen=True)
class Refused:
    """A phrase with another possible meaning than a command: Nabu may only ask about it."""

    where: str
    phrase: str
    choices: tuple[str, ...] = ()


REFUSED = [
    Refused("game", "not c4", ("c4",)),
    Refused("game", "c4?", ("c4",)),
    Refused("game", "should I play c4?", ("c4",)),
    Refused("game", "he played c4", ("c4",)),
    Refused("game", "you move to c4", ("c4",)),
    Refused("game", "c4, if you like", ("c4",)),
    Refused("game", "c4, if d5", ("c4",)),
    Refused("game", "don't offer a draw"),
    Refused("game", "no draw"),
    Refused("game", "no, I don't want a draw"),
    Refused("game", "decline the draw"),
    Refused("game", "stop this game", ("resign",)),
    Refused("game", "I don't resign"),
    Refused("game", "should I resign?"),
    Refused("game", "never resign"),
    Refused("game", "concede", ("resign",)),
    Refused("game", "Surrender!", ("resign",)),
    Refused("game", "I give up my seat to you"),
    Refused("game", "sotp"),
    Refused("game", "resing", ("resign",)),
    Refused("game", "take that!"),
    Refused("game", "please stop"),
    Refused("game", "how do I move?\n\nc4", ("moves", "c4")),
    Refused("game", "Can I have a draw?\n\nc4", ("draw", "c4")),
    Refused("plain", "sotp"),
    Refused("plain", "stopp"),
    Refused("plain", "delet"),
    Refused("plain", "don't delete my account"),
    Refused("plain", "play with Xerxes"),
    Refused("plain", "watch my game"),
    Refused("plain", "call me tomorrow"),
    Refused("plain", "name your price"),
    Refused("plain", "register a complaint"),
    Refused("plain", "thanks for the game, Ben"),
    Refused("plain", "I don't want to play today"),
    Refused("plain", "please don't stop sending me emails"),
    Refused("game", "call me later"),
    Refused("game", "name the place"),
    Refused("game", "let's draw this out a bit"),
    Refused("game", "draw it out"),
    Refused("game", "show off!"),
    Refused("game", "leave me alone"),
    Refused("game", "join us for dinner"),
    Refused("game", "watch out!"),
    Refused("game", "follow me on Mastodon"),
    Refused("game", "how do I stop the emails, Ben?"),
    Refused("game", "I'll resign when pigs fly!", ("resign",)),
    Refused("game", "Not resigning yet, don't you dare hope"),
    Refused("game", "never mind, I give up"),
    Refused("plain", "Stop me if you've heard this one, but my cat won"),
    Refused("plain", "If I delete my account, do my opponents win?"),
    Refused("plain", "Join the club, I lost to Enkidu too"),
    *(
        Refused(where, phrase)
        for where in ("game", "plain")
        for phrase in (
            *("bio class was fun", "about me is enough", "name is Bob", "name calling is not nice"),
            *("note that I am away", "time flies", "follow me", "vacation was great", "message received"),
            *("message me when you are back", "press on", "press conference was boring", "chat soon"),
            *("report back tomorrow", "zone out for a while", "luck was on your side", "tell me more"),
            *("rules are rules", "mail me", "set a trap for me", "digest this", "mute button"),
            *("token of my appreciation", "ignore my typo", "who would have thought", "start over"),
            *("tournament was nice", "quit joking"),
        )
    ),
    *(
        Refused("game", phrase)
        for phrase in (
            "play was fun yesterday",
            "away games are the hardest",
            "challenge is on",
            "list of fun games",
        )
    ),
    Refused("game", "language barrier", ("set languages barrier",)),
    Refused("game", "name dropping", ("set name dropping",)),
    Refused("game", "bio chess player from Oslo", ("set bio chess player from Oslo",)),
]
"""The lines of the second half begin with the word of a command but may be sentences."""


@pytest.mark.sample(40)
@pytest.mark.parametrize("case", REFUSED, ids=lambda case: f"{case.where}: {case.phrase}")
def test_doubtful_phrase_does_nothing(services: Services, case: Refused) -> None:
    answers = write(services, case.where, case.phrase)
    assert {answer.letter for answer in answers} <= {"refusal", "refusal_account"}
    message = f"say {' '.join(case.phrase.split())}"
    about = {choice for subject in SUBJECTS for choice in subject.choices} if case.where == "plain" else set()
    assert set(offered(services)) <= {*case.choices, message, *about}
    assert load(services).turn == 1


def test_sentence_is_not_taken_for_a_name(services: Services) -> None:
    """The reason does not mention a player or tournament with a name that is not in the text."""
    for text in ("watch out!", "join us for dinner", "leave me alone", "block that!"):
        write(services, "game", text)
        problem = last_refusal(services).problem
        assert "There is no" not in problem, problem


@pytest.mark.parametrize("where", ["plain", "game"])
def test_reminding_others_is_left_to_nabu(services: Services, where: str) -> None:
    (answer,) = write(services, where, "please remind Ben that it is his turn")
    assert "Nabu reminds all players of their moves itself, before their time is up." in answer.words
    assert offered(services) in ([], ["say please remind Ben that it is his turn"])


def test_phrase_below_others_is_carried_out_with_them(services: Services) -> None:
    write(services, "game", "c4\noffer draw")
    assert load(services).turn == 2
    with reading(services.engine) as session:
        assert log.seats(session, session.get_one(Game, 1))[0].seat.proposals


def test_text_of_a_message_is_no_phrase(services: Services) -> None:
    (message,) = (
        each for each in write(services, "game", "say Hello\noffer draw") if each.to != "ann@example.org"
    )
    assert "offer draw" in message.text
    with reading(services.engine) as session:
        assert log.seats(session, session.get_one(Game, 1))[0].seat.proposals == {}


def test_trying_a_suggestion_changes_nothing(services: Services) -> None:
    before = counted(services)
    write(services, "plain", "play nibble")
    assert offered(services) == list(NIBBLE)
    assert counted(services) == (before[0], before[1], before[2] + 1)


def test_only_suggestions_that_would_succeed_are_offered(services: Services) -> None:
    """After the end of a game, players can no longer offer a draw, but can offer a rematch."""
    write(services, "game", "resign")
    write(services, "game", "can I have a draw?")
    assert offered(services) == ["say can I have a draw?"]
    write(services, "game", "another game?")
    assert offered(services) == ["rematch"]


def test_a_line_that_may_be_a_message_is_offered_as_one(services: Services) -> None:
    """“yes” sends it; nothing is offered for a text without words, or one that names a move."""
    (answer,) = write(services, "game", "play was fun yesterday")
    assert offered(services) == ["say play was fun yesterday"]
    sent = write(services, "game", "yes", answer)
    assert [(each.letter, each.to) for each in sent] == [("message", "ben@example.org")]
    assert "play was fun yesterday" in sent[0].words
    for text in ("resing", "c9", "was it c4?"):
        write(services, "game", text)
        assert not any(choice.startswith("say") for choice in offered(services)), text


@pytest.mark.parametrize(
    ("where", "text", "command"),
    [
        ("plain", "bio chess player from Oslo", "set bio chess player from Oslo"),
        ("plain", "bio I was born in Oslo", "set bio I was born in Oslo"),
        ("game", "bio I play after dinner", "set bio I play after dinner"),
        ("game", "name Nan", "set name Nan"),
        ("game", "bio off", "set bio off"),
        ("game", "message: received", "say received"),
        ("game", "chat this was close", "say this was close"),
        ("game", "say is this the end", "say is this the end"),
    ],
)
def test_command_with_free_text_is_carried_out_without_a_question(
    services: Services, where: str, text: str, command: str
) -> None:
    wanted = outcome_of(services, where, command)
    restore(services)
    assert outcome(write(services, where, text)) == wanted
    assert is_carried_out(wanted)


@pytest.mark.parametrize(
    ("where", "text", "explanation"),
    [
        ("plain", "I forgot my password", "Nabu has no passwords."),
        ("plain", "play with Ben", "Say which game: nardshir, nebuchadnezzar, nelaxtam, nexus, nibble."),
        ("plain", "play with Xerxes", "There is no player called “Xerxes”."),
        ("plain", "Thanks a lot", "To thank a player, write for example: tell Ben Thank you!"),
        ("game", "decline the draw", "To decline a draw, just play on."),
        ("game", "I need more time", "Only your opponents can give you time in this game."),
        ("moved", "Oops, wrong move", "“takeback” asks the others to let you take back your last move."),
        ("moved", "I want to play d4 instead", "If you have already moved, “takeback” asks the others"),
    ],
)
def test_answer_to_an_unknown_phrase_explains(
    services: Services, where: str, text: str, explanation: str
) -> None:
    (answer,) = write(services, where, text)
    assert explanation in answer.words


@cache
def prepared() -> bytes:
    """Return a database file with two players, their game 1 with Ann to move, and a tournament."""
    while True:
        with TemporaryDirectory(prefix="nabu-phrases-") as folder:
            url = sqlite_database(folder)
            services = open_services(settings_for(url), Clock())
            ann, ben = (add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben"))
            begin(services, "nebuchadnezzar", ann, ben)
            with writing(services.engine) as session:
                action = ActionContext(session, services.sealer, services.now())
                signup.make(action, session.get_one(Player, ben.id), "Spring Cup", "nibble", {})
                plays_first = log.seats(session, session.get_one(Game, 1))[0].player.id
            services.engine.dispose()
            if plays_first == ann.id:
                return Path(folder, "nabu.db").read_bytes()


@pytest.fixture(scope="module")
def shared() -> Iterator[Services]:
    """Return services for all phrases, which share the engine's compiled statements."""
    with TemporaryDirectory(prefix="nabu-phrases-") as folder:
        services = open_services(settings_for(f"sqlite:///{Path(folder, 'nabu.db')}"), Clock())
        yield services
        services.engine.dispose()


@pytest.fixture
def services(shared: Services) -> Services:
    """Return the services with the prepared database."""
    restore(shared)
    return shared


def restore(services: Services) -> None:
    """Replace the database of services with the prepared one."""
    services.engine.dispose()
    file = Path(services.engine.url.database or "")
    for old in file.parent.iterdir():
        old.unlink()
    file.write_bytes(prepared())


def write(services: Services, where: str, text: str, answered: Written | None = None) -> list[Written]:
    """Receive an email; return the letters that it causes."""
    field = f"In-Reply-To: {answered.mail['Message-ID']}\r\n" if answered is not None else ""
    if answered is None:
        prepare = PREPARE.get(where)
        if prepare is not None:
            prepare(services)
    sender = "zoe@world.example" if where == "stranger" else "ann@example.org"
    to = PLAY if where in ("plain", "invited", "stranger") else reply_address(services, 1, 0)
    return receive(services, sender, to, text.replace("\n", "\r\n"), field)


def invite(services: Services) -> None:
    """Let Ben challenge Ann."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        ann, ben = session.exec(
            select(Player).where(col(Player.name).in_(["Ann", "Ben"])).order_by(col(Player.name))
        )
        challenges.challenge(action, ben, [ann], "nibble", {})


def move(services: Services) -> None:
    """Let Ann play, so that there is a move to take back."""
    receive(services, "ann@example.org", reply_address(services, 1, 0), "c4")


PREPARE: dict[str, Callable[[Services], None]] = {"invited": invite, "moved": move}

Outcome = tuple[tuple[str, str, str], ...]
"""The letters that an email causes: their names, recipients and texts."""


def outcome(letters: list[Written]) -> Outcome:
    """Return the effects of an email, without its receipt and the random choice of the first player."""
    letters = [each for each in letters if each.letter != "report" or "Read: " not in each.words]
    if any("Turn 1" in each.words for each in letters):
        return tuple(sorted((each.letter, "", "") for each in letters))
    return tuple((each.letter, each.to, text_of(each)) for each in letters)


def text_of(letter: Written) -> str:
    """Return the text of a letter; of a refusal only the problem, without the quote."""
    text = _LONG_WORD.sub("…", letter.words)
    return text.partition("Nothing was")[0] if letter.letter in ("refusal", "refusal_account") else text


def is_carried_out(found: Outcome) -> bool:
    return not {"refusal", "refusal_account"}.intersection(letter for letter, _, _ in found)


_outcomes: dict[tuple[str, str], Outcome] = {}


def outcome_of(services: Services, where: str, command: str) -> Outcome:
    """Return the letters that a command causes by itself, each of them carried out once."""
    if (where, command) not in _outcomes:
        restore(services)
        _outcomes[where, command] = outcome(write(services, where, command))
    return _outcomes[where, command]


def offered(services: Services) -> list[str]:
    """Return the commands that the last letter suggests."""
    return list(last_refusal(services).choices)


def last_refusal(services: Services) -> Refusal | RefusalAccount:
    """Return the last letter, which is a refusal."""
    with reading(services.engine) as session:
        row = session.exec(select(Outbox).order_by(col(Outbox.id).desc())).first()
        assert row is not None
        letter = read(row.letter, row.game_id, services.sealer.open_json(row.sealed)).letter
        assert isinstance(letter, Refusal | RefusalAccount), letter
        return letter


def load(services: Services) -> Game:
    with reading(services.engine) as session:
        return session.get_one(Game, 1)


def counted(services: Services) -> tuple[int, int, int]:
    """Return the numbers of games, players and letters."""
    with reading(services.engine) as session:
        return tuple(len(session.exec(select(table.id)).all()) for table in (Game, Player, Outbox))  # type: ignore[return-value]
