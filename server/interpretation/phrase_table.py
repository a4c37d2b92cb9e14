"""The phrases that Nabu understands besides its commands. To add one, add a row.

A row is a pattern, an arrow and a command: `[show] my games => games`. With `=>` the phrase means the same and
is carried out; with `?>` the command is only suggested, or several with ` | ` between them. ` + ` starts
another line of it. After `::` a sentence for the writer may follow, even without a command. An indented line
continues the row above.

In a pattern, `[…]` may be missing, `(…|…)` is one of several, `{…}` stands for words in `WORDS`, and `<…>` is a
slot that the command repeats: game, number, name, email, who (a name or an email address), span (3 days),
often (daily, weekly), setting, move, conditions, text. `<each game>` in a command stands for each game in turn,
`{games}` in a sentence for their names.

Upper and lower case, politeness around a phrase, and a comma or a colon between two words do not matter; a
comma in a pattern must be there. The first row that fits decides. Rows that end something, such as those for
`stop` and `resign`, must fit nothing else. Those about one game are in `game_phrases.py`.
"""

WORDS = """
me: [me|us]
vs: with|against|vs|vs.|versus
computer: [the|a] (computer|bot|machine|ai|nabu|you)
a game: [a|an|another] [new] [game|match|round] [of]
match: game|match|round
mail: e-mail|email|mail
mails: e-mails|emails|mails|e-mail|email|mail
address: {mail}|address|{mail} address
see: list|show|see|view|get|give|send|display|print|tell
find: find|search|search for|look for|[i'm|i am] looking for|get|[i] need
anybody: somebody|someone|anybody|anyone
pace: [with|at|on] <span> [(per|a|each|for each) (move|turn)]
people: opponent|opponents|player|players|partner|partners
ranking: rating|ratings|ranking|rankings|leaderboard|leader board|rangliste|classement
free: online|there|here|free|available|waiting|looking for a game
away: away|on vacation|on holiday|on holidays|travelling|traveling|gone|offline|absent
i am: i'm|i am|i'll be|i will be|we are
holiday: vacation|holiday|holidays|leave
rules: spielregeln|regeln|règles|reglas|regole|regels|spelregels
enter: join|register for|sign up for|sign me up for|play in|take part in
legal: legal|possible|valid|available|allowed
undo: take back|undo|withdraw|revert|retract
give up: give up|surrender|concede|forfeit
more time: [some|a bit|a little] more time
"""
"""Words that occur in several rows."""

