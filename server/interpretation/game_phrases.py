"""The phrases about one game, in the format that `phrase_table.py` explains."""

import re
from collections.abc import Sequence

from server.commands.game_words import ACCEPT, DECLINE, DRAW, REMATCH, RESIGN, TAKEBACK
from server.commands.word import Word

IN_PROSE: dict[str, Sequence[Word]] = {
    "invited": (ACCEPT, DECLINE),
    "running": (RESIGN, DRAW, TAKEBACK),
    "over": (REMATCH,),
}
"""The commands that people describe in their own sentences, by the state of the game."""
DRAWN = re.compile(r"\bdraw(?:s|ing)? (?:it|this|that|near|out|on|up|the line|your)\b", re.IGNORECASE)
"""Sentences in which “draw” means something else than a draw."""
IN_A_GAME = """
# The board
[{see}] {me} [the|my|current] [current|last|latest] (board|diagram|position|status|state|game) [again|now]
    => show
[what is] [the] [current] (score|position|status|state) => show
where are we ?> show
where (can|do|could) i (see|find|view) (the|my) [current] (board|game|position|diagram) ?> show
what does the board look like => show
(whose|who's|who is) (turn|move|turn now) is it [now] => show
whose (turn|move) => show
who (won|is winning|is ahead|leads) => show
who (is to move|has to move|moves|is next|is up|goes first|plays first|starts|begins) => show
is it my (turn|move) => show
am i to move => show
(how much time|how long) do i have [left] [for (a|each|my|the|this) (move|turn)] => show
[what is|when is] [my|the] (deadline|time left|time|clock|time limit) => show
(which|what) (pieces|discs|marbles|stones|troops|ones) (are mine|do i have|are my own) => show
how long (does|do) (he|she|they|my opponent|<name>) have [left] => show
who am i playing [against|with] => show
i (did not|didn't|have not|haven't) (get|got|receive|received) [any|an|the|your] [last] ({mail}) [<text>]
    ?> show
(which|what) (colour|color|side|player) (am i|do i have|is mine) [playing] => show
how (much time|long) (is left|is there|do we have|have i) [left] => show
when (is it due|is my move due|do i have to move) => show
[{see}] {me} [the] (picture|score) => show
(resend|send again) {me} [the|my|your|that] [last|latest] [{mail}|message|position|turn] => show
send {me} (the|your|that|my) [last|latest] ({mail}|message|position|turn) again => show
i (lost|deleted) (the|your|my) [last|latest] ({mail}) [<text>] ?> show
wer ist {de} {de} (dran|am zug|an der reihe|der nächste) {de} => show
(bin ich|ist er|ist sie) {de} {de} (dran|am zug|an der reihe) {de} => show
(wessen zug ist|wer muss) {de} {de} (es|ziehen|spielen) => show
(c'est|est-ce) à (qui|moi) [de jouer|le tour] [maintenant] => show
(à qui (le tour|de jouer|est-ce)|(c'est|est-ce) mon tour) [de jouer] [maintenant] => show
(a quién le toca|me toca|le toca) [a mí] [jugar|mover] [ahora] => show
(de quién es el turno|es mi turno) [ahora] => show
(a chi tocca|tocca a me|di chi è il turno|è il mio turno) [giocare|muovere] [ora|adesso] => show
(wie is|ben ik) [er|nu] aan (de beurt|zet) [nu] => show
(wiens|wie zijn) beurt is het [nu] => show
(czyj|czyja) (ruch|kolej|tura|teraz kolej|teraz ruch) [jest] [teraz] => show
(kto [teraz] (gra|ma ruch|się rusza)|czy [to|teraz] (moja kolej|mój ruch)) => show
(de quem é a vez|é [a] minha vez|quem joga) [agora|de jogar] => show
(vems tur är det|är det min tur) [nu] => show
(zeig|zeige|zeigt|zeigen sie) {de} {de} (das|die|den) [aktuelle|aktuellen]
    (brett|spielbrett|stellung|spielstand) {de} => show
wie (sieht das brett|steht das spiel|steht die partie|ist die stellung|ist der stand|steht es) {de} [aus]
    => show
[das] [aktuelle] (brett|spielbrett|stellung|spielstand) [zeigen|anzeigen|bitte] => show
(montre|montrez|affiche|affichez|montre-moi|montrez-moi|voir) [moi] (le|la) (plateau|damier|position|grille)
    => show
(muestra|muéstrame|muéstreme|enséñame|ver|mostrar) (el|la) (tablero|posición) => show
(mostra|mostrami|mostrare|vedere|fammi vedere) (la|il) (scacchiera|tavoliere|posizione|tabellone) => show
(toon|laat) [mij|me] [het|de] (bord|stelling) [zien] => show
(pokaż|pokazać|wyświetl) [mi] [proszę] (planszę|pozycję) => show
(mostre|mostra|mostrar|mostre-me|mostra-me|ver) [me] (o|a) (tabuleiro|posição) => show
(visa|se) [mig] (brädet|spelplanen|ställningen) => show
[{see}] {me} [the] [whole|full] [game|move] history => history
[{see}] {me} (all|all the|all of the) (moves|turns) [so far|until now|up to now] => history
[the] (moves|turns) (so far|until now|up to now) => history
what (happened|was played|has happened|has been played)
    [so far|until now|[in] [the] last turn|since my last move] => history
(last move|what was the last move|what did (he|she|they|my opponent|<name>) (play|move)) => history
(log|previous moves|earlier moves) => history
(verlauf|spielverlauf|historique|historial|cronologia) => history

# Moves
[{see}] {me} [what are|which are] [all] [the|my] ({legal}) (moves|turns|plays) => moves
[list|show] {me} [my|the] moves => moves
(what|which) are my (moves|options|choices) => moves
(what|which) moves (are legal|are possible|are allowed|do i have|can i make|can i play|are there) => moves
(what|where) (can|could|may) i (play|move|go|place) => moves
how (do i|can i|to) (move|play a move|make a move) => moves
(can i move|can not i move|i can not move|i have no (moves|move|legal moves)) [, can i] ?> moves
i do not (understand|know what to do|know how to play|get it|get this) [<text>] ?> moves | rules | help
i do not (know|understand) the rules ?> rules | help
what (am i supposed|do i have|do i need) to do [now|next] ?> moves | rules | help
(mögliche|erlaubte|legale) züge => moves
was kann ich (spielen|ziehen) => moves
(was|wie) (muss|soll|kann|darf) ich {de} {de} (machen|tun|spielen|ziehen) {de} [<text>] ?> moves | rules | help
ich (verstehe|versteh|kapiere) {de} [die|das|den] [regeln|spielregeln|spiel] [noch] (nicht|nichts) [<text>]
    ?> moves | rules | help
ich (weiß|weiss) {de} nicht (was|wie) [<text>] ?> moves | rules | help
(wie|was) (lauten|sind|gehen) {de} die (regeln|spielregeln) [<text>] ?> rules
wie (geht|funktioniert|spielt man) {de} (das|dieses spiel|das spiel) => rules
(erklär|erkläre|erklären sie) {de} {de} (die|das) (regeln|spielregeln|spiel) => rules
(qu'est-ce que|que) (je dois|je peux|dois-je|puis-je) (faire|jouer) [<text>] ?> moves | rules | help
je ne (comprends|sais) pas <text> ?> moves | rules | help
(quelles sont|expliquez|expliquez-moi|explique-moi) les règles [du jeu] => rules
comment (on joue|joue-t-on|jouer|ça marche) => rules
qué (tengo que|debo|puedo) (hacer|jugar) [ahora] [<text>] ?> moves | rules | help
no (entiendo|comprendo|sé) [<text>] ?> moves | rules | help
(cuáles son|explícame|explíqueme) las reglas [del juego] => rules
cómo se juega [a esto] => rules
(che cosa|cosa|che) (devo|posso) (fare|giocare) [ora|adesso] [<text>] ?> moves | rules | help
non (capisco|ho capito) [<text>] ?> moves | rules | help
(quali sono|spiegami|mi spieghi) le regole [del gioco] => rules
come si gioca => rules
wat (moet|kan|mag) ik [nu|hier] (doen|spelen|zetten) [<text>] ?> moves | rules | help
ik (begrijp|snap) [de|het|er|dit] [regels|spelregels|spel] (niet|niets) [<text>] ?> moves | rules | help
(wat zijn|leg) [me|mij] de (regels|spelregels) [uit] => rules
hoe (speel je|speel ik|werkt) (dit|het) [spel] => rules
co (mam|mogę|muszę|powinienem) [teraz] (zrobić|zagrać|robić) [<text>] ?> moves | rules | help
nie rozumiem [<text>] ?> moves | rules | help
(jakie są zasady|jak się [w to] gra) [gry] => rules
(o que|que) (devo|posso|tenho que|tenho de) (fazer|jogar) [agora] [<text>] ?> moves | rules | help
não (entendo|compreendo|percebo) [<text>] ?> moves | rules | help
(quais são|explique-me|explica-me) as regras [do jogo] => rules
como se joga [isto|isso] => rules
vad (ska|kan|måste) jag (göra|spela) [nu] [<text>] ?> moves | rules | help
jag (förstår|fattar) inte [<text>] ?> moves | rules | help
(vad är|vilka är|förklara) reglerna => rules
hur spelar man => rules
(coups|mouvements) (possibles|légaux) => moves
(jugadas|movimientos) (posibles|legales) => moves
<move> , if <conditions> => <move> + if <conditions>
<move> if <conditions> ?> <move> + if <conditions>
[i (play|move|go|take)] <move> , [and] [then] if (he|she|they|my opponent|<name>)
    (plays|play|moves|goes|takes|answers|replies) [with|to] <answer> [,] [then]
    [i|i will|i'll] [play|move|go|take] <next> ?> <move> + if <answer> then <next>
if (he|she|they|my opponent|<name>) (plays|play|moves|goes|takes) [to] <move> [then]
    (i|i will|i'll) (play|move|go|take|answer|reply) [to|with] <answer> ?> if <move> then <answer>
(preview|try|try out|test|simulate|dry run) <move> => ? <move>
what (if i|happens if i) (play|move|move to|go to|take) <move> => ? <move>

# Draws, takebacks, the end
[i] (offer|propose|suggest|request) [you|him|her|them|my opponent|<name>] [a] draw => draw
draw (offer|offered|proposed) ?> draw
(would you like|do you want|do you accept|how about|what about|want|fancy|care for) a draw ?> draw
(nulle|tablas|patta) ?> draw
(decline|reject|refuse|no) [the|this|your|a] draw [offer] ?> :: To decline a draw, just play on.
[no] i (don't|do not) (want|accept|agree to) [the|your|this|a] draw [offer]
    ?> :: To decline a draw, just play on.
[i] (accept|agree to|take) [the|your|his|her|a] draw [offer] => draw
(call it|agree on) a draw => draw
ask (him|her|them|my opponent|<name>) (for|if (he|she|they) (wants|accepts|accept|would like|agrees to))
    a draw ?> draw
(have|get|ask for|i want|should we have|should we agree on) a draw ?> draw
(a draw|draw by agreement|let's draw) ?> draw
would you (take|accept|agree to) a draw [<name>] ?> draw
[ich] (biete|nehme|schlage|akzeptiere) [dir|ihnen|das] [ein] (remis|unentschieden) [an|vor] ?> draw
(sollen|wollen|können) wir {de} [uns|uns auf] [auf] [ein] (remis|unentschieden)
    [einigen|machen|spielen|vereinbaren] ?> draw
(wie wäre es|wie wär's|wie wäre's|einverstanden|einigen wir uns|wir einigen uns) (mit|auf) [einem|ein]
    (remis|unentschieden) ?> draw
(möchtest du|willst du|möchten sie|wollen sie|nimmst du|nehmen sie) [ein] (remis|unentschieden) [an] ?> draw
(unentschieden|match nul|partie nulle|empate|pareggio|remise|remi|oavgjort) ?> draw
(on fait|faisons|on déclare|veux-tu|voulez-vous|acceptez-vous|acceptes-tu|partie) [la|le|un|une] [partie]
    (nulle|match nul) ?> draw
(hacemos|acordamos|quieres|quiere|aceptas|acepta|te parece|pedimos) [un|el|en|hacer] (tablas|empate) ?> draw
(facciamo|vuoi|vuole|accetti|accetta) [una|la|un|il] (patta|pareggio) ?> draw
(zullen we|spelen we|wil je|wilt u) [een] remise [maken|overeenkomen|spelen|afspreken] ?> draw
[ik] (bied|stel) [een] remise [aan|voor] ?> draw
(proponuję|proponujesz|przyjmuję|zgadzasz się na|zgoda na|może) remis ?> draw
(vamos|aceita|aceitas|queres|quer|podemos|ofereço|proponho) [combinar|fazer|acordar|um|o] [um] empate ?> draw
(ska vi|vill du|kan vi|jag föreslår|jag erbjuder) [ta|göra|ha|enas om|komma överens om] (remi|oavgjort) ?> draw
remis (anbieten|annehmen) => draw
remis ?> draw
[je] (propose|proposer|accepte|accepter) [la] nulle => draw
(ofrezco|propongo|acepto|ofrecer|aceptar) tablas => draw
(propongo|offro|accetto) [la] patta => draw
(proponho [um] empate|empate|proponuję remis|remi|предлагаю ничью|ничья|beraberlik teklif
    ediyorum|döntetlen|和棋|求和|引き分け) ?> draw
remise (aanbieden|aannemen) => draw
(i [want to|have to|must|would like to]|i'd like to) (resign|{give up}|quit) [the|this] [game] ?> resign
({give up}) [the|this] [game] ?> resign
(i|we) ({give up}|resign) , you (win|won) ?> resign
(i ({give up}|resign)|i am giving up|i am resigning|i throw in the towel|(white|black) (gives
    up|resigns)) ?> resign
(poddaję się|[я] сдаюсь|здаюся|jag ger upp|jeg gir opp|jeg giver op|ik geef het
    op|luovutan|feladom|desisto|vzdávám se|pes ediyorum|terk ediyorum|参りました|投了|投了します) ?> resign
(认输|我认输|我認輸) ?> resign
(resign|quit|leave|end|stop|abort|abandon) (the|this|my) game ?> resign
(end game|abort) ?> resign
(ich gebe auf|aufgeben|j'abandonne|abandonner|me rindo|mi arrendo|ik geef op|opgeven) ?> resign
({undo}) [my|the] [last] move => takeback
(undo|revert|retract) (that|it|this) ?> takeback
take (it|that|this|[my|the] [last] move) back => takeback
take back (it|that|this) => takeback
[i] (made a mistake|misclicked|mistyped|wrong move|sorry wrong move|oops [wrong move]) ?> takeback
    :: “takeback” asks the others to let you take back your last move.
[oops|sorry] [wrong move|wrong square] i meant [to play] <move> ?> takeback
    :: “takeback” asks the others to let you take back your last move.
[meinen|den] [letzten] zug zurücknehmen => takeback
(may|can|could) i have (my|the) [last] move back ?> takeback
(sure|ok|of course|yes) [you (can|may)] (take it back|undo) ?> takeback
(kann|darf|könnte|dürfte) ich {de} (meinen|den|diesen) [letzten] zug {de} {de}
    (zurücknehmen|zurückziehen|rückgängig machen) ?> takeback
[puedo|podría|quiero|quisiera] (deshacer|retirar|anular|rehacer) (mi|la|el) [última|último] (jugada|movimiento)
    ?> takeback
(puis-je|je peux|est-ce que je peux|je veux|je voudrais) (annuler|reprendre|retirer) (mon|le|ce) [dernier] coup
    ?> takeback
[posso|vorrei|voglio] (annullare|ritirare|riprendere) (la|la mia|l'ultima|la mia ultima) mossa ?> takeback
[mag|kan|wil] [ik] (mijn|de) [laatste] zet terugnemen ?> takeback
[czy mogę|mogę|chcę] cofnąć [mój] [ostatni] ruch ?> takeback
[posso|quero|queria] (desfazer|voltar|anular|retirar) (a|a minha|minha|o|o meu|meu) [última|último]
    (jogada|lance|movimento) ?> takeback
[kan|får] [jag] (ta tillbaka|ångra) (mitt|det) [senaste|sista] (drag|draget) ?> takeback
(待った|今の手を戻してもいいですか) ?> takeback
(that was a mistake|wrong move) [, <text>] ?> takeback
[still] (change|correct) (my|the) [last] move ?> takeback
[play] <move> instead [of <answer>] ?> <move> | takeback
    :: If you have already moved, “takeback” asks the others to let you take back your move.
(annuler|reprendre) [mon|le] [dernier] coup => takeback
({undo}) (my|the) orders => withdraw
[i] claim [the|a|my] (victory|win|game) [on time] => claim
[i] (win|won) on time ?> claim
<name>'s time is (up|over) ?> claim
(he|she|my opponent) (does not answer|does not move|is too slow|has run out of time|ran out of time) ?> claim
(timeout|time out|time is over|time is up|his time is up|her time is up|(he|she) is too slow) ?> claim
(revenge|revanche|nochmal|encore une|otra|ancora|one more|another one|noch eine|noch eine partie|noch ein
    spiel) ?> rematch
[play] (a|another|a new|one more) (rematch|revenge|{match}) ?> rematch
(analyse|analyze) [the|this|my|our] game => analyse
(analyse|analyze) (it|this|that) => analyse
(where did i go wrong|what did i do wrong|what was my mistake) ?> analyse
[give|show|send|have|get] [me] [a] hint => hint
(i need a hint|what should i (play|move|do)|what is the best move|best move|what would you play) ?> hint | moves
(help me with my move|any suggestions|any ideas|suggest a move) ?> hint | moves

# Answers to an invitation
i accept ?> accept
[ja] ich nehme [es|die einladung|die herausforderung] [gerne] an ?> accept
[i] accept [the|this|your|that] (invitation|challenge|game|offer) ?> accept
(sure|with pleasure|gladly|count me in|i'm in|i am in|i'll play|let's play) ?> accept
(gerne|avec plaisir|con gusto|volentieri|graag) ?> accept
(decline|reject|refuse) [the|this|your|that] (invitation|challenge|game|offer) ?> decline
(no thanks|no thank you|not now|not today|not this time|maybe later|another time|some other time|i have no time
    [now|today]|not interested|reject|refuse) ?> decline
[only] [if] [we|i] (have|get|play with|with) <span> (per|a|each|for each|for a|for every) (move|turn)
    ?> counter time=<span>
(no|nope|nein|non|nee|нет) ?> decline
(nein danke|non merci|no gracias|no grazie|nee bedankt) ?> decline

# Time
[i] (need|want|have) [a few|some] more (days|hours|time) ?> say May I have more time, please? | vacation 3d
    :: Only your opponents can give you time in this game. “vacation 3d” pauses all your clocks for three days.
(have|i need|need|give me) <span> [more] [please] ?> say May I have more time, please? | vacation <span>
    :: Only your opponents can give you time in this game. “vacation” pauses all your clocks.
([i] (need|want|have)|give me) {more time} ?> say May I have more time, please? | vacation 3d
    :: Only your opponents can give you time in this game. “vacation 3d” pauses all your clocks for three days.
((kann|könnte|darf|dürfte) ich {de} [etwas|ein wenig|noch] mehr [bedenkzeit|zeit]
    (haben|bekommen|kriegen)|ich (brauche|bräuchte) {de} [etwas|ein wenig|noch] mehr
    (bedenkzeit|zeit)|(puis-je|je peux|pourrais-je|est-ce que je peux) avoir [un peu] plus de temps|j'ai
    besoin [d'un peu] de plus de temps|(puedo|podría) tener [un poco] [de] más [de] tiempo|necesito [un
    poco] [de] más [de] tiempo|(posso|potrei) avere [un po' di] più tempo|(mi serve|ho bisogno di) [un po'
    di] più tempo|(mag|kan) ik [wat] meer (tijd|bedenktijd) (hebben|krijgen)|ik heb [wat] meer
    (tijd|bedenktijd) nodig|(potrzebuję|czy mogę dostać) [trochę] więcej czasu|(preciso de|posso ter) [um
    pouco] [de] mais tempo|(jag behöver|kan jag få) [lite] mer (tid|betänketid)) ?> say May I have more
    time, please? | vacation 3d :: Only your opponents can give you time in this game. “vacation 3d” pauses
    all your clocks for three days.
give (him|her|them|my opponent|<name>) more time ?> give 1d
give (him|her|them|my opponent|<name>) <span> [more] ?> give <span>
(mute|silence) [this game|the game] [for] <span> => mute <span>
(mute|silence) (this|the) game ?> mute 30d
(no more|stop [the]|stop (sending|writing) [me] [any|more]|do not (send|write) [me] [any] [more])
    ({mails}|notifications) (about|for|from|of) (this|the) game ?> mute 30d

# The rest
(how (may|can|do|should) i|may i|must i|can i|do i have to)
    (capture|hit|destroy|jump|remove|nibble|place|swap|build|bear off) <text> ?> rules | moves
why (was|is) my (move|last move) (not allowed|refused|rejected|wrong|illegal) ?> moves | rules
why (is|was) <move> (not (allowed|possible|legal|valid)|refused|rejected|wrong|illegal|impossible)
    ?> moves | rules
why (can not i|can i not|couldn't i|could i not) (play|move|move to|go to|take) <move> ?> moves | rules
what (does|do) <text> mean ?> rules | help
[(show|tell|send|explain) {me}] [what are] (the|game) rules [of (this|the) game] => rules
(explain|show) the rules => rules
how (do i|do you|do we|to) play [this] [game] => rules
how (do i|do you|do we|can i|to) win [this] [game] => rules
how does (this|the) game work => rules
({rules}) => rules
how (do i|can i|to) (say|talk|chat|speak|write to|write a message|send a message) [<text>] => help messages
(tell (him|her|them|my opponent)|write to (him|her|them|my opponent)) <text> => say <text>
send [him|her|them|my opponent] [a] message <text> ?> say <text>
"""
"""The phrases about one game: the one whose email is answered, the one that is named, or the only one."""
