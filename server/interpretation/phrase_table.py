"""The phrases that Nabu understands besides its commands. To add one, add a row.

A row is a pattern, an arrow and a command: `[show] my games => games`. With `=>` the phrase means the same and
is carried out; with `?>` the command is only suggested, or several with ` | ` between them. ` + ` starts
another line of it. After `::` a sentence for the writer may follow, even without a command. An indented line
continues the row above.

In a pattern, `[…]` may be missing, `(…|…)` is one of several, `{…}` stands for words in `WORDS`, and `<…>` is a
slot that the command repeats: game, dates (in English), days (dates that Nabu can read, in English), number,
name, proper (a name that does not begin with a lower-case letter), email, who (a name or an email address),
span (3 days), often (daily, weekly), level (a computer player by its strength), agreed (yes in another
language), setting, move, answer and next (more moves), conditions, text.
`<each game>` in a command stands for each game in turn, `{games}` in a sentence for their names. Short forms
such as “what's” fit like the words that they stand for.

Upper and lower case, politeness around a phrase, and a comma or a colon between two words do not matter; a
comma in a pattern must be there. The first row that fits decides. Rows that end something, such as those for
`stop` and `resign`, must fit nothing else. Those about one game are in `game_phrases.py`,
those about the writer's account in `account_phrases.py`.
"""

from server.interpretation.account_phrases import ABOUT_THE_ACCOUNT

WORDS = """
me: [me|us]
vs: with|against|vs|vs.|versus
computer: [the|a|den|einen|de|il|l'|un|el|la|o] ({machine})
machine: computer|bot|machine|ai|nabu|you|ordinateur|l'ordinateur|ordenador|computadora|máquina|komputer|datorn
a game: [a|an|another] [new] [game|match|round] [of]
match: game|match|round
mail: e-mail|email|mail
mails: e-mails|emails|mails|e-mail|email|mail
address: {mail}|address|({mail}) address
see: list|show|see|view|get|give|send|display|print|tell
find: find|search|search for|look for|[i'm|i am] looking for|get|[i] need
anybody: somebody|someone|anybody|anyone
pace: [with|at|on] <span> [(per|a|each|for each) (move|turn)]
people: opponent|opponents|player|players|partner|partners
ranking: rating|ratings|ranking|rankings|leaderboard|leader board|rangliste|classement
free: online|there|here|free|available|waiting|looking for a game|waiting for a game|waiting for an opponent
player: computer|bot|machine|computer player|opponent
friend: friend|husband|wife|partner|brother|sister|son|daughter|father|mother|dad|mum|mom|colleague|cousin
away: away|on vacation|on holiday|on holidays|off on holiday|travelling|traveling|gone|offline|absent
i am: i am|i'll be|i will be|we are|ich bin|bin
holiday: vacation|holiday|holidays|leave|urlaub|vacances|vacaciones|vacanza|vakantie
rules: spielregeln|regeln|règles|reglas|regole|regels|spelregels
enter: join|register for|register me for|sign up for|sign me up for|play in|take part in|participate in
legal: legal|possible|valid|available|allowed
undo: take back|undo|withdraw|revert|retract
give up: give up|surrender|concede|forfeit
more time: [some|a bit|a little] more time
de: [bitte|denn|jetzt|nun|eigentlich|gerade|grad|mal|nochmal|noch einmal|mir|uns]
and all data: [completely|permanently|forever] and [all] [of] [my|the] (data|games|information|personal data)
here: nabu|the server|this server|the site|this site|here
"""
"""Words that occur in several rows."""

