"""The courtesies of many languages: phrases that people write around a move and that do not change its meaning.

Only these phrases count as courtesies, so none of them may express a doubt, a denial or a question. All are in
lower case; ";" separates the phrases of a text.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Courtesies:
    """The courtesies of one language.

    `greets`: beginnings of a greeting, which a name or two may follow. `leads`: words that introduce a move.
    `closes`: words that add nothing, such as "please", or that come before the name at the end. `says`: phrases
    for the other players, such as thanks. `hands`: phrases after a move that pass the turn on. `praises`:
    phrases about the opponent's move; next to a move it is not clear which move they mean.
    """

    greets: str
    leads: str
    closes: str
    says: str
    hands: str = ""
    praises: str = ""


COURTESIES = (
    Courtesies(  # English
        greets=(
            "hi; hello; hey; dear; hi there; hello there; greetings; good morning; good "
            "afternoon; good evening; good day; howdy"
        ),
        leads=(
            "i; i'll; i will; my move; my move is; my turn; my next move; my next move is; "
            "my orders; my orders are; move; moves; orders; turn; play; i play; i'll play; "
            "i will play; i'd like to play; i would like to play; i take; i'll take; i choose; "
            "i move; i go; i go for; move to; i move to; i'll move to; go to; play at; play on; "
            "place a disc at; place a disc on; place my disc at; place my disc on; put a disc at; "
            "put a disc on; put my disc at; put my disc on; i place a disc at; i place a disc on; "
            "i put a disc at; i put a disc on; "
            "i'll go for; i'll go with; i put; i place; here is my move; here's my move; here are "
            "my orders; here is my turn; here goes; here it is; "
            "please find my move below; please find below my move; my move is below; see my move below; "
            "below is my move; "
            " ok; okay; so; well; alright; "
            "let's play; let's go"
        ),
        closes=(
            "please; pls; plz; cheers; regards; best regards; kind regards; warm regards; best; "
            "best wishes; all the best; yours; sincerely; yours sincerely; love; bye; my move; "
            "is my move; it is; that's it; that is all; for me; this time"
        ),
        says=(
            "thanks; thank you; thx; many thanks; thanks a lot; thanks for the game; thanks for "
            "waiting; thank you for waiting; good luck; nice game; good game; great game; fun "
            "game; gg; gl; hf; glhf; have fun; enjoy; sorry; sorry for the wait; sorry for the "
            "delay; sorry for the late reply; sorry for being late; sorry for being so late; sorry "
            "for being slow; sorry i'm late; sorry it took so long; see you; see you soon; how are "
            "you; have a nice day; have a good day; have a great day; have a nice weekend; have a "
            "good weekend; have a great weekend; no rush; no hurry; no worries; no problem; "
            "take your time; play on; are you there; are you still there; happy new year; merry christmas"
        ),
        hands="your turn; your move; you're up; over to you",
        praises="thanks for your move; well played; nice move; good move; great move; congratulations;"
        " congrats",
    ),
    Courtesies(  # German
        greets=(
            "sehr geehrte damen und herren; sehr geehrte; sehr geehrter; sehr geehrtes; guten tag zusammen; "
            "hallo; hi; hey; moin; servus; liebe; lieber; guten morgen; guten tag; guten abend; "
            "grüß dich; grüß gott; grüezi; hoi"
        ),
        leads=(
            "ich; mein zug; mein zug ist; mein zug lautet; mein nächster zug; zug; ich spiele; "
            "ich nehme; ich ziehe; ich setze; ich wähle; hier ist mein zug; hier mein zug; hier "
            "kommt mein zug; meine befehle; also; gut; dann"
        ),
        closes=(
            "bitte; gruß; gruss; grüße; grüsse; viele grüße; liebe grüße; liebe grüsse; lg; vg; mfg; "
            "beste grüße; schöne grüße; mit freundlichen grüßen; tschüss; ciao; dein; deine; ist mein zug"
        ),
        says=(
            "danke; vielen dank; danke dir; danke schön; viel glück; viel spaß; viel erfolg; hoffentlich gut; "
            "schönes spiel; gutes spiel; entschuldigung; entschuldige; sorry; tut mir leid; "
            "entschuldige die verspätung; sorry für die verspätung; entschuldigung für die "
            "verspätung; bis bald; bis dann; wie geht's; wie geht es dir; schönen tag; schönen tag "
            "noch; schönes wochenende; schönen abend; gute nacht"
        ),
        hands="du bist dran; dein zug",
        praises="gut gespielt; guter zug; schöner zug; glückwunsch; gratuliere",
    ),
    Courtesies(  # French
        greets=(
            "bonjour; salut; bonsoir; coucou; cher; chère; madame; monsieur; madame monsieur; mesdames "
            "messieurs"
        ),
        leads=(
            "je; mon coup; mon coup est; mon tour; coup; je joue; je prends; je place; je "
            "choisis; voici mon coup; voilà mon coup; mes ordres; alors"
        ),
        closes=(
            "s'il te plaît; s'il vous plaît; svp; stp; cordialement; amicalement; bien à toi; à "
            "bientôt; bises; bisous; amitiés; salutations; c'est mon coup"
        ),
        says=(
            "merci; merci beaucoup; bonne chance; bonne partie; belle partie; désolé; désolée; "
            "désolé pour le retard; désolée pour le retard; désolé pour l'attente; bonne journée; "
            "bonne soirée; bon week-end; comment ça va; ça va"
        ),
        hands="à toi; à toi de jouer; à vous",
        praises="bien joué; bravo; beau coup",
    ),
    Courtesies(  # Spanish
        greets=(
            "hola; buenos días; buenas tardes; buenas noches; buenas; querido; querida; estimado; estimada"
        ),
        leads=(
            "mi jugada; mi jugada es; mi movimiento; mi movimiento es; mi turno; jugada; "
            "movimiento; juego; tomo; pongo; muevo; elijo; aquí está mi jugada; aquí va mi "
            "jugada; bueno; vale"
        ),
        closes=("por favor; saludos; un saludo; un abrazo; abrazos; atentamente; besos; hasta luego; adiós"),
        says=(
            "gracias; muchas gracias; buena suerte; suerte; buena partida; buen juego; perdón; "
            "perdona; perdón por la espera; perdón por el retraso; siento el retraso; lo siento; "
            "buen día; buen fin de semana; qué tal; cómo estás"
        ),
        hands="te toca; tu turno",
        praises="bien jugado; buena jugada",
    ),
    Courtesies(  # Italian
        greets="ciao; buongiorno; buonasera; salve; caro; cara",
        leads=(
            "la mia mossa; la mia mossa è; mia mossa; mossa; gioco; prendo; metto; muovo; scelgo; "
            "ecco la mia mossa; allora"
        ),
        closes=("per favore; per piacere; saluti; cordiali saluti; un saluto; a presto; un abbraccio; baci"),
        says=(
            "grazie; grazie mille; molte grazie; buona fortuna; buona partita; bella partita; "
            "scusa; scusami; scusa il ritardo; scusa per il ritardo; scusa l'attesa; buona "
            "giornata; buona serata; buon fine settimana; come stai; come va"
        ),
        hands="tocca a te; a te",
        praises="ben giocato; bella mossa",
    ),
    Courtesies(  # Portuguese
        greets="olá; oi; bom dia; boa tarde; boa noite; caro; cara; prezado; prezada",
        leads=(
            "a minha jogada; minha jogada; minha jogada é; a minha jogada é; jogada; jogo; eu "
            "jogo; aqui está a minha jogada; aqui vai minha jogada"
        ),
        closes=(
            "por favor; abraço; um abraço; abraços; cumprimentos; atenciosamente; até logo; até "
            "breve; saudações; beijos"
        ),
        says=(
            "obrigado; obrigada; muito obrigado; muito obrigada; boa sorte; bom jogo; boa partida; "
            "desculpa; desculpe; desculpe a demora; desculpa a demora; desculpe o atraso; bom fim "
            "de semana; tudo bem"
        ),
        hands="sua vez; é a sua vez; é a tua vez",
        praises="bem jogado; boa jogada",
    ),
    Courtesies(  # Dutch
        greets="hallo; hoi; dag; beste; goedemorgen; goedemiddag; goedenavond",
        leads=("ik; mijn zet; mijn zet is; mijn beurt; zet; ik speel; ik neem; ik kies; hier is mijn zet; oké"),
        closes=("alsjeblieft; alstublieft; aub; groet; groeten; groetjes; met vriendelijke groet; mvg; doei"),
        says=(
            "bedankt; dank je; dank je wel; dankjewel; veel succes; succes; veel geluk; veel "
            "plezier; mooi spel; sorry; sorry voor de late reactie; sorry voor het wachten; fijne "
            "dag; fijn weekend; tot snel; hoe gaat het"
        ),
        hands="jouw beurt; jij bent aan de beurt",
        praises="goed gespeeld; mooie zet",
    ),
    Courtesies(  # Swedish
        greets="hej; hejsan; tjena; god morgon; god kväll; kära; käre",
        leads="mitt drag; mitt drag är; drag; jag spelar; jag tar; här är mitt drag",
        closes="snälla; hälsningar; vänliga hälsningar; mvh; hej då",
        says=(
            "tack; tack så mycket; lycka till; kul spel; förlåt; förlåt att du fick vänta; ursäkta "
            "dröjsmålet; trevlig helg; ha en bra dag; vi ses; hur mår du"
        ),
        hands="din tur",
        praises="bra spelat; bra drag",
    ),
    Courtesies(  # Danish, Norwegian
        greets="hej; hei; goddag; god morgen; kære; kjære; heisann",
        leads=(
            "mit træk; mit træk er; mitt trekk; mitt trekk er; træk; trekk; jeg spiller; jeg tager; jeg tar"
        ),
        closes="venligst; vær så snill; hilsen; venlig hilsen; vennlig hilsen; mvh; ha det",
        says=(
            "tak; takk; mange tak; tusen takk; held og lykke; lykke til; undskyld; undskyld "
            "ventetiden; unnskyld; beklager; god weekend; god helg; vi ses"
        ),
        hands="din tur",
        praises="godt spillet; godt spilt",
    ),
    Courtesies(  # Finnish
        greets="hei; moi; terve; hyvää huomenta; hyvää päivää; hyvää iltaa",
        leads="siirtoni; siirtoni on; siirto; pelaan; tässä siirtoni",
        closes="terveisin; ystävällisin terveisin; moikka; hei hei",
        says=(
            "kiitos; paljon kiitoksia; onnea; onnea peliin; hyvä peli; anteeksi; anteeksi "
            "viivästys; hyvää viikonloppua; mitä kuuluu"
        ),
        hands="sinun vuorosi",
        praises="hyvin pelattu",
    ),
    Courtesies(  # Polish
        greets="cześć; hej; witaj; witam; dzień dobry; dobry wieczór; drogi; droga",
        leads="mój ruch; mój ruch to; ruch; gram; biorę; oto mój ruch",
        closes="proszę; pozdrawiam; pozdrowienia; serdecznie pozdrawiam; do usłyszenia; na razie",
        says=(
            "dzięki; dziękuję; wielkie dzięki; powodzenia; dobra gra; dobrej gry; przepraszam; "
            "przepraszam za zwłokę; przepraszam za opóźnienie; miłego dnia; miłego weekendu; co "
            "słychać"
        ),
        hands="twój ruch; twoja kolej",
        praises="dobrze zagrane",
    ),
    Courtesies(  # Czech, Slovak
        greets="ahoj; čau; nazdar; dobrý den; dobrý večer; milý; milá",
        leads="můj tah; můj tah je; môj ťah; tah; ťah; hraju; hrám; beru; tady je můj tah",
        closes="prosím; s pozdravem; s pozdravom; zdraví; měj se; maj sa",
        says=(
            "díky; děkuji; děkuju; ďakujem; hodně štěstí; veľa šťastia; pěkná hra; dobrá hra; "
            "promiň; promiň zpoždění; omlouvám se; hezký den; pekný deň; hezký víkend"
        ),
        hands="jsi na tahu",
    ),
    Courtesies(  # Russian
        greets=("привет; здравствуй; здравствуйте; добрый день; добрый вечер; доброе утро; дорогой; дорогая"),
        leads="мой ход; ход; играю; хожу; беру; вот мой ход",
        closes="пожалуйста; с уважением; пока; до встречи",
        says=(
            "спасибо; большое спасибо; удачи; хорошая игра; хорошей игры; извини; извините; "
            "прости; извини за задержку; извините за задержку; простите за задержку; хорошего дня; "
            "хороших выходных; как дела"
        ),
        hands="твой ход; ваш ход",
        praises="хороший ход",
    ),
    Courtesies(  # Ukrainian
        greets="привіт; вітаю; добрий день; добрий вечір; доброго дня",
        leads="мій хід; хід; граю; ось мій хід",
        closes="будь ласка; з повагою; бувай",
        says=(
            "дякую; щиро дякую; удачі; щасти; гарна гра; гарної гри; вибач; вибачте; вибач за "
            "затримку; гарного дня; як справи"
        ),
        hands="твій хід",
    ),
    Courtesies(  # Turkish
        greets="merhaba; selam; günaydın; iyi günler; iyi akşamlar; sevgili",
        leads="hamlem; benim hamlem; hamle; oynuyorum; işte hamlem",
        closes="lütfen; selamlar; saygılar; sevgiler; hoşça kal; görüşürüz",
        says=(
            "teşekkürler; teşekkür ederim; sağ ol; bol şans; iyi şanslar; iyi oyunlar; iyi oyun; "
            "özür dilerim; kusura bakma; geciktiğim için özür dilerim; iyi hafta sonları; nasılsın"
        ),
        hands="sıra sende",
    ),
    Courtesies(  # Hungarian
        greets="szia; sziasztok; helló; kedves; jó reggelt; jó napot; jó estét",
        leads="a lépésem; lépésem; lépés; lépek; íme a lépésem",
        closes="kérlek; üdv; üdvözlettel; viszlát; puszi",
        says=(
            "köszönöm; köszi; sok szerencsét; jó játék; jó játékot; bocs; bocsánat; elnézést; bocs "
            "a késésért; elnézést a késésért; szép napot; jó hétvégét; hogy vagy"
        ),
        hands="te jössz",
        praises="szép lépés",
    ),
    Courtesies(  # Greek
        greets="γεια; γεια σου; γεια σας; καλημέρα; καλησπέρα; αγαπητέ; αγαπητή",
        leads="παίζω; η κίνησή μου",
        closes="παρακαλώ; χαιρετισμούς; με εκτίμηση; φιλικά",
        says="ευχαριστώ; καλή τύχη; καλό παιχνίδι",
    ),
    Courtesies(  # Japanese
        greets="こんにちは; こんばんは; おはよう; おはようございます; お世話になっております",
        leads="",
        closes=(
            "よろしく; よろしくお願いします; よろしくお願いいたします; 宜しくお願いします; "
            "宜しくお願いいたします; よろしくお願い申し上げます; どうぞよろしくお願い申し上げます; 敬具; 以上"
        ),
        says="ありがとう; ありがとうございます; ありがとうございました; 頑張って",
    ),
    Courtesies(  # Chinese
        greets="你好; 您好; 大家好; 早上好; 晚上好",
        leads="我走; 我下",
        closes="请; 祝好; 此致; 此致敬礼; 敬礼; 顺颂商祺",
        says="谢谢; 謝謝; 多谢; 祝你好运; 祝好运",
    ),
    Courtesies(  # Korean
        greets="안녕; 안녕하세요; 안녕하십니까",
        leads="",
        closes="부탁드립니다; 잘 부탁드립니다; 수고하세요; 드림; 올림",
        says="감사합니다; 고맙습니다; 고마워요; 행운을 빕니다",
    ),
    Courtesies(  # Arabic
        greets=(
            "السلام عليكم; السلام عليكم ورحمة الله; مرحبا; مرحبًا; أهلا; صباح الخير; مساء الخير; عزيزي; عزيزتي"
        ),
        leads="ألعب; نقلتي",
        closes="من فضلك; تحياتي; مع تحياتي; مع أطيب التحيات; وشكرا",
        says="شكرا; شكرًا; شكرا لك; شكرا جزيلا; حظا سعيدا; بالتوفيق",
    ),
)

ASKING = """
could you; can you; would you; will you; would you mind; could you maybe; may i; can i; could i; might i; can we
do you know; can you tell me; could you tell me; tell me; could we; may we; shall we; is it possible to
would it be possible to; are you able to
how can i; how do i; how do we; how could i; könntest du; kannst du; kann ich; können wir; könnte ich
pouvez-vous; peux-tu; puis-je; puedes; puedo; puoi; posso; kun je; kan ik; mag ik
können sie; könnten sie; czy mogę; kan jag; får jag
"""
"""Politeness before a phrase that turns it into a question."""

WANTING = """
please; pls; plz; kindly; sorry; oh; yes; also; thanks; thank you; wanna; i wanna; want to; i would like to
i'd like to; i would love to; i'd love to; i want to; i wish to
i need to; we would like to; we'd like to; we want to; i would like; i'd like; i want you to; let me; let us
let's; just; now; ok; okay; so; well; hi; hello; hey; hi nabu; hello nabu; hey nabu; dear nabu; nabu; hi there
hello there; bitte; ich möchte; ich würde gerne; ich will; hallo; je voudrais; je veux; j'aimerais
s'il te plaît; s'il vous plaît; bonjour; quiero; quisiera; me gustaría; por favor; hola; vorrei; voglio
per favore; ciao; ik wil; ik wil graag; ik zou graag; alsjeblieft; alstublieft; wilt u
proszę; chcę; chciałbym; chciałabym; quero; queria; gostaria de; jag vill; jag skulle vilja; vänligen; snälla
"""
"""Politeness before a phrase that does not change it."""

BEHIND = """
please; pls; plz; thanks; thank you; thx; many thanks; thanks a lot; thank you very much; thanks in advance
now; right now; for me; to me; here; at the moment; if possible; sorry; first; thanks nabu; please nabu; bitte
danke; vielen dank; s'il te plaît; s'il vous plaît
merci; por favor
gracias; per favore; grazie; alsjeblieft; alstublieft; bedankt
"""
"""Politeness after a phrase."""
