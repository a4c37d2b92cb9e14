"""The words with which people agree and refuse, in many languages.

";" separates phrases, in lower case. `your|the offer` stands for “your offer” and “the offer”; `_` stands for
nothing as a word, and for a space within one: `your|_ offer`, `my_own|your offer`.
"""

AGREEING = """
yes; yeah; yep; yup; sure; sure thing; of course; certainly; gladly; absolutely; definitely; with pleasure
agreed; i agree; we agree; deal; it's a deal; accepted; challenge|invitation|offer|draw accepted
fine with|by me; that's|that|it's|i'm|i_am is|_ fine|ok|okay with|by me|that
that's|it's okay|ok|fine with|by me; ok|okay with|by me; i accept; i accept it|this|that
i accept _|the|your|this|that|his|her offer|draw|proposal|invitation|challenge
i accept _|the|your|this|that|his|her request|takeback|terms; i accept the|your draw _|offer
i'll|i_will accept; i am|_ happy|glad to accept; i'm happy|glad to accept
i agree to|with the|your|this|that|a draw|takeback|offer|request; i agree to|with this|that|it; i do agree

ja; jawohl; klar; na klar; klar doch; gerne; gern; sehr|nur|nur_zu gerne|gern; natürlich; selbstverständlich
sicher; einverstanden; ich|_ bin einverstanden; angenommen
einladung|herausforderung|angebot|remis angenommen; zusage; ich sage zu; abgemacht; akzeptiert
ich akzeptiere; ich akzeptiere es|das|dein_angebot|das_angebot|die_einladung; ich nehme gerne|gern an
ich nehme es|das _|gerne|gern an; ich nehme dein|das|ihr angebot|remis _|gerne|gern an
ich nehme die|deine|ihre einladung|herausforderung _|gerne|gern an; ich stimme zu; auf jeden fall
mit vergnügen; gerne dabei

oui; ouais; bien sûr; d'accord; je suis d'accord; volontiers; avec plaisir; certainement; absolument
accepté; acceptée; j'accepte; j'accepte ton|votre|cette offre|proposition
j'accepte l'offre|l'invitation|la_nulle; marché conclu; ça me va

sí; si; claro; claro que sí|si; por supuesto; de acuerdo; estoy de acuerdo; con gusto; con mucho gusto
desde luego; acepto; acepto la|tu|su oferta|invitación|propuesta; aceptado; aceptada
trato hecho

sì; certo; certamente; d'accordo; sono d'accordo; volentieri; con piacere; accetto
accetto l'offerta|l'invito; accetto la tua|sua|_ offerta|proposta|patta; accettato; affare fatto

sim; claro que sim; com certeza; de acordo; com prazer; aceito; aceito a|o|sua oferta|convite|proposta
combinado; concordo

graag; natuurlijk; zeker; akkoord; ik ga akkoord; afgesproken; geaccepteerd; ik accepteer; met plezier

jadå; javisst; visst; gärna; självklart; naturligtvis; överens; jag accepterar; accepterat; avgjort
selvfølgelig; naturligvis; gjerne; aftalt; avtalt; jeg accepterer; jeg aksepterer; accepteret
akseptert; kyllä; joo; juu; tietysti; tottakai; sovittu; hyväksyn; mielelläni

oczywiście; jasne; pewnie; zgoda; zgadzam się; chętnie; z przyjemnością; przyjmuję; akceptuję; ano; áno
jasně; jasné; samozřejmě; samozrejme; souhlasím; súhlasím; dohodnuto; dohodnuté; přijímám; prijímam; да
конечно; согласен; согласна; я согласен|согласна; договорились; с удовольствием; принимаю; звичайно
звісно; згоден; згодна; домовились; із задоволенням; приймаю; погоджуюсь; evet; tabii; tabii ki; elbette
kabul; kabul ediyorum; anlaştık; memnuniyetle; igen; persze; természetesen; elfogadom; egyetértek
megegyeztünk; ναι; βέβαια; φυσικά; σύμφωνοι; συμφωνώ; δέχομαι; ευχαρίστως; はい; もちろん; 同意します
喜んで; 受けます; 賛成; 賛成です; 是; 是的; 当然; 當然; 同意; 我同意; 接受; 我接受; 네; 예
물론; 물론입니다; 동의합니다; 수락합니다; نعم; بالتأكيد; طبعا; موافق; موافقة; أوافق; أقبل
"""
"""Phrases that agree to an offer."""