_ABOUT_GAMES = """
# Lists of games
[{see}] {me} [all] [the] open games => lobby
[{see}] {me} [all] [the] players ?> lobby | ranking
how many (players|people|members) (are there|are here|play|are playing|are online) [here] ?> lobby | ranking
({see}) {me} [a list of|an overview of|the status of] [all] [of] [my|the] [current|active|running] games =>
    games
[what is] [the|an] (status|state|overview) of [all] my games => games
how (are|do) my games [going|doing|stand] => games
(do i have|are there) [any] games [that are] waiting [for me] => games
(which|what) games (are waiting|wait) [for me] => games
is it my (turn|move) (anywhere|somewhere|in any game) => games
(am i|are any of my games|is any game) (late|overdue) [anywhere|somewhere] => games
when is my next (deadline|move|turn) [due] => games
[what are] [all] my [current|active|running|ongoing] games => games
[a] list of [all] my games => games
(which|what) games (do i have|am i in|am i playing|are mine) => games
what am i playing => games
(what|which) [open|new] (challenges|invitations) (do i have|are there [for me]|are waiting [for me]) => games
(do i have|are there) [any|some] [open|new|waiting] (challenges|invitations) [for me] => games
[{see}] {me} [all] [of] my [open] (challenges|invitations) => games
(has|did|does) <name> (answered|answer|accepted|accept|seen|see|moved|move|played|play|got|get) [<text>]
    ?> games | who <name>
(which|what) games am i (losing|winning|behind in|ahead in) => games
(where|in which games) am i (supposed|meant|expected) to move => games
[send|give|show] {me} [an] overview of everything [<text>] ?> games
welche (spiele|partien) (habe|hab) ich [gerade|grad|noch|jetzt] [offen|laufen] => games
(welche|was für) (spiele|partien) (laufen|sind offen|gibt es|habe ich) [gerade|jetzt|noch|zur zeit|aktuell]
    ?> games | lobby
[proszę o] [listę|lista] (moich gier|moje gry) => games
(where|in which games|in which game) (is it my turn|do i have to move|am i to move) => games
(zeig|zeige|liste) [mir] [alle] meine (spiele|partien) => games
meine (spiele|partien) [anzeigen|zeigen] => games
[montre|montrez|affiche|montre-moi|montrez-moi] [moi] mes parties => games
(où|wo) (bin ich dran|bin ich am zug|est-ce mon tour|est-ce à moi de jouer) => games
[muestra|muéstrame|ver|cuáles son] mis partidas => games
(quelles|quels) (parties|jeux) (sont ouvertes|sont ouverts|y a-t-il|sont disponibles) => lobby
[mostra|mostrami] le mie partite => games
[toon] mijn (partijen|spellen) => games
(who is|who's) ({free}) => lobby
who wants to play [a game|with me] => lobby
(what is|whats) [currently] open [right now|now|at the moment] => lobby
[does] ({anybody}) (want|wants) to play [a game] [with me] => lobby
(is there|are there) [a|an|any|some] [open] (game|games) [i can|for me to|to] [join|waiting|open] => lobby
[list|show] [which|what] [are] [the] open games [are] [there] (of|for|in) <game> => lobby <game>
(which|what) [open] games (can i|could i|can we|may i) (join|enter|watch) => lobby
what (can i|could i|can we) (join|watch) => lobby
[is] (anybody|anyone|somebody|someone) ({free}) => lobby
(show|go to|enter|open|see) {me} [the] lobby => lobby
(watch|follow|spectate) [a|an|another|some] [other|running] (game|games) => lobby
({find}) {me} [an|a|some] ({people}|{match}|games)
    ?> lobby | seek <each game> :: Say which game you want to play: {games}.
({find}) {me} ({anybody}) [to play] [with]
    ?> lobby | seek <each game> :: Say which game you want to play: {games}.

# New games
(challenge|invite) [the|a] (computer|bot|machine) (to|at|in|for) {a game} <game> => challenge Enkidu <game>
(challenge|play) [against] [the|a|an] <level> ({player}) (to|at|in) {a game} <game> => challenge <level> <game>
[start|open|have|play] {a game} <game> ({vs}) [the|a|an] <level> ({player}) => challenge <level> <game>
[start|open|have|play] {a game} <game> ({vs}) [the|a|an] ({player}) of <level> strength => challenge <level>
    <game>
[start|open|have|play|challenge] {a game} <game> ({vs}) [my] ({friend}) [, at] <email> => challenge <email>
    <game>
(challenge|invite) [my] ({friend}) [, at] <email> (to|for) {a game} <game> => challenge <email> <game>
ask <who> (for|to play|about) {a game} <game> => challenge <who> <game>
send <who> [a|an] (challenge|invitation) (to|for|in|at) {a game} <game> => challenge <who> <game>
(play|start|open) {a game} <game> (unrated|not rated) (with|against) <who> => challenge <who> <game> rated=off
[challenge|play] [the|a] (computer|bot|machine) ?> challenge Enkidu <each game> :: Say which game: {games}.
(rematch|play again|another game|one more game) (with|against) <who>
    ?> challenge <who> <each game> :: Say which game: {games}.
[can|does|will|is there] ({anybody}) [want to|who wants to|to|up for a game of|up for] [play] <game> [with me]
    ?> seek <game> | lobby <game>
(is|are) ({anybody}) up for {a game} <game> ?> seek <game> | lobby <game>
[are you] up for {a game} <game> ?> seek <game> | challenge Enkidu <game>
({find}|open|start|play|create) {me} [an|a|some] [opponent|game|match] [for|of|in|at] <game> [game] {pace}
    ?> seek <game> time=<span>
({find}|open|start|play|create) {me} [an|a|some] [opponent|game|match] [for|of|in|at] <game> [game] for
    ({anybody}|everybody|all)
    ?> seek <game>
[play] (with|against) [real|other|human|another] ({anybody}|{people}|people|others|somebody
    else|humans|person|human) [(of|at|near) (my|a similar|the same) (level|strength|rating)|(as good|as strong)
    as me] [, <text>] ?> lobby | seek <each game>
    :: Say which game you want to play: {games}.
(challenge|invite) <who> [to|at|in|for] {a game} <game> {pace} => challenge <who> <game> time=<span>
(challenge|invite) <who> [to|at|in|for] {a game} <game> (unrated|not rated)
    => challenge <who> <game> rated=off
(challenge|invite) <who> (to|at|in|for) {a game} <game> => challenge <who> <game>
challenge <game> [with|against] <who> ?> challenge <who> <game>
invite <who> <game> => challenge <who> <game>
(challenge|invite) <who> [to|for] [a|another] [new] [{match}|play]
    ?> challenge <who> <each game> :: Say which game: {games}.
[start|open|begin|create|make|have] {a game} <game> ({vs}) {computer} => challenge Enkidu <game>
[start|open|begin|create|make|have] {a game} <game> ({vs}) <who> => challenge <who> <game>
play {a game} <game> ({vs}) {computer} => challenge Enkidu <game>
play {a game} <game> ({vs}) <who> => challenge <who> <game>
play [with|against] <name> again ?> challenge <name> <each game> :: Say which game: {games}.
play again , <name> ?> challenge <name> <each game> :: Say which game: {games}.
(challenge|invite) <who> (to|for) [a|another] (rematch|revenge|return match)
    ?> challenge <who> <each game> :: Say which game: {games}.
[play|start|begin] {a game} ({vs}) {computer} ?> challenge Enkidu <each game> :: Say which game: {games}.
[play|start|begin] {a game} ({vs}) <who> ?> challenge <who> <each game> :: Say which game: {games}.
(spiele|spiel) <game> (gegen|mit) {computer} => challenge Enkidu <game>
(spiele|spiel) <game> (gegen|mit) <who> => challenge <who> <game>
<game> (gegen|mit) {computer} [spielen] => challenge Enkidu <game>
<game> (gegen|mit) <who> [spielen] ?> challenge <who> <game>
[eine partie|ein spiel] (gegen|mit) {computer} [spielen] ?> challenge Enkidu <each game>
    :: Say which game: {games}.
(jouer|joue|jugar|juega|giocare|gioca|spelen|speel|grać|jogar|joga|spela)
    (avec|contre|con|contra|contro|tegen|met|z|przeciwko|com|mot|med) {computer}
    ?> challenge Enkidu <each game> :: Say which game: {games}.
(jouer|joue) [à|a] <game> (avec|contre) {computer} => challenge Enkidu <game>
(jugar|juega) [a] <game> (con|contra) {computer} => challenge Enkidu <game>
(giocare|gioca) a <game> (con|contro) {computer} => challenge Enkidu <game>
(jouer|joue) [à|a] <game> (avec|contre) <who> => challenge <who> <game>
(jugar|juega) [a] <game> (con|contra) <who> => challenge <who> <game>
(giocare|gioca) a <game> (con|contro) <who> => challenge <who> <game>
(wie kann ich|kann ich|ich möchte|wie) <proper> (herausfordern|einladen)
    ?> challenge <proper> <each game> :: Say which game: {games}.
[eine partie|ein spiel] (gegen|mit) <proper> spielen ?> challenge <proper> <each game>
    :: Say which game: {games}.
(jouer avec|jouer contre|jugar con|jugar contra|giocare con|giocare contro) <proper>
    ?> challenge <proper> <each game> :: Say which game: {games}.
(play|start|open|begin|create|make|join|find|have) {me} {a game} [table for] <game> [{match}]
    ?> seek <game> | challenge Enkidu <game>
({find}) {me} [an|a|some] ({people}) (for|in|at) <game>
    ?> seek <game> | challenge Enkidu <game>
[a|an|another] [new] ({match}) [of] <game> ?> seek <game> | challenge Enkidu <game>
[a] new <game> [{match}] ?> seek <game> | challenge Enkidu <game>
<game> (spielen|jouer|jugar|giocare|spelen) ?> seek <game> | challenge Enkidu <game>
<game> ?> seek <game> | challenge Enkidu <game> | rules <game>
(play|play something|play anything|a game|want to play) ?> seek <each game> :: Say which game: {games}.
(ein neues|ein|neues) (spiel|partie) [starten|anfangen|beginnen|spielen] ?> seek <each game> :: Say which game:
    {games}.
i want a game ?> seek <each game> :: Say which game: {games}.
i do not want to play (with|against) <name> [any more|anymore|again|ever again] ?> block <name> | ignore <name>
[play|start|begin|open|create|make] [a] new ({match}) ?> seek <each game> :: Say which game: {games}.
(play|start|begin|open|create|make) a ({match}) ?> seek <each game> :: Say which game: {games}.

[play] [a game of] (chess|checkers|draughts|backgammon|poker|scrabble|bridge|reversi|othello) [({vs}) <who>]
    ?> rules <each game> :: Nabu has other games: {games}.

# One game
({see}|open) {me} [the] ({match}) <number> => show <number>
(show|view|see) {me} <number> => show <number>
[show] {me} [the] (board|status|state|position) (of|in) [game] <number> => show <number>
how is game <number> (going|doing) => show <number>
(how does|how do things in) game <number> (look|stand) => show <number>
what is (happening|going on|new|the state|the position|the status) in game <number> => show <number>
who (won|is winning|is ahead in|leads in) game <number> => show <number>
(follow|observe|spectate|watch) [the] [game|player] <number> => watch <number>
(unfollow|stop following|stop watching) <name> => unwatch <name>
(join|enter) [the] game <number> => join game <number>
"""
"""The phrases about games that are understood in all emails."""

