"""The phrases about the writer's account, in the format that `phrase_table.py` explains."""

ABOUT_THE_ACCOUNT = """
# Who one is
<agreed> [bitte|gerne|merci|gracias|por favor|please] => <agreed>
(register|sign up|signup|add) {me} [please] [and] my name is <name> => register <name>
(register|sign up|signup|add|sign me up) {me} [please] [and] i am <proper> ?> register <proper>
(signup|sign up|register me|sign me up|add me) (as|with the name) <name> => register <name>
(register|join) (as|with the name) <name> => register <name>
(create|open|make) {me} [an|a|my] [new] (account|profile) (as|for|called|named) <name> => register <name>
my name is <proper> ?> register <proper> | name <proper>
(call me|be called) <proper> instead of <text> ?> name <proper>
(call me|be called) <proper> ?> name <proper> | register <proper>
(change|set) [my] name (to|into) <name> => name <name>
rename me [to|as] <name> => name <name>
[show|what is|what are] {me} my (profile|rating|ratings|stats|statistics|account|record) => who
who am i => who
how am i doing ?> who | games
[show me|what is|what are] <name>'s (profile|rating|ratings|stats|statistics|record|results) => who <name>
how (good|strong) is <name> => who <name>
(watch|follow|observe) <name>'s (game|games|match) => watch <name>
(what|who|which games) am i (watching|following) => watch
ignore [the|all] (messages|emails|everything) (from|of|by) <name> => ignore <name>
(mute|silence) <name> ?> ignore <name> | block <name>
(send|write) <name> [a] message , <text> ?> tell <name> <text> | say <text>
(send|write) <name> [a] message <text> ?> tell <name> <text> | say <text>
[a] message (to|for) <name> <text> ?> tell <name> <text> | say <text>
(who is|who's|who are) [the] (best|strongest|top|highest rated) [{people}] (at|in|of|for) <game>
    => ranking <game>
(who is|who's|who are) [the] (best|strongest|top|highest rated) <game> ({people}) => ranking <game>
(who is|who's|who are) [the] (best|strongest|top|highest rated) [{people}] => ranking
is <name> (on vacation|on holiday|away|online|active|here|still there|still playing) => who <name>
when (did|does|will) <name> [last] (move|play|log in|answer|come back) [next|last|again] ?> who <name>
(what|which) (time|time zone) (is it for|does) <name> [have|live in] ?> who <name>
[{see}] {me} [all] [of] my (finished|past|old|previous|completed|last) games ?> who
(whois|who is|who's|profile of|show {me} the profile of) [player] <name> => who <name>
<name> (was|is|has been) (rude|insulting|abusive|offensive) [to me] ?> ignore <name> | block <name>
<name> (insults|insulted|offends) me [<text>] ?> ignore <name> | block <name>
(stop|keep) <name> from challenging me [<text>] ?> block <name>
(block|ban) <name> , <text> ?> block <name>
report <proper> [<text>] ?> help report | block <proper>
ignore <name> , <text> ?> ignore <name>
(do not|never) (accept|allow) [any] [more] (games|challenges|invitations) from <name> [any more|anymore]
    ?> block <name>
(no more|i do not want) [any] [more] (games|challenges|invitations) from <name> [any more|anymore]
    ?> block <name>
<name> (is cheating|cheats|is a cheater) [<text>] ?> help report | block <name>
my opponent (has not moved|does not move|does not answer) [<text>] ?> games | help claim
(how (do|can) i change my|how to change my|i want to change my|change my) [user] name ?> help name
<name> (has not moved|does not move|does not answer|does not reply|has not answered) [<text>]
    ?> games | help claim
(have|get|choose|is it possible to have|how can i get) (another|a new|a different) [user] name ?> help name
(tell me about|info about|info on|information about) [player] <name> ?> who <name>
({ranking}|top players|best players) [list] [of|for|in|at] <game> => ranking <game>
(top|best) [10|ten] <game> players => ranking <game>
[what is] my (rating|ranking|rank) (in|at|for) <game> ?> who | ranking <game>
top (5|10|20|50|100|ten|twenty) => ranking
<game> ({ranking}) => ranking <game>
(rating|ratings|stats|statistics|record|results) of <name> ?> who <name>

# Emails
stop (sending|writing|mailing|emailing) [to] [me] [any|all|your|these] [more] [{mails}|messages] => stop
do not (send|write|email|mail) [to] me [any] [more|further] [{mails}|anything] [any more|anymore|again]
    => stop
i (do not|no longer) want to (receive|get) [any|these|your] [more|further] ({mails}) [any
    more|anymore|again|from you] => stop
i (do not|no longer) want [any|these|your] [more|further] ({mails}) [any more|anymore|again|from you] => stop
unsubscribe [me] [from] (everything|all|this|all ({mails})|[this|the|your] [mailing] list) => stop
(remove me from|take me off) [this|the|your] [mailing] list => stop
(start|resume) [sending] [me] [the] ({mails}) [again] => resume
(get|receive|have|want|i want|i would like) [the] ({mails}) again => resume
(have|get|i would like|i want) (the|my|your) ({mails}) back ?> resume
(subscribe|resubscribe) [me] [again] => resume
[send|get] [me] [a] <often> digest => digest <often>
[send|get|have] [me] [a] <often> (summary|email|mail|overview) ?> digest <often>
[send|get|have] [me] [a] <often> (summary|digest|email|mail) [at|on] <text> ?> digest <often> <text>
[just|only] [send|get|write] [me] [just|only] (one|a single|1) ({mail}) (a|per|each|every) day [<text>]
    ?> digest daily
[just|only] [send|get|write] [me] [just|only] (one|a single|1) ({mail}) (a|per|each|every) week ?> digest weekly
(no|(turn off|switch off|disable|stop) [the|my|all]) reminders => remind none
(do not|never) remind me [any more|anymore] => remind none
i do not want a reminder <text> ?> remind none | settings
(do not send|send|i want|i get) [me] no [more] reminders => remind none
do not (send|email|mail) me [any] [more] reminders [any more|anymore] => remind none
[turn|switch|set] reminders [to] (off|none) => remind none
[only] (email|mail|tell|notify) me (every|after every|after each|each) (turn|move) ?> mail every turn
(turn off|switch off|disable) [the|my|all] ({mails}|notifications) ?> mail never
[i want|i would like|send me|send] (fewer|less|not so many) ({mails}) ?> digest daily | settings
[i get|i am getting|i'm getting|you send|you send me|these are] (too many|too much) ({mails})
    ?> digest daily | settings
only (email|mail) me when it is my turn ?> mail my turn
(remind|nudge|urge|prod) <name> [<text>]
    ?> :: Nabu reminds all players of their moves itself, before their time is up.
remind me (a day|one day|24 hours) before [the deadline] => remind day
remind me (an hour|one hour) before [the deadline] => remind hour

# Leaving
(withdraw from|leave|drop out of|quit) [the|my|this|a] tournament ?> tournaments | help leave
(leave|quit|exit) ({here}) ?> delete | stop :: “delete” deletes your account; “stop” only stops all emails.
(stop|quit|give up) playing [on|at|with] ({here}) ?> delete | stop
    :: “delete” deletes your account; “stop” only stops all emails.
(stop|quit|give up) playing [games] [altogether|completely|for good|for ever|forever]
    ?> resign | delete | stop :: “delete” deletes your account; “stop” only stops all emails.
[ich] [möchte|will] nabu verlassen ?> delete | stop
    :: “delete” deletes your account; “stop” only stops all emails.
(quitter nabu|je quitte nabu|dejar nabu|lasciare nabu) ?> delete | stop
    :: “delete” deletes your account; “stop” only stops all emails.

# Settings
(no pictures|text only|plain text [only]|(turn off|switch off|disable) [the] (pictures|images)|i can not see
    [the|your] (pictures|board|images)|[board|boards|diagram|diagrams] (in|as) (text|words|sentences))
    ?> board words
[show|list|see|change] [me] [all] [of] [my] (settings|preferences) => settings
[set|change] [my] (time zone|timezone) [is|to] <text> => zone <text>
[meine|mon|mi|il mio|mijn] (zeitzone|fuseau horaire|zona horaria|fuso orario|tijdzone) <text> => zone <text>
(set|take|start|book) [a|my] ({holiday}) [to|of|for|from] <span> => vacation <span>
(set|take|start|book) [a|my] ({holiday}) [to|of|for] <text> ?> vacation <text>
[how much|how many] ({holiday}) [days] (do i have|have i|is|are) [left|remaining] => vacation
[i] (need|have|take|want) a (day|week) off ?> vacation 7d :: “vacation” pauses all your clocks.
(en|in|im|auf|op) (urlaub|vacances|vacaciones|vacanza|vakantie|holiday|vacation) <dates> ?> vacation <dates>
({holiday}) [for|of] <dates> ?> vacation <dates>
(ich bin|bin|wir sind) <dates> (im urlaub|in urlaub|in den ferien|verreist|weg|nicht da|abwesend|unterwegs)
    ?> vacation <dates>
<days> (bin ich|sind wir) (im urlaub|in urlaub|in den ferien|verreist|weg|nicht da|abwesend|unterwegs)
    ?> vacation <days>
<days> (i am|i will be|i'll be) ({away}) ?> vacation <days>
(estoy|estaré) (fuera|de vacaciones|de viaje) <dates> ?> vacation <dates>
(sono|sarò) (in vacanza|in ferie|via) <dates> ?> vacation <dates>
ik ben (op vakantie|weg|afwezig) <dates> ?> vacation <dates>
ik ben <dates> (op vakantie|weg|afwezig) ?> vacation <dates>
(jestem|będę) na (urlopie|wakacjach) <dates> ?> vacation <dates>
(estou|estarei) (de férias|fora) <dates> ?> vacation <dates>
jag är (på semester|bortrest) <dates> ?> vacation <dates>
(je serai|je suis) (absent|absente|en vacances) <dates> ?> vacation <dates>
[{i am}] ({away}) [{away}] (for|during) [the next] <span> ?> vacation <span>
[{i am}] ({away}) [{away}] [between] <dates> ?> vacation <dates>
[{i am}] (going on|on|in|im) (vacation|holiday|holidays|urlaub) <dates> ?> vacation <dates>
(pause|suspend|stop) [all] [of] [my|the|this] [game|games|clocks|clock|everything] for <span> ?> vacation <span>
    :: “vacation” pauses all your clocks.
[{i am}] ({away}) ?> vacation 7d :: “vacation” pauses all your clocks.
({i am}) (going away|travelling|traveling|flying) <text> ?> vacation 7d :: “vacation” pauses all your clocks.
(pause|suspend|stop|hold|freeze) [all] [of] [my|the|this] [game|games|clocks|clock|everything] (until|till)
    <days> ?> vacation until <days> :: “vacation” pauses all your clocks.
(pause|suspend|stop|hold|freeze) [all] [of] [my|the|this] [game|games|clocks|clock|everything] from <days>
    ?> vacation <days> :: “vacation” pauses all your clocks.
(can|could) my (clocks|games) be (stopped|paused|held) ?> vacation 7d :: “vacation” pauses all your clocks.
do not let my (game|games|time|clock|clocks) (run out|expire|time out) [<text>] ?> vacation 7d
    :: “vacation” pauses all your clocks.
pause [all] [my|the|this] [game|games|clocks|clock|everything] ?> vacation 7d
    :: “vacation” pauses all your clocks.
(stop|hold|freeze) [all] [my|the] (games|clocks|clock) ?> vacation 7d
    :: “vacation” pauses all your clocks.
(i need|need|take) a (break|pause|holiday|vacation) ?> vacation 7d :: “vacation” pauses all your clocks.
[i am in|this is] the wrong time zone ?> settings
(i live in|i moved to|i have moved to) <text> ?> zone <text>
i am in <proper> ?> zone <proper>
set (my|the) (clock|clocks|time) to <text> time ?> zone <text>
(what|which) time zone (am i in|do i have|do you have for me) => settings
remind me [a|some] <span> before [the deadline|my deadline] ?> settings
(end|stop|cancel) [my] ({holiday}) => vacation off
(what|which) ({holiday}) (have i|did i) (entered|enter|set|taken|booked) => vacation
i am back [again|early|already|earlier than planned] [from ({holiday})] ?> vacation off
(change|set|update) [my] [main] ({address}) to <email> => address main <email>
(change|set|update|new) [my] [main] ({address}) <email> ?> address main <email> | address add <email>
[my] new ({address}) [is] <email> ?> address main <email>
my ({address}) [has] changed to <email> ?> address main <email>
i [have] changed my ({address}) to <email> ?> address main <email>
use <email> from now on ?> address main <email>
i have a new ({address}) <email> ?> address main <email>
(add|use) [the|my|another|a second] [work|private|other] [{address}] <email> [too|as well|also] ?> address add
    <email>
(send|copy) [me] [the|my|all] ({mails}) to [my|the] [work|private|other|second] [{address}] [too|also|as
    well] <email> ?> address add <email>
(remove|delete) [the|my] ({address}) <email> ?> address remove <email>
[show|what is] my ({address}) => address
(what|which) ({address}) do you have [for me] => address
[what are] my settings => settings
(change|switch|turn) [my|the] <setting> [to] <text> => <setting> <text>

# The web
[send] [me] [a|the|another] [new] (login|log-in|sign-in|signin) [link] => login
[send] [me] [a|the|another] [new] link [again|to log in|to the (website|web site|web pages|web page|site)]
    ?> login
[send|give] [me] (a|the) link to (log in|sign in) <text> ?> login
i can not log in ?> login :: “login” sends you a link with which you log in to the web pages.
(log me in|sign me in|sign in|log in|einloggen|anmelden|where can i log in) => login
[i] [change|set|reset|forgot|lost|what is|send] [me] [a|my|the] [new] (password|passwort|mot de
    passe|contraseña|wachtwoord) ?> login
    :: Nabu has no passwords. “login” sends you a link with which you log in to the web pages.
(do you have|is there) an app [for] [this|nabu|android|iphone|ios|my phone]
    ?> login :: Nabu has no app. “login” sends you a link to the web pages, which also work on phones.
(log me out|log out everywhere|sign me out|sign out) [everywhere] ?> logout all
(delete|close|erase|remove|cancel|terminate|deactivate) [my] (account|profile) [completely|permanently|forever]
    => delete
(delete|erase) me => delete
(delete|close|erase|remove|cancel|terminate|deactivate) my (account|profile) {and all data} ?> delete
(cancel|end|terminate) my (membership|registration) [{and all data}] ?> delete
cancel my subscription ?> stop | delete :: “stop” only stops all emails, “delete” deletes your account.
(delete|erase|remove) [all] [of] (my|my personal) (data|information) ?> delete | data
    :: “delete” deletes your account with your data, “data” only sends your data to you.
i (do not|no longer) want (an account|my account|to be a member|to be registered) [here] [any more|anymore]
    ?> delete
[mein] (konto|account) löschen => delete
(supprimer|supprime) mon compte => delete
(eliminar|borrar|elimina|borra) mi cuenta => delete
(lösche|löscht|löschen|löschen sie|schließen|schließen sie|entfernen sie) {de} {de} (mein|meinen)
    (konto|account|benutzerkonto|profil|zugang) [und alle [meine] daten] {de} ?> delete
(mein|meinen) (benutzerkonto|profil|zugang|konto und alle [meine] daten) {de} (löschen|schließen|kündigen)
    ?> delete
mein (konto|account) (schließen|kündigen) ?> delete
wie (lösche|schließe|kündige|entferne) ich {de} mein (konto|account|benutzerkonto|profil) ?> delete
wie kann ich {de} mein (konto|account|benutzerkonto|profil) {de} (löschen|schließen|kündigen|entfernen)
    ?> delete
comment (supprimer|effacer|fermer|je supprime) mon (compte|profil) ?> delete
cómo (elimino|borro|cierro|puedo eliminar|puedo borrar) mi (cuenta|perfil) ?> delete
come (elimino|cancello|chiudo|posso eliminare|posso cancellare) il mio (account|profilo) ?> delete
hoe (verwijder|sluit|kan) ik mijn (account|profiel) [verwijderen|sluiten] ?> delete
jak (usunąć|skasować) [moje|swoje] konto ?> delete
como (apagar|excluir|eliminar|apago|excluo) [a] minha conta ?> delete
hur (tar jag bort|raderar jag) mitt konto ?> delete
[ich] [hiermit] (kündige|möchte kündigen|will kündigen) [hiermit] [meine mitgliedschaft|mein konto] ?> delete
meine mitgliedschaft (kündigen|beenden) ?> delete
(supprimez|effacer|effacez|fermer|fermez|clôturer) mon (compte|profil) [et toutes mes données] ?> delete
(supprimer|supprime) mon compte et toutes mes données ?> delete
(elimine|eliminen|borre|borren|cerrar|cancelar) mi (cuenta|perfil) [y todos mis datos] ?> delete
(eliminar|borrar|elimina|borra) mi cuenta y todos mis datos ?> delete
(darme|dame|denme) de baja ?> delete | stop :: “stop” only stops all emails, “delete” deletes your account.
(eliminare|elimina|eliminate|cancellare|cancella|cancellate|chiudere|chiudete) il mio (account|profilo|conto)
    [e tutti i miei dati] ?> delete
(verwijder|verwijderen|sluit|wis|beëindig) mijn (account|profiel) [en al mijn gegevens] ?> delete
mijn (account|profiel) [en al mijn gegevens] (verwijderen|opzeggen|sluiten|wissen) ?> delete
(usuń|usunąć|usunięcie|skasuj|skasować|zamknij|zamknąć) (moje|swoje|mojego) (konto|konta) [i wszystkie
    [moje] dane] ?> delete
(apagar|apague|apaga|excluir|exclua|eliminar|elimine|encerrar|cancelar) [a] minha conta [e todos os meus
    dados] ?> delete
(ta bort|radera|avsluta|stäng) mitt konto [och (alla mina|all min) (data|uppgifter)] ?> delete
(export|download|send [me]|get|give me) [all] [of] my data => data
(export|my data) => data
what data do you (keep|have|store) [about me|on me] ?> data
(export|download|send [me]) [all] [of] my games ?> data
"""
"""The phrases about players, emails, settings and the web pages."""