ANYWHERE = """
# Lists of games
[{see}] {me} [all] [the] open games => lobby
[{see}] {me} [all] [the] players ?> lobby | ranking
({see}) {me} [a list of] [all] [of] [my|the] [current|active|running] games => games
[what are] [all] my [current|active|running|ongoing] games => games
[a] list of [all] my games => games
(which|what) games (do i have|am i in|am i playing|are mine) => games
what am i playing => games
(where|in which games|in which game) (is it my turn|do i have to move|am i to move) => games
(zeig|zeige|liste) [mir] [alle] meine (spiele|partien) => games
meine (spiele|partien) [anzeigen|zeigen] => games
[montre|montrez|affiche] [moi] mes parties => games
[muestra|muéstrame|ver] mis partidas => games
[mostra|mostrami] le mie partite => games
[toon] mijn (partijen|spellen) => games
(who is|who's) ({free}) => lobby
who wants to play [a game|with me] => lobby
[is] (anybody|anyone|somebody|someone) ({free}) => lobby
[show|go to|enter|open] {me} the lobby => lobby
({find}) {me} [an|a|some] ({people}|{match}|games)
    ?> lobby | seek <each game> :: Say which game you want to play: {games}.
({find}) {me} ({anybody}) [to play] [with]
    ?> lobby | seek <each game> :: Say which game you want to play: {games}.

# New games
(challenge|invite) [the|a] (computer|bot|machine) (to|at|in|for) {a game} <game> => challenge Enkidu <game>
[challenge|play] [the|a] (computer|bot|machine) ?> challenge Enkidu <each game> :: Say which game: {games}.
(rematch|play again|another game) (with|against) <who>
    ?> challenge <who> <each game> :: Say which game: {games}.
[can|does|will|is there] ({anybody}) [want to|who wants to|to|up for a game of|up for] [play] <game> [with me]
    ?> seek <game> | lobby <game>
(is|are) ({anybody}) up for {a game} <game> ?> seek <game> | lobby <game>
play (with|against) ({anybody}|people|others|somebody else) ?> lobby | seek <each game>
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
[play|start|begin] {a game} ({vs}) {computer} ?> challenge Enkidu <each game> :: Say which game: {games}.
[play|start|begin] {a game} ({vs}) <who> ?> challenge <who> <each game> :: Say which game: {games}.
(spiele|spiel) <game> (gegen|mit) <who> => challenge <who> <game>
<game> (gegen|mit) <who> [spielen] ?> challenge <who> <game>
(jouer|joue) [à|a] <game> (avec|contre) <who> => challenge <who> <game>
(jugar|juega) [a] <game> (con|contra) <who> => challenge <who> <game>
(giocare|gioca) a <game> (con|contro) <who> => challenge <who> <game>
(play|start|open|begin|create|make|join|find|have) {me} {a game} <game> [{match}]
    ?> seek <game> | challenge Enkidu <game>
({find}) {me} [an|a|some] ({people}) (for|in|at) <game>
    ?> seek <game> | challenge Enkidu <game>
[a|an|another] [new] ({match}) [of] <game> ?> seek <game> | challenge Enkidu <game>
[a] new <game> [{match}] ?> seek <game> | challenge Enkidu <game>
<game> (spielen|jouer|jugar|giocare|spelen) ?> seek <game> | challenge Enkidu <game>
<game> ?> seek <game> | challenge Enkidu <game> | rules <game>
play ?> seek <each game> :: Say which game: {games}.
[play|start|begin|open|create|make] [a] new ({match}) ?> seek <each game> :: Say which game: {games}.
(play|start|begin|open|create|make) a ({match}) ?> seek <each game> :: Say which game: {games}.

[play] [a game of] (chess|checkers|draughts|backgammon|poker|scrabble|bridge|reversi|othello) [({vs}) <who>]
    ?> rules <each game> :: Nabu has other games: {games}.

# One game
({see}|open) {me} [the] ({match}) <number> => show <number>
(show|view|see) {me} <number> => show <number>
[show] {me} [the] (board|status|state|position) (of|in) [game] <number> => show <number>
how is game <number> (going|doing) => show <number>
who (won|is winning|is ahead in|leads in) game <number> => show <number>
(follow|observe|spectate|watch) [the] [game|player] <number> => watch <number>
(unfollow|stop following|stop watching) <name> => unwatch <name>
(join|enter) [the] game <number> => join game <number>

# Who one is
(register|sign up|signup|add) {me} [please] [and] my name is <name> => register <name>
(signup|sign up|register me|sign me up|add me) (as|with the name) <name> => register <name>
(register|join) (as|with the name) <name> => register <name>
(create|open|make) {me} [an|a|my] [new] (account|profile) (as|for|called|named) <name> => register <name>
my name is <name> ?> register <name> | name <name>
(change|set) [my] name (to|into) <name> => name <name>
(rename me|call me|rename) [to|as] <name> => name <name>
[show|what is|what are] {me} my (profile|rating|ratings|stats|statistics|account|record) => who
who am i => who
(who is|who's|who are) [the] (best|strongest|top|highest rated) [{people}] (at|in|of|for) <game>
    => ranking <game>
(who is|who's|who are) [the] (best|strongest|top|highest rated) [{people}] => ranking
(whois|who is|who's|profile of|show {me} the profile of) [player] <name> => who <name>
<name> (was|is|has been) (rude|insulting|abusive|offensive) [to me] ?> ignore <name> | block <name>
(tell me about|info about|info on|information about) [player] <name> ?> who <name>
({ranking}|top players|best players) [list] [of|for|in|at] <game> => ranking <game>
<game> ({ranking}) => ranking <game>
(rating|ratings|stats|statistics|record|results) of <name> ?> who <name>

# Emails
stop (sending|writing|mailing|emailing) [to] [me] [any|all|your|these] [more] [{mails}|messages] => stop
(don't|do not) (send|write|email|mail) [to] me [any] [more|further] [{mails}|anything] [any more|anymore|again]
    => stop
unsubscribe [me] [from] (everything|all|this|all ({mails})|[this|the|your] [mailing] list) => stop
(remove me from|take me off) [this|the|your] [mailing] list => stop
(start|resume) [sending] [me] [the] ({mails}) [again] => resume
(subscribe|resubscribe) [me] [again] => resume
[send|get] [me] [a] <often> digest => digest <often>
[send|get] [me] (one|a single) ({mail}) (a|per|each|every) day ?> digest daily
[send|get] [me] (one|a single) ({mail}) (a|per|each|every) week ?> digest weekly
(no|(turn off|switch off|disable|stop) [the|my|all]) reminders => remind none
(don't|do not|never) remind me [any more|anymore] => remind none
[turn|switch|set] reminders [to] (off|none) => remind none
(email|mail) me (every|after every|after each|each) (turn|move) ?> mail every turn
[i want|i would like|send me|send] (fewer|less|not so many) ({mails}) ?> digest daily | settings
[i get|i am getting|i'm getting|you send|you send me|these are] (too many|too much) ({mails})
    ?> digest daily | settings
only (email|mail) me when it is my turn ?> mail my turn
remind me (a day|one day|24 hours) before [the deadline] => remind day
remind me (an hour|one hour) before [the deadline] => remind hour

# Settings
(no pictures|text only|[board|boards|diagram|diagrams] (in|as) (text|words|sentences)) ?> board words
[show|list|see|change] [me] [all] [of] [my] (settings|preferences) => settings
[set|change] [my] (time zone|timezone) [is|to] <text> => zone <text>
[meine|mon|mi|il mio|mijn] (zeitzone|fuseau horaire|zona horaria|fuso orario|tijdzone) <text> => zone <text>
(set|take|start|book) [a|my] ({holiday}) [to|of|for|from] <span> => vacation <span>
(set|take|start|book) [a|my] ({holiday}) [to|of|for] <text> ?> vacation <text>
(holiday|holidays|urlaub|vacances|vacaciones|vacanza|vakantie) [for|of] <text> ?> vacation <text>
[{i am}] ({away}) (for|during) [the next] <span> ?> vacation <span>
[{i am}] ({away}) [between] <text> ?> vacation <text>
[{i am}] (going on|in|im) (vacation|holiday|holidays|urlaub) <text> ?> vacation <text>
(pause|suspend|stop) [all] [my|the] [games|clocks|clock] for <span> ?> vacation <span>
[{i am}] ({away}) ?> vacation 7d :: “vacation” pauses all your clocks.
({i am}) (going away|travelling|traveling|flying) <text> ?> vacation 7d :: “vacation” pauses all your clocks.
(don't|do not) let my (game|games|time|clock|clocks) (run out|expire|time out) [<text>] ?> vacation 7d
    :: “vacation” pauses all your clocks.
pause [all] [my|the] [games|clocks|clock] ?> vacation 7d
    :: “vacation” pauses all your clocks.
(stop|hold|freeze) [all] [my|the] (games|clocks|clock) ?> vacation 7d
    :: “vacation” pauses all your clocks.
(i need|need|take) a (break|pause|holiday|vacation) ?> vacation 7d :: “vacation” pauses all your clocks.
(i live in|i am in|i'm in) <text> ?> zone <text>
(end|stop|cancel) [my] ({holiday}) => vacation off
(i'm|i am) back [again] [from ({holiday})] ?> vacation off
(change|set|update) [my] [main] ({address}) to <email> => address main <email>
[my] new ({address}) [is] <email> ?> address main <email>
my ({address}) [has] changed to <email> ?> address main <email>
i have a new ({address}) <email> ?> address main <email>
(add|use) [the|my] [{address}] <email> [too|as well|also] ?> address add <email>
(remove|delete) [the|my] ({address}) <email> ?> address remove <email>
[show|what is] my ({address}) => address
(change|switch|turn) [my|the] <setting> [to] <text> => <setting> <text>

# The web
[send] [me] [a|the|another] [new] (login|log-in|sign-in|signin) [link] => login
(log me in|sign me in|sign in|log in|einloggen|anmelden|where can i log in) => login
[i] [change|set|reset|forgot|lost|what is|send] [me] [a|my|the] [new]
    (password|passwort|mot de passe|contraseña|wachtwoord)
    ?> login :: Nabu has no passwords. “login” sends you a link with which you log in to the web pages.
(do you have|is there) an app [for] [this|nabu|android|iphone|ios|my phone]
    ?> login :: Nabu has no app. “login” sends you a link to the web pages, which also work on phones.
(log me out|log out everywhere|sign me out|sign out) ?> logout all
(delete|close|erase|remove|cancel) [my] (account|profile) => delete
(delete|erase) me => delete
[mein] konto löschen => delete
(supprimer|supprime) mon compte => delete
(eliminar|borrar|elimina|borra) mi cuenta => delete
(export|download|send [me]|get|give me) [all] [of] my data => data
(export|my data) => data
(export|download|send [me]) [all] [of] my games ?> data

# Rankings, tournaments
[show] [me] [the] ({ranking}|top players|best players) => ranking
({see}) {me} [all] [the] [current|open] tournaments => tournaments
start [the] tournament <number> => start tournament <number>
(create|make|open|start) [a] tournament <text> => tournament <text>
(which|what) tournaments are there => tournaments
(is there|are there) [a|any] (tournament|tournaments) [i can|to|for me to] [join|enter|play in] => tournaments
(enter|{enter}) [the] tournament <number> => join tournament <number>
(enter|{enter}) the [tournament] <name> ?> join <name>
({enter}) [tournament] <name> ?> join <name>
[show] [me] [the] standings (of|in|for) [tournament] <text> => standings <text>

# Rules and help
(explain|learn|teach me|show me) [how to play] <game> => rules <game>
[show|tell|send|explain] [me] [what are] [the] rules (of|for) [the game] [of] <game> => rules <game>
<game> (rules|regeln) => rules <game>
how (do i|do you|do we|to) play <game> => rules <game>
how does <game> work => rules <game>
what is <game> => rules <game>
({rules}) [von|für|de|del|di|van] <game> => rules <game>
(which|what) games (are there|can i play|do you have|can we play|exist)
    ?> rules <each game> :: The games are {games}.
[list|show] {me} [all] [the] commands => help
what (can|could) i (write|say|do|send) [here] => help
how (long|much time) do (i|we|you|players) (have|get) (for|per) (a|each|every|my) (move|turn)
    ?> games | help challenge :: A challenge says how long: 3 days for a move unless it names another time.
i (don't|do not) (understand|know what to do|know how to play|get it|get this) [<text>] ?> help
({i am}) (confused|lost|new|new here|a beginner) ?> help
how (do i|can i|to) (resign|give up) => help resign
how (do i|can i|to) (offer|propose|accept) [a|the] draw => help draw
how (do i|can i|to) (take back|undo) [a|my] [last] move => help takeback
how (do i|can i|to) (unsubscribe|stop|stop the {mail}|stop {mail}|stop {mails}|stop the {mails}) => help stop
how (do i|can i|to) (challenge|invite) ({anybody}|a player|a friend|people) => help challenge
how (do i|can i|to) (start|begin|open) a game => help challenge
how (do i|can i|to) (delete|close) my account => help delete
how (does this|does nabu|do i use this|do i use nabu|to use this|to use nabu) [work] => help
(instructions|manual|usage|menu|information) => help
(help me|i need help|need help|hilfe|hilf mir|aide|aidez-moi|ayuda|aiuto|hulp) => help
"""
"""The phrases that are understood both in emails to the plain address and in replies to games."""

TO_NABU = """
whose (turn|move) is it => games
(my turn|my turns|my move|my moves|turns|overview|next game|all games) => games
[{see}] {me} [the] (waiting games|games waiting) [for me] => games
let's play ?> seek <each game> :: Say which game: {games}.
(withdraw|cancel|take back|retract) (my|the) challenge ?> decline
(link|web|website|browser) ?> login
who are you => hello
is it my (turn|move) => games
(resend|send again) [me] [the|my|your|that] [last|latest] [{mail}|message|position|turn] => games
send [me] (the|your|that|my) [last|latest] ({mail}|message|position|turn) again => games
i (lost|deleted) (the|your|my) [last|latest] ({mail}) [<text>] ?> games
(rules|the rules|what are the rules|game rules) ?> rules <each game> :: Say which game: {games}.
accept [the] [invitation to] game <number> => accept <number>
decline [the] [invitation to] game <number> => decline <number>
(accept|i accept) [the] [challenge|invitation] [from|of] <name> [challenge|invitation] ?> accept
decline [the] [challenge|invitation] [from|of] <name> [challenge|invitation] ?> decline
"""
"""The phrases that only the plain address understands, or that mean something else in a reply."""