_ABOUT_THE_REST = """
# Rankings, tournaments
[show] [me] [the] ({ranking}|top players|best players) => ranking
({see}) {me} [all] [the] [current|open] tournaments => tournaments
start [the] tournament <number> => start tournament <number>
(create|make|open|start|organize|organise) [a|an] [new] [<game>] tournament (of|with|in|for) <text>
    ?> help tournament | tournaments
(create|make|open|start) [a] tournament <text> => tournament <text>
(create|make|open|start|organize|organise) a [new] tournament ?> help tournament | tournaments
(which|what) tournaments (are there|are running|are open|can i join|can i enter|can i play in|do you have) =>
    tournaments
[are there|do you have] any tournaments [running|open|now|soon] => tournaments
(play in|take part in|enter|join) [a|any|some|the next] (tournament|tournaments) => tournaments
when (is|does) the next tournament [start|begin] => tournaments
welche turniere gibt es => tournaments
wie (ist der stand|steht es) (im|in dem|bei dem|beim) turnier [gerade|jetzt] ?> standings | tournaments
(is there|are there) [a|any] (tournament|tournaments) [i can|to|for me to] [join|enter|play in] => tournaments
(enter|{enter}) [the] tournament <number> => join tournament <number>
(enter|{enter}) the [tournament] <name> ?> join <name>
({enter}) [tournament] <name> ?> join <name>
[ich] [möchte] (an der|am|an dem|bei der|beim|in der|im) [turnier] <name> (teilnehmen|mitspielen|mitmachen)
    ?> join <name>
[mich] (für die|für das|zur|zum|zu der|beim|bei der) [turnier] <name> anmelden ?> join <name>
[show] [me] [the] standings (of|in|for) [the] [tournament] <text> => standings <text>
(how does|how do things in) [the] <name> stand => standings <name>
(who is in|who plays in|who is playing in|who leads|who is leading) [the] [tournament] <name> ?> standings
    <name>
(withdraw from|leave|drop out of|quit) the [tournament] <name> ?> leave <name>
(withdraw from|drop out of) <name> ?> leave <name>

# Rules and help
(explain|learn|teach me|show me) [how to play] <game> => rules <game>
[show|tell|send|explain] [me] [what are] [the] rules (of|for) [the game] [of] <game> => rules <game>
<game> (rules|regeln) => rules <game>
how (do i|do you|do we|to) play <game> => rules <game>
how does <game> work => rules <game>
what is <game> => rules <game>
[vorrei|quiero|quisiera|je voudrais|ik wil|ich möchte] [le|las|les|los|die|de] ({rules})
    [von|für|de|del|di|van] <game> => rules <game>
(como se joga|como jogar|cómo se juega [a]|come si gioca [a]|comment jouer à|wie spielt man|
    hoe speel je|jak grać w|как играть в) <game> => rules <game>
i do not understand <game> [<text>] ?> rules <game>
(explain|rules for) the dice game ?> rules nardshir
(which|what) games (are there|can i play|do you have|can we play|exist)
    ?> rules <each game> :: The games are {games}.
[list|list of|show] {me} [all] [the] commands => help
what (can|do) you do => help
(how do draws work|what is a draw) => help draw
(how do takebacks work|what is a takeback|what does takeback mean) => help takeback
je ne comprends pas ?> help
what (can|could) i (write|say|do|send) [here] => help
how (long|much time) do (i|we|you|players) (have|get) (for|per) (a|each|every|my) (move|turn)
    ?> games | help challenge :: A challenge says how long: 3 days for a move unless it names another time.
i (don't|do not) (understand|know what to do|know how to play|get it|get this) [<text>] ?> help
({i am}) (confused|lost|new|new here|a beginner) ?> help
how (do i|can i|to) (resign|give up) => help resign
how (do i|can i|to) (make|enter|send|write) [a|my] move ?> moves | help moving
how (do i|can i|to) (offer|propose|accept) [a|the] draw => help draw
how (do i|can i|to) (take back|undo) [a|my] [last] move => help takeback
how (do i|can i|to) (unsubscribe|stop|stop the {mail}|stop {mail}|stop {mails}|stop the {mails}) => help stop
how (do i|can i|to) (challenge|invite) ({anybody}|a player|a friend|people) => help challenge
how (do i|can i|to) (invite|challenge) (somebody|someone|a person|a friend|people) who <text> ?> help challenge
how (do i|can i|to) (start|begin|open) a game => help challenge
(comment fait-on pour|comment) abandonner ?> help resign
how (do i|can i|to) (delete|close) my account => help delete
how (does this|does nabu|do i use this|do i use nabu|to use this|to use nabu) [work] => help
(instructions|manual|usage|menu|information) => help
<proper> <game> ?> challenge <proper> <game>
(help me|i need [some|your] help|need [some] help|send help|any help|hilfe|hilf
    mir|aide|aidez-moi|ayuda|aiuto|hulp) => help
"""
"""The phrases about rankings, tournaments, rules and help that are understood in all emails."""