LEANING = """
ok; okay; alright; all right; fine; good; great; perfect; nice; super; cool; excellent; wonderful; why not
go ahead; be my guest; by all means; sounds good|great|fine|fair|perfect _|to_me; works for me; no problem
no worries; let's do it|that|this; fair enough; accept; please accept; happy to; i'd be happy|glad to
you can|may; you may have it; take it back; count me in; i'm in; i am in; i'd|i_would love to; love to
game on; you're on; of course you can|may; a|_ draw it is
a|_ draw is|sounds fine|good|ok|okay|fair _|with_me|to_me

gut; in ordnung; passt; passt für mich; von mir aus; meinetwegen; warum nicht; klingt gut; prima; toll
alles klar; da|_ mache|mach ich _|gerne|gern mit; ich mache|mach|spiele|spiel _|gerne|gern mit
ich|_ bin _|gerne|gern dabei; da bin ich _|gerne|gern dabei; kein problem; schön; freut mich; ich freue mich
das nehme ich _|gerne|gern an; nur zu; wir sind dabei

pourquoi pas; parfait; très bien; je joue; je participe; je suis partant|partante; pas de problème; vas-y
por qué no; vale; adelante; perfecto; muy bien; me apunto; va bene; perché no; perfetto; ci sto; está bem
por que não; perfeito; goed; is goed; waarom niet; ik doe mee; okej; varför inte; jag är med; hvorfor ikke
fint; jeg er med; miksi ei; selvä; tak; dobrze; czemu nie; w porządku; dobře; dobre; proč ne; хорошо; ладно
почему бы и нет; давай; так; добре; чому б ні; tamam; olur; neden olmasın; rendben; jó; miért ne; εντάξει
γιατί όχι; いいですよ; いいです; 好; 好的; 可以; 行; 좋습니다; 좋아요; حسنا; تمام
enig; encantado; encantada; entendu; 承知しました; принято
"""
"""Phrases that often agree; alone, they may only be a comment, or mean something else in another language."""

JOINING = """
let's play|start|begin|go; let us play|start|begin; bring it on
i'd|i_would love|like to; i'd|i_would love|like to play|join; i'd|i_would be happy|glad to play|join
love|happy|glad to play|join; i'm|i_am happy|glad to play|join; i'll|i_will play|join; i want to play|join
_|i'm|i_am looking forward to it|this|the_game|our_game|playing; can't wait

lass uns spielen|anfangen|loslegen; auf geht's; los geht's
ich freue|freu mich _|schon drauf|darauf; freue|freu mich _|schon drauf|darauf
ich möchte|will|würde _|gerne|gern mitspielen|spielen

jouons; on joue; allons-y; je joue _|avec_plaisir; je veux|voudrais bien jouer; juguemos; vamos; vamos a jugar
quiero jugar; giochiamo; andiamo; voglio giocare; vamos jogar; quero jogar; laten we spelen|beginnen
ik wil _|graag spelen|meespelen
"""
"""Phrases that accept an invitation to a game; to another offer, they may mean to play on."""