ANYWHERE = f"{_ABOUT_GAMES}{ABOUT_THE_ACCOUNT}{_ABOUT_THE_REST}"
"""The phrases that are understood both in emails to the plain address and in replies to games."""

TO_NABU = """
whose (turn|move) is it => games
(my turn|my turns|my move|my moves|turns|overview|next game|all games) => games
[{see}] {me} [the] (waiting games|games waiting) [for me] => games
let's play ?> seek <each game> :: Say which game: {games}.
(withdraw|cancel|take back|retract) (my|the|a) (challenge|invitation) [(to|of|with|for|against) <name>]
    ?> decline | help cancel
[in|for] game <number> (i play|i move|i move to|i take|i go|i go to|my move is) <move> => #<number> <move>
my move (in|for) game <number> is <move> => #<number> <move>
(link|web|website|browser) ?> login
who are you => hello
(what is (this|nabu)|how does (it|this|nabu) work|was ist das|wer (bist du|seid ihr|sind sie)|wie
    funktioniert das|qu'est-ce que c'est|qui êtes-vous|comment ça marche|qué es esto|quién eres|cómo
    funciona|che cos'è|chi sei|come funziona|wat is dit|wie ben je|hoe werkt (dit|het)|co to jest|jak to
    działa|o que é isto|como funciona|vad är det här|hur fungerar det) => hello
i would (rather|prefer to) play <game> ?> seek <game> | challenge Enkidu <game>
is it my (turn|move) => games
(resend|send again) [me] [the|my|your|that] [last|latest] [{mail}|message|position|turn] => games
send [me] (the|your|that|my) [last|latest] ({mail}|message|position|turn) again => games
i (lost|deleted) (the|your|my) [last|latest] ({mail}) [<text>] ?> games
(rules|the rules|what are the rules|game rules) => rules
accept [the] [invitation to] game <number> => accept <number>
decline [the] [invitation to] game <number> => decline <number>
(accept|i accept) [the] [challenge|invitation] [from|of] <name> [challenge|invitation] ?> accept
decline [the] [challenge|invitation] [from|of] <name> [challenge|invitation] ?> decline
"""
"""The phrases that only the plain address understands, or that mean something else in a reply."""