REFUSING = """
no; nope; no thanks; no thank you; not now; not yet; not today; not interested; i decline; i refuse
declined; rejected; refused; no way; never; no time; i have no time; i don't have _|the|any time; i can't
i cannot; unfortunately; sadly; sorry but; maybe later; another time; some other time; play on
let's play on; continue; keep playing; carry on; rather not; i'd rather not; i don't want; i do not want
pass; i'll|i_must|i_have_to pass; count me out; no interest; too|so busy; i'm|i_am _|very|really|quite busy

nein; nö; nein danke; leider; leider nicht|nein; keine zeit|lust; nicht jetzt; jetzt nicht; ein andermal
abgelehnt; ich lehne ab; absage; ich muss _|leider absagen; ich sage ab; lieber nicht; weiterspielen
wir spielen weiter; weiter; kein interesse; ich habe|hab kein interesse; nichts für mich

non; non merci; pas maintenant; pas le temps; pas intéressé|intéressée; malheureusement; hélas
je refuse; refusé; une autre fois
on continue; no gracias; ahora no; no tengo tiempo; lamentablemente; desgraciadamente; rechazo; rechazado
otra vez será; no grazie; non ora; non adesso; non ho tempo; purtroppo; rifiuto; un'altra volta; não
não obrigado|obrigada; agora não; sem tempo; não tenho tempo; infelizmente; recuso; fica para a próxima; nee
nee bedankt; helaas; geen tijd; niet nu; ik weiger; nej; nej tack|tak; nei; nei takk; tyvärr; desværre
dessverre; ingen tid; inte nu; ikke nå|nu; ei; ei kiitos; valitettavasti; ei nyt; nie; nie dziękuję
niestety; nie mam czasu; odmawiam; ne; ne děkuji; bohužel; nemám čas; nie ďakujem; žiaľ; нет; нет спасибо
к сожалению; нет времени; отказываюсь; не сейчас; ні; ні дякую; на жаль; немає часу; hayır
hayır teşekkürler; maalesef; vaktim yok; reddediyorum; nem; nem köszönöm; sajnos; nincs időm; όχι
όχι ευχαριστώ; δυστυχώς; いいえ; 残念ながら; 不; 不了; 不行; 不用了; 没时间; 很遗憾; 아니요; 아니오; لا
لا شكرا; للأسف
"""
"""Phrases that refuse an offer, or prefer to play on."""

WROTE_IT = """
that|it|this was _|indeed|really me; that's|it's me; that|it is me; i did; i wrote|sent it|this|that
i did write|send it; correct; that's|that_is correct|right; right; true; confirmed; confirm
i confirm _|it|this|that; this|that|it is mine; this|that|it was from me
i wrote|sent this|that|the email|mail|message

das|es war|bin ich; ich war|bin das|es; ich bin's; ich war's; das ist|kam|war _|alles von mir; von mir
stimmt; das stimmt; richtig; korrekt; bestätigt; ich bestätige _|das|es
das|die|_ habe|hab ich geschrieben|geschickt; bin ich; die|diese mail|e-mail ist|war|kam von mir
diese mail|e-mail habe ich geschrieben|geschickt

c'était _|bien moi; c'est _|bien moi; je confirme; confirmé; exact; c'est exact|correct
je l'ai écrit|envoyé; fui yo; era yo; soy yo; he sido yo; confirmo; lo confirmo; correcto; confirmado
lo escribí yo; sono io; ero io; sono stato|stata io; confermo; lo confermo; corretto; esatto
l'ho scritto io; fui eu; sou eu; era eu; correto; dat was|ben ik; ik was|ben het; klopt; dat klopt
bevestigd; ik bevestig; det var|är jag; stämmer; det stämmer; det var|er mig|meg|jeg; stemmer; det stemmer
se olin minä; minä se olin; vahvistan; to ja; to byłem|byłam ja; potwierdzam; zgadza się; tak to ja
to jsem byl|byla já; to jsem já; potvrzuji; potvrdzujem; это я; это был|была я; подтверждаю; верно; це я
це був|була я; підтверджую; bendim; benim; onaylıyorum; doğru; én voltam; én vagyok; megerősítem; εγώ ήμουν
εγώ είμαι; επιβεβαιώνω; 私です; 私でした; 是我; 是我发的; 确认; 저예요; 저입니다; 확인합니다; أنا; هذا أنا
أؤكد
"""
"""Phrases that answer “Was this you?” with yes."""

NOT_MINE = """
that|it|this wasn't|was_not|isn't|is_not me|mine; that's|it's not me|mine; not me; i didn't|did_not
not from me; i didn't|did_not write|send it|this|that
i didn't|did_not write|send this|that|the|any email|mail|message; wrong

das|es war|bin ich nicht; ich war|bin das|es nicht; nicht ich; nicht von mir; das ist|kam|war nicht von mir
das habe|hab ich nicht geschrieben|geschickt; falsch; stimmt nicht; das stimmt nicht

ce n'était|n'est pas moi; c'était|c'est pas moi; pas moi; no fui yo; no era|soy yo; no he sido yo
non sono|ero io; non sono stato|stata io; não fui eu; dat was|ben ik niet; niet van mij; det var|är inte jag
det var|er ikke mig|meg|jeg; en se ollut minä; to nie ja; to jsem nebyl|nebyla já; это не я; це не я
ben değildim; nem én voltam; 不是我
"""
"""Phrases that answer “Was this you?” with no."""
