"""Lines that ask for no more email, in the languages of `mail/reading/languages`: each means `stop`.

Only a whole line counts. No phrase here is a move or a message between players, such as “stop it” or “don't
write to me”. The phrases of each text are separated by ";".
"""

from __future__ import annotations

from collections.abc import Iterator

_PLEASE = {
    "en": "please; pls; plz",
    "de": "bitte",
    "fr": "s'il vous plaît; s'il te plaît; svp; stp; merci de",
    "es": "por favor",
    "pt": "por favor",
    "it": "per favore; per piacere; prego",
    "nl": "alstublieft; alsjeblieft; aub; graag",
    "pl": "proszę",
    "cs": "prosím",
    "sk": "prosím",
    "sv": "tack; snälla",
    "da": "venligst",
    "nb": "vennligst; vær så snill",
    "fi": "kiitos; olkaa hyvä",
    "tr": "lütfen",
    "ru": "пожалуйста",
    "uk": "будь ласка; прошу",
    "el": "παρακαλώ",
    "hu": "kérem; kérlek; légyszíves",
    "ro": "vă rog; te rog",
    "bg": "моля",
    "sr": "молим; molim",
    "hr": "molim",
    "sl": "prosim",
    "et": "palun",
    "lv": "lūdzu",
    "lt": "prašau",
    "ca": "si us plau",
    "is": "vinsamlegast; vinsamlega",
    "zh": "请; 請",
    "ja": "お願いします; どうか",
    "ko": "부탁드립니다; 제발",
    "ar": "من فضلك; من فضلكم; رجاء; الرجاء",
    "he": "בבקשה; נא",
    "fa": "لطفا; لطفاً",
    "ur": "براہ کرم; برائے مہربانی",
    "hi": "कृपया",
    "bn": "দয়া করে; অনুগ্রহ করে",
    "ta": "தயவுசெய்து; தயவு செய்து",
    "id": "tolong; mohon",
    "ms": "tolong; sila",
    "fil": "pakiusap; paki",
    "vi": "vui lòng; xin; xin vui lòng",
    "th": "กรุณา; โปรด",
    "sw": "tafadhali",
}
"""Words that may stand before or after a phrase of their language."""

PHRASES = {
    "en": "unsubscribe; unsubscribe me; unsubscribe me from this list; unsubscribe from this list;"
    " unsubscribe from all; unsubscribe from all emails; i want to unsubscribe;"
    " i would like to unsubscribe; i wish to unsubscribe; cancel my subscription; cancel subscription;"
    " remove me; remove me from your list; remove me from this list; remove me from the list;"
    " remove me from your mailing list; remove my email; remove my address; remove my email address;"
    " remove from list; take me off your list; take me off this list; take me off your mailing list;"
    " opt out; opt me out; optout; i want to opt out; no more emails; no more email; no more mail;"
    " no more mails; no more e-mails; no emails; stop email; stop emails; stop mail; stop mails;"
    " stop mailing me; stop emailing me; stop all emails; stop all email; stop all mail; stop the emails;"
    " stop these emails; stop sending emails; stop sending me emails; stop sending me email;"
    " stop sending me mail; stop sending me mails; stop sending mail; do not email me; don't email me;"
    " do not email me again; don't email me again; do not email me anymore; don't email me anymore;"
    " do not email me any more; don't email me any more; do not send me emails; don't send me emails;"
    " do not send me any more emails; don't send me any more emails; i don't want any more emails;"
    " i do not want any more emails; i don't want these emails; i do not want these emails; unsub;"
    " i don't want emails; i do not want emails; never email me again; leave me off your list",
    "de": "abmelden; abmeldung; mich abmelden; ich möchte mich abmelden; melden sie mich ab; meldet mich ab;"
    " abbestellen; newsletter abbestellen; e-mails abbestellen; mails abbestellen; mich austragen;"
    " tragen sie mich aus; tragt mich aus; keine mails mehr; keine e-mails mehr; keine emails mehr;"
    " keine mail mehr; keine weiteren e-mails; keine weiteren mails; keine e-mails mehr senden;"
    " keine mails mehr senden; keine mails mehr schicken; keine e-mails mehr schicken;"
    " schickt mir keine mails mehr; schickt mir keine e-mails mehr; schicken sie mir keine e-mails mehr;"
    " schicken sie mir keine mails mehr; senden sie mir keine e-mails mehr;"
    " senden sie mir keine mails mehr; ich will keine mails mehr; ich möchte keine mails mehr;"
    " ich möchte keine e-mails mehr; ich möchte keine e-mails mehr erhalten; ich will keine e-mails mehr;"
    " löschen sie mich aus dem verteiler; nehmen sie mich aus dem verteiler; aus dem verteiler nehmen",
    "fr": "désabonner; désabonnez-moi; désabonne-moi; me désabonner; se désabonner; désabonnement;"
    " désinscrire; désinscrivez-moi; désinscris-moi; me désinscrire; se désinscrire; désinscription;"
    " désinscription svp; je veux me désabonner; je souhaite me désabonner; je souhaite me désinscrire;"
    " je veux me désinscrire; plus d'emails; plus d'e-mails; plus de mails; plus de courriels;"
    " plus de mail; arrêtez de m'envoyer des mails; arrêtez de m'envoyer des emails;"
    " arrêtez de m'envoyer des e-mails; arrêtez de m'envoyer des courriels; arrêtez les mails;"
    " arrêtez les emails; ne m'envoyez plus de mails; ne m'envoyez plus d'emails;"
    " ne m'envoyez plus d'e-mails; ne m'envoyez plus de courriels; je ne veux plus de mails;"
    " je ne veux plus d'emails; je ne veux plus recevoir de mails; je ne veux plus recevoir d'emails;"
    " retirez-moi de la liste; retirez-moi de votre liste; supprimez-moi de votre liste",
    "es": "darme de baja; darse de baja; dar de baja; dame de baja; denme de baja; dadme de baja;"
    " deme de baja; quiero darme de baja; deseo darme de baja; cancelar suscripción;"
    " cancelar la suscripción; cancelar mi suscripción; anular suscripción; desuscribir; desuscribirme;"
    " no más correos; no más emails; no más correo; no quiero más correos; no quiero recibir más correos;"
    " no quiero recibir correos; no quiero más emails; dejen de enviarme correos; deja de enviarme correos;"
    " dejad de enviarme correos; dejen de enviarme emails; deja de enviarme emails;"
    " deje de enviarme correos; no me envíen más correos; no me envíes más correos;"
    " no me envíe más correos; no me envíen más emails; elimíneme de la lista; elimínenme de la lista;"
    " bórrenme de la lista; bórrame de la lista; quítenme de la lista; quítame de la lista",
    "pt": "cancelar inscrição; cancelar a inscrição; cancelar assinatura; cancelar a assinatura;"
    " cancelar subscrição; cancelar a subscrição; cancelar a minha subscrição; descadastrar;"
    " descadastre-me; me descadastre; quero me descadastrar; quero cancelar a inscrição; remova-me;"
    " remover meu e-mail; remova-me da lista; me remova da lista; remova meu e-mail; retire-me da lista;"
    " me tire da lista; tire-me da lista; sem mais e-mails; chega de e-mails; não quero mais e-mails;"
    " não quero mais emails; não quero receber mais e-mails; não quero mais receber e-mails;"
    " não quero mais receber emails; parem de me enviar e-mails; pare de me enviar e-mails;"
    " parem de enviar e-mails; pare de enviar e-mails; parem de me mandar e-mails;"
    " pare de me mandar e-mails; não me envie mais e-mails; não me enviem mais e-mails;"
    " não me envie mais emails; não me mandem mais e-mails; não me mande mais e-mails",
    "it": "disiscrivere; disiscrivermi; disiscriviti; disiscrivimi; disiscrivetemi; disiscrizione;"
    " annulla iscrizione; annulla l'iscrizione; annullare l'iscrizione; annullate la mia iscrizione;"
    " cancella iscrizione; cancella l'iscrizione; cancellami; cancellatemi; cancellami dalla lista;"
    " cancellatemi dalla lista; mi cancelli dalla lista; rimuovimi; rimuovetemi; rimuovimi dalla lista;"
    " rimuovetemi dalla lista; toglietemi dalla lista; toglimi dalla lista; voglio disiscrivermi;"
    " vorrei disiscrivermi; voglio cancellarmi; basta email; basta e-mail; basta mail; niente più email;"
    " niente più e-mail; niente più mail; non voglio più email; non voglio più ricevere email;"
    " non voglio più ricevere e-mail; non voglio più mail; smettete di inviarmi email;"
    " smettila di inviarmi email; smettete di mandarmi email; non inviatemi più email;"
    " non inviarmi più email; non mandatemi più email; non mandarmi più email",
    "nl": "afmelden; uitschrijven; meld mij af; meld me af; schrijf mij uit; schrijf me uit; afmelding;"
    " ik wil me afmelden; ik wil mij afmelden; ik wil me uitschrijven; ik wil mij uitschrijven;"
    " abonnement opzeggen; geen mail meer; geen mails meer; geen e-mail meer; geen e-mails meer;"
    " geen mail meer sturen; geen mails meer sturen; geen e-mails meer sturen;"
    " geen emails meer; ik wil geen mails meer; ik wil geen e-mails meer; ik wil geen mail meer;"
    " ik wil geen e-mails meer ontvangen; ik wil geen mails meer ontvangen; stuur mij geen mails meer;"
    " stuur me geen mails meer; stuur mij geen e-mails meer; stuur me geen e-mails meer; stop met mailen;"
    " stop met e-mails sturen; stop met mails sturen; verwijder mij van de lijst;"
    " verwijder me van de lijst; haal mij van de lijst; haal me van de lijst; verwijder mij uit uw bestand;"
    " afmelden aub; uitschrijven aub",
    "pl": "wypisz; wypisz mnie; wypiszcie mnie; wypisać; wypisuję się; chcę się wypisać;"
    " rezygnuję z subskrypcji; rezygnacja z subskrypcji; anuluj subskrypcję; zrezygnuj z subskrypcji;"
    " rezygnacja z newslettera; usuń mnie z listy; usuńcie mnie z listy; proszę usunąć mnie z listy;"
    " proszę mnie wypisać; proszę o wypisanie; żadnych więcej maili; żadnych więcej e-maili; koniec maili;"
    " nie chcę więcej maili; nie chcę więcej e-maili; nie chcę otrzymywać maili;"
    " nie chcę otrzymywać więcej maili; przestańcie wysyłać maile; przestańcie wysyłać mi maile;"
    " przestań wysyłać mi maile; nie wysyłajcie mi więcej maili; nie wysyłaj mi więcej maili;"
    " nie przysyłajcie mi więcej maili; proszę nie wysyłać więcej maili",
    "cs": "odhlásit; odhlaste mě; odhlas mě; odhlásit odběr; zrušit odběr; zrušte odběr; odhlášení;"
    " chci se odhlásit; odhlásit se; odhlásit z odběru; vyřaďte mě; vyřaďte mě ze seznamu;"
    " odstraňte mě ze seznamu; vymažte mě ze seznamu; smažte mě ze seznamu; už žádné e-maily;"
    " už žádné emaily; už žádné maily; žádné další e-maily; žádné další emaily; žádné další maily;"
    " nechci další e-maily; nechci další emaily; nechci další maily; nechci dostávat e-maily;"
    " nechci už dostávat e-maily; přestaňte mi posílat e-maily; přestaňte mi posílat emaily;"
    " přestaňte mi posílat maily; přestaň mi posílat e-maily; neposílejte mi e-maily;"
    " neposílejte mi další e-maily; už mi neposílejte e-maily; už mi nepište e-maily",
    "sk": "odhlásiť; odhláste ma; odhlás ma; odhlásiť odber; zrušiť odber; zrušte odber; odhlásenie;"
    " chcem sa odhlásiť; odhlásiť sa; odhlásiť z odberu; vyraďte ma zo zoznamu; odstráňte ma zo zoznamu;"
    " vymažte ma zo zoznamu; už žiadne e-maily; už žiadne emaily; už žiadne maily; žiadne ďalšie e-maily;"
    " žiadne ďalšie emaily; žiadne ďalšie maily; nechcem ďalšie e-maily; nechcem ďalšie emaily;"
    " nechcem dostávať e-maily; nechcem už dostávať e-maily; prestaňte mi posielať e-maily;"
    " prestaňte mi posielať emaily; prestaňte mi posielať maily; prestaň mi posielať e-maily;"
    " neposielajte mi e-maily; neposielajte mi ďalšie e-maily; už mi neposielajte e-maily",
    "sv": "avregistrera; avregistrera mig; avsluta prenumeration; avsluta prenumerationen;"
    " avsluta min prenumeration; säg upp prenumerationen; avprenumerera; avanmäl; avanmäl mig; avanmälan;"
    " jag vill avregistrera mig; jag vill avsluta prenumerationen; inga fler mejl; inga fler mail;"
    " inga fler e-postmeddelanden; ingen mer e-post; inga mer mejl; inga mer mail;"
    " jag vill inte ha fler mejl; jag vill inte ha fler mail; jag vill inte ha mer e-post;"
    " sluta skicka mejl; sluta skicka mail; sluta skicka mejl till mig; sluta skicka mail till mig;"
    " sluta skicka e-post till mig; sluta mejla mig; sluta maila mig; skicka inga fler mejl;"
    " skicka inga fler mail; ta bort mig från listan; ta bort mig; ta bort min adress",
    "da": "afmeld; afmeld mig; afmelding; afmeld nyhedsbrev; frameld; frameld mig; framelding;"
    " jeg vil gerne afmeldes; jeg vil gerne framelde mig; jeg ønsker at afmelde mig; ikke flere mails;"
    " ikke flere mail; ikke flere e-mails; ingen flere mails; ingen flere e-mails; ikke mere mail;"
    " jeg vil ikke have flere mails; jeg vil ikke have flere e-mails; jeg ønsker ikke flere mails;"
    " stop med at sende mails; stop med at sende mig mails; stop med at sende mig e-mails;"
    " hold op med at sende mig mails; hold op med at maile mig; send mig ikke flere mails;"
    " send mig ikke flere e-mails; fjern mig fra listen; fjern mig; slet mig fra listen",
    "nb": "avmeld; avmeld meg; meld meg av; avmelding; avslutt abonnement; avslutt abonnementet;"
    " stopp abonnementet; jeg vil melde meg av; jeg ønsker å melde meg av; ikke flere e-poster;"
    " ikke flere eposter; ikke flere mailer; ikke flere mail; ingen flere e-poster; ingen flere mailer;"
    " ikke mer e-post; jeg vil ikke ha flere e-poster; jeg vil ikke ha flere mailer;"
    " jeg ønsker ikke flere e-poster; jeg vil ikke ha mer e-post; slutt å sende meg e-post;"
    " slutt å sende meg e-poster; slutt å sende meg mail; slutt å sende e-post; slutt å maile meg;"
    " ikke send meg flere e-poster; ikke send meg mer e-post; fjern meg fra listen; fjern meg fra lista;"
    " fjern meg",
    "fi": "peruuta tilaus; peru tilaus; peru tilaukseni; peruuta tilaukseni; tilauksen peruutus;"
    " lopeta tilaus; poista minut listalta; poistakaa minut listalta; poista minut postituslistalta;"
    " poistakaa minut postituslistalta; poista minut; poistakaa minut; haluan perua tilauksen;"
    " haluan poistua listalta; haluan poistua postituslistalta; ei enää sähköposteja; ei enää sähköpostia;"
    " ei enempää sähköposteja; en halua enää sähköposteja; en halua enää sähköpostia;"
    " en halua enempää sähköposteja; en halua sähköpostia; älkää lähettäkö enää sähköpostia;"
    " älä lähetä enää sähköpostia; älkää lähettäkö minulle sähköpostia; älä lähetä minulle sähköpostia;"
    " lopettakaa sähköpostien lähettäminen; lopeta sähköpostien lähettäminen; lopeta sähköpostit",
    "tr": "abonelikten çık; abonelikten çıkar; aboneliği iptal et; aboneliğimi iptal et;"
    " aboneliğimi iptal edin; abonelikten ayrıl; abonelik iptali; beni abonelikten çıkarın;"
    " abonelikten çıkmak istiyorum; aboneliğimi iptal etmek istiyorum; üyelikten çık; beni listeden çıkar;"
    " beni listeden çıkarın; listeden çıkar; listeden çıkarın; artık e-posta istemiyorum;"
    " artık mail istemiyorum; daha fazla e-posta istemiyorum; e-posta istemiyorum; mail istemiyorum;"
    " e-posta göndermeyin; mail göndermeyin; bana e-posta göndermeyin; bana mail göndermeyin;"
    " bana e-posta göndermeyi bırakın; bana mail atmayın; artık e-posta göndermeyin;"
    " artık mail göndermeyin; e-posta göndermeyi bırakın; daha fazla e-posta göndermeyin",
    "ru": "отписаться; отпишите меня; отпиши меня; отписка; отказаться от подписки; отменить подписку;"
    " отмените подписку; хочу отписаться; я хочу отписаться; удалите меня; удалите меня из списка;"
    " удалите меня из рассылки; уберите меня из списка; уберите меня из рассылки;"
    " исключите меня из рассылки; исключите меня из списка; больше никаких писем; не присылайте мне писем;"
    " не присылайте мне больше писем; не присылайте больше писем; больше не присылайте письма;"
    " больше не присылайте мне письма; не шлите мне письма; хватит слать письма; хватит слать мне письма;"
    " перестаньте слать письма; перестаньте слать мне письма; перестаньте присылать мне письма;"
    " прекратите рассылку; прекратите присылать мне письма; я не хочу получать письма;"
    " не хочу получать письма; не хочу больше писем; я больше не хочу получать письма",
    "uk": "відписатися; відпишіть мене; відпиши мене; відписка; відмовитися від підписки; скасувати підписку;"
    " скасуйте підписку; хочу відписатися; я хочу відписатися; видаліть мене; видаліть мене зі списку;"
    " видаліть мене з розсилки; приберіть мене зі списку; виключіть мене з розсилки; більше жодних листів;"
    " більше ніяких листів; не надсилайте мені листів; не надсилайте мені більше листів;"
    " не надсилайте більше листів; більше не надсилайте мені листів; припиніть надсилати мені листи;"
    " перестаньте надсилати мені листи; припиніть розсилку; я не хочу отримувати листи;"
    " не хочу отримувати листи; не хочу більше листів; я більше не хочу отримувати листи",
    "el": "κατάργηση εγγραφής; ακύρωση εγγραφής; ακύρωση συνδρομής; διαγραφή από τη λίστα; απεγγραφή;"
    " διαγράψτε με; διαγράψτε με από τη λίστα; διέγραψέ με από τη λίστα; αφαιρέστε με από τη λίστα;"
    " βγάλτε με από τη λίστα; θέλω να διαγραφώ; θέλω να απεγγραφώ; όχι άλλα email; όχι άλλα e-mail;"
    " όχι άλλα mail; δεν θέλω άλλα email; δεν θέλω άλλα e-mail; δεν θέλω άλλα mail; δε θέλω άλλα email;"
    " δεν θέλω να λαμβάνω email; δεν θέλω email; σταματήστε να μου στέλνετε email;"
    " σταματήστε να μου στέλνετε e-mail; σταματήστε να μου στέλνετε mail; σταμάτα να μου στέλνεις email;"
    " μη μου στέλνετε email; μην μου στέλνετε email; μη μου στέλνετε άλλα email; μη μου ξαναστείλετε email",
    "hu": "leiratkozás; leiratkozom; leiratkozni; szeretnék leiratkozni; le szeretnék iratkozni;"
    " le akarok iratkozni; iratkoztassanak le; feliratkozás törlése; töröljenek a listáról;"
    " töröljön a listáról; törölj a listáról; vegyenek le a listáról; vegyél le a listáról;"
    " töröljenek a címlistáról; nincs több e-mail; ne legyen több e-mail; több e-mailt nem kérek;"
    " nem kérek több e-mailt; nem kérek több emailt; nem kérek több levelet; nem akarok több e-mailt;"
    " nem szeretnék több e-mailt kapni; ne küldjenek több e-mailt; ne küldjön több e-mailt;"
    " ne küldjetek több e-mailt; ne küldj több e-mailt; ne küldjenek több emailt; ne küldj több emailt;"
    " ne küldjenek több levelet",
    "ro": "dezabonare; dezabonează-mă; dezabonați-mă; mă dezabonez; vreau să mă dezabonez;"
    " doresc să mă dezabonez; anulează abonamentul; anulați abonamentul; ștergeți-mă din listă;"
    " șterge-mă din listă; scoateți-mă din listă; scoate-mă din listă; eliminați-mă din listă;"
    " gata cu e-mailurile; fără alte e-mailuri; fără alte emailuri; nu mai vreau e-mailuri;"
    " nu mai vreau emailuri; nu mai vreau mailuri; nu mai doresc e-mailuri;"
    " nu mai doresc să primesc e-mailuri; nu mai vreau să primesc e-mailuri;"
    " nu mai vreau să primesc emailuri; nu-mi mai trimiteți e-mailuri; nu-mi mai trimiteți emailuri;"
    " nu-mi mai trimite e-mailuri; nu îmi mai trimiteți e-mailuri; nu îmi mai trimiteți emailuri;"
    " opriți e-mailurile; încetați să-mi trimiteți e-mailuri",
    "bg": "отписване; отпишете ме; отпиши ме; отписвам се; искам да се отпиша; отмяна на абонамента;"
    " отменете абонамента; прекратете абонамента; премахнете ме; премахнете ме от списъка;"
    " махнете ме от списъка; махни ме от списъка; изтрийте ме от списъка; без повече имейли;"
    " никакви имейли повече; стига имейли; не искам повече имейли; не искам имейли;"
    " не искам да получавам имейли; не искам да получавам повече имейли; спрете да ми пращате имейли;"
    " спрете да ми изпращате имейли; спри да ми пращаш имейли; спрете имейлите; не ми пращайте имейли;"
    " не ми пращайте повече имейли; не ми изпращайте повече имейли",
    "sr": "одјави ме; одјавите ме; одјава; одјављивање; желим да се одјавим; хоћу да се одјавим;"
    " откажи претплату; откажите претплату; уклоните ме са листе; уклони ме са листе; скините ме са листе;"
    " избришите ме са листе; нема више мејлова; без више мејлова; не желим више мејлове; не желим мејлове;"
    " не желим више имејлове; не желим више да примам мејлове; не шаљите ми више мејлове;"
    " не шаљи ми више мејлове; престаните да ми шаљете мејлове; престани да ми шаљеш мејлове; odjavi me;"
    " odjavite me; odjava; odjavljivanje; želim da se odjavim; hoću da se odjavim; otkaži pretplatu;"
    " otkažite pretplatu; uklonite me sa liste; skinite me sa liste; nema više mejlova;"
    " ne želim više mejlove; ne želim mejlove; ne šaljite mi više mejlove; ne šalji mi više mejlove;"
    " prestanite da mi šaljete mejlove; prestani da mi šalješ mejlove",
    "hr": "odjavi me; odjavite me; odjava; odjava s liste; želim se odjaviti; hoću se odjaviti;"
    " otkaži pretplatu; otkažite pretplatu; uklonite me s popisa; ukloni me s popisa; maknite me s popisa;"
    " izbrišite me s popisa; uklonite me s liste; maknite me s liste; nema više e-mailova;"
    " bez više e-mailova; ne želim više e-mailove; ne želim više mailove; ne želim više e-poštu;"
    " ne želim primati e-mailove; ne želim više primati e-mailove; ne šaljite mi više e-mailove;"
    " ne šaljite mi više mailove; ne šalji mi više e-mailove; ne šaljite mi e-poštu;"
    " prestanite mi slati e-mailove; prestanite mi slati mailove; prestani mi slati e-mailove",
    "sl": "odjavi me; odjavite me; odjava; odjava od prejemanja; želim se odjaviti; rad bi se odjavil;"
    " rada bi se odjavila; prekliči naročnino; prekličite naročnino; odstranite me s seznama;"
    " odstrani me s seznama; izbrišite me s seznama; zbrišite me s seznama; nič več e-pošte;"
    " nobenih e-sporočil več; nobene e-pošte več; ne želim več e-pošte; ne želim več e-sporočil;"
    " ne želim več mailov; ne želim več prejemati e-pošte; ne želim prejemati e-pošte;"
    " ne pošiljajte mi več e-pošte; ne pošiljaj mi več e-pošte; ne pošiljajte mi več mailov;"
    " ne pošiljajte mi več e-sporočil; nehajte mi pošiljati e-pošto; nehajte mi pošiljati maile;"
    " prenehajte mi pošiljati e-pošto; nehaj mi pošiljati maile",
    "et": "loobu; loobu tellimusest; loobun tellimusest; loobun uudiskirjast; tühista tellimus;"
    " tühistage tellimus; tühistage minu tellimus; soovin loobuda; soovin tellimusest loobuda;"
    " eemalda mind; eemaldage mind; eemalda mind nimekirjast; eemaldage mind nimekirjast;"
    " eemaldage mind listist; kustutage mind nimekirjast; ei mingeid e-kirju enam; rohkem e-kirju ei soovi;"
    " ei soovi rohkem e-kirju; ma ei soovi rohkem e-kirju; ma ei taha rohkem e-kirju; ei taha rohkem meile;"
    " ma ei taha rohkem meile; ma ei soovi e-kirju; ärge saatke mulle e-kirju;"
    " ärge saatke mulle rohkem e-kirju; ära saada mulle rohkem e-kirju; ärge saatke rohkem e-kirju;"
    " ärge saatke mulle enam meile; lõpetage e-kirjade saatmine; lõpeta e-kirjade saatmine",
    "lv": "atrakstīties; atrakstiet mani; atraksti mani; atrakstīšanās; vēlos atrakstīties;"
    " gribu atrakstīties; anulēt abonementu; atcelt abonementu; atceliet abonementu;"
    " atteikties no abonementa; izņemiet mani no saraksta; izņem mani no saraksta;"
    " izdzēsiet mani no saraksta; noņemiet mani no saraksta; vairs nekādu e-pastu; vairs nekādu vēstuļu;"
    " nevēlos vairs e-pastus; es nevēlos vairs e-pastus; negribu vairs e-pastus; nevēlos saņemt e-pastus;"
    " nevēlos vairs saņemt e-pastus; es vairs nevēlos saņemt e-pastus; nesūtiet man e-pastus;"
    " nesūtiet man vairs e-pastus; nesūti man vairs e-pastus; vairs nesūtiet man e-pastus;"
    " beidziet sūtīt man e-pastus; pārtrauciet sūtīt man e-pastus; beidz sūtīt man e-pastus",
    "lt": "atsisakyti prenumeratos; atsisakau prenumeratos; atšaukti prenumeratą; atšaukite prenumeratą;"
    " nutraukti prenumeratą; nutraukite prenumeratą; noriu atsisakyti prenumeratos; išregistruoti;"
    " išregistruokite mane; išbraukite mane; išbraukite mane iš sąrašo; išbrauk mane iš sąrašo;"
    " pašalinkite mane iš sąrašo; pašalink mane iš sąrašo; ištrinkite mane iš sąrašo; jokių daugiau laiškų;"
    " daugiau jokių laiškų; nebenoriu laiškų; nebenoriu gauti laiškų; nenoriu daugiau laiškų;"
    " nenoriu gauti laiškų; nebenoriu el. laiškų; nesiųskite man laiškų; nesiųskite man daugiau laiškų;"
    " nebesiųskite man laiškų; nebesiųsk man laiškų; daugiau nesiųskite man laiškų;"
    " nustokite siųsti laiškus; nustokite man siųsti laiškus; nustok man siųsti laiškus",
    "ca": "donar-me de baixa; doneu-me de baixa; dona'm de baixa; vull donar-me de baixa; donar de baixa;"
    " cancel·lar la subscripció; cancel·la la subscripció; anul·lar la subscripció; anul·la la subscripció;"
    " cancel·leu la meva subscripció; traieu-me de la llista; treu-me de la llista;"
    " elimineu-me de la llista; elimina'm de la llista; esborreu-me de la llista; no més correus;"
    " prou correus; no vull més correus; no vull rebre més correus; no vull rebre correus;"
    " ja no vull més correus; deixeu d'enviar-me correus; deixa d'enviar-me correus;"
    " no m'envieu més correus; no m'enviïs més correus; no m'envieu correus",
    "is": "afskrá; afskrá mig; afskráning; skráið mig af listanum; skráðu mig af listanum; segja upp áskrift;"
    " segja upp áskriftinni; ég vil afskrá mig; ég vil segja upp áskriftinni; taktu mig af listanum;"
    " takið mig af listanum; fjarlægið mig af listanum; fjarlægðu mig af listanum; eyðið mér af listanum;"
    " engan frekari tölvupóst; enga fleiri tölvupósta; ekki fleiri tölvupósta; ekki meiri tölvupóst;"
    " ég vil ekki fleiri tölvupósta; ég vil ekki meiri tölvupóst; ég vil ekki fá tölvupóst;"
    " hættið að senda mér tölvupóst; hættu að senda mér tölvupóst; hættið að senda mér tölvupósta;"
    " hættu að senda mér tölvupósta; ekki senda mér fleiri tölvupósta; ekki senda mér meiri tölvupóst;"
    " ekki senda mér tölvupóst",
    "zh": "退订; 退訂; 取消订阅; 取消訂閱; 我要退订; 我要退訂; 我要取消订阅; 我要取消訂閱; 我想退订;"
    " 我想取消订阅; 请退订; 請退訂; 请取消订阅; 請取消訂閱; 取消订阅邮件; 退订邮件; 把我从列表中删除;"
    " 把我從名單中移除; 请把我从列表中删除; 请将我从列表中移除; 請將我從名單中移除; 不要再发邮件;"
    " 不要再發郵件; 不要再给我发邮件; 不要再給我發郵件; 不要再寄信給我; 请不要再发邮件; 請不要再發郵件;"
    " 请不要再给我发邮件; 請不要再寄信給我; 别再发邮件了; 別再寄信了; 别再给我发邮件; 停止发送邮件;"
    " 停止發送郵件; 停止给我发邮件; 请停止发送邮件; 不想再收到邮件; 我不想再收到邮件; 我不想再收到郵件;"
    " 不想再收到郵件; 拒收邮件; 不再接收邮件",
    "ja": "配信停止; 配信停止希望; 配信を停止; 配信を停止してください; 配信停止してください;"
    " メールの配信を停止してください; メール配信を停止してください;"
    " 配信停止をお願いします; 購読解除; 購読を解除; 購読を解除してください; 購読解除してください;"
    " 購読解除希望; 登録解除; 登録を解除してください; 登録解除してください; リストから削除;"
    " リストから削除してください; メール不要; メールは不要です; もうメールはいりません; メールはいりません;"
    " もうメールを送らないで; もうメールを送らないでください; メールを送らないで;"
    " メールを送らないでください; メールの送信を停止してください; メールを停止してください;"
    " メールを止めてください; これ以上メールを送らないでください",
    "ko": "수신거부; 수신 거부; 수신거부합니다; 수신 거부합니다; 수신거부 부탁드립니다; 구독취소; 구독 취소;"
    " 구독 취소합니다; 구독해지; 구독 해지; 구독 해지합니다; 구독을 취소해 주세요;"
    " 구독을 취소하고 싶습니다; 구독 취소해 주세요; 구독 취소 부탁드립니다; 목록에서 삭제해 주세요;"
    " 목록에서 제거해 주세요; 명단에서 삭제해 주세요; 저를 목록에서 삭제해 주세요;"
    " 더 이상 메일 보내지 마세요; 더 이상 이메일 보내지 마세요; 메일 보내지 마세요; 이메일 보내지 마세요;"
    " 메일을 보내지 마세요; 이메일을 보내지 마세요; 더 이상 메일을 보내지 마세요;"
    " 더 이상 이메일을 보내지 마세요; 메일 그만 보내세요; 이메일 그만 보내세요; 메일 그만 보내 주세요;"
    " 메일 받고 싶지 않습니다; 더 이상 메일을 받고 싶지 않습니다; 이메일을 받고 싶지 않습니다",
    "ar": "إلغاء الاشتراك; إلغاء اشتراكي; الغاء الاشتراك; الغاء اشتراكي; ألغِ اشتراكي; ألغ اشتراكي;"
    " ألغوا اشتراكي; أريد إلغاء الاشتراك; اريد الغاء الاشتراك; أرغب في إلغاء الاشتراك; أزلني من القائمة;"
    " أزيلوني من القائمة; احذفني من القائمة; احذفوني من القائمة; إزالتي من القائمة;"
    " لا مزيد من رسائل البريد; لا أريد رسائل بريد إلكتروني; توقف عن إرسال رسائل البريد الإلكتروني;"
    " لا أريد بريدا إلكترونيا; لا أريد تلقي رسائل بريد إلكتروني; لا ترسلوا لي رسائل بريد إلكتروني;"
    " لا ترسل لي رسائل بريد إلكتروني; لا أريد إيميلات; لا أريد المزيد من الإيميلات; لا ترسلوا لي إيميلات;"
    " توقفوا عن إرسال رسائل البريد الإلكتروني; توقفوا عن إرسال الإيميلات; أوقفوا الرسائل الإلكترونية",
    "he": "הסר; הסירו אותי; הסר אותי; הסירו; הסר אותי מהרשימה; הסירו אותי מהרשימה; תסירו אותי;"
    " תסירו אותי מהרשימה; נא להסיר אותי; נא להסיר אותי מהרשימה; נא להסיר; להסרה; להסיר אותי מהרשימה;"
    " ביטול מנוי; בטל מנוי; בטלו את המנוי; ביטול הרשמה; בטל הרשמה; אני רוצה לבטל את המנוי;"
    " מחקו אותי מהרשימה; לא עוד מיילים; די למיילים; אין יותר מיילים; לא רוצה יותר מיילים;"
    " אני לא רוצה יותר מיילים; אני לא רוצה מיילים; לא מעוניין במיילים; לא מעוניינת במיילים;"
    " תפסיקו לשלוח לי מיילים; תפסיק לשלוח לי מיילים; הפסיקו לשלוח לי מיילים; הפסיקו לשלוח מיילים;"
    " אל תשלחו לי מיילים; אל תשלחו לי יותר מיילים; אל תשלח לי יותר מיילים",
    "fa": "لغو اشتراک; لغو عضویت; اشتراکم را لغو کنید; اشتراک من را لغو کنید; عضویتم را لغو کنید;"
    " می‌خواهم اشتراکم را لغو کنم; می خواهم اشتراکم را لغو کنم; مرا از فهرست حذف کنید;"
    " مرا از لیست حذف کنید; من را از لیست حذف کنید; حذف از لیست; دیگر ایمیل نفرستید; دیگر ایمیلی نفرستید;"
    " دیگر به من ایمیل نزنید; دیگر برای من ایمیل نفرستید; به من ایمیل نفرستید; برای من ایمیل نفرستید;"
    " به من ایمیل نزنید; دیگر ایمیل نمی‌خواهم; دیگر ایمیل نمی خواهم; ایمیل نمی‌خواهم; ایمیل نمی خواهم;"
    " ارسال ایمیل را متوقف کنید; ایمیل فرستادن را متوقف کنید; نمی‌خواهم ایمیل دریافت کنم",
    "ur": "رکنیت ختم کریں; رکنیت منسوخ کریں; سبسکرپشن منسوخ کریں; سبسکرپشن ختم کریں; ان سبسکرائب;"
    " ان سبسکرائب کریں; مجھے ان سبسکرائب کریں; مجھے فہرست سے نکال دیں; مجھے لسٹ سے نکال دیں;"
    " مجھے فہرست سے ہٹا دیں; مجھے لسٹ سے ہٹا دیں; میرا نام فہرست سے نکال دیں; مزید ای میلز نہیں;"
    " مزید ای میل نہیں; مجھے مزید ای میل نہیں چاہیے; مجھے ای میل نہیں چاہیے; مجھے ای میلز نہیں چاہئیں;"
    " مجھے ای میل نہ بھیجیں; مجھے ای میلز نہ بھیجیں; مجھے مزید ای میل نہ بھیجیں;"
    " مجھے مزید ای میلز نہ بھیجیں; ای میل بھیجنا بند کریں; ای میلز بھیجنا بند کریں;"
    " مجھے ای میل بھیجنا بند کریں",
    "hi": "सदस्यता समाप्त करें; सदस्यता रद्द करें; मेरी सदस्यता समाप्त करें; मेरी सदस्यता रद्द करें;"
    " अनसब्सक्राइब; अनसब्सक्राइब करें; मुझे अनसब्सक्राइब करें; मुझे सूची से हटाएं; मुझे सूची से हटाएँ;"
    " मुझे सूची से हटा दें; मुझे लिस्ट से हटा दें; मेरा नाम सूची से हटाएं; मेरा नाम सूची से हटा दें;"
    " और ईमेल नहीं; और ईमेल नहीं चाहिए; मुझे और ईमेल नहीं चाहिए; मुझे ईमेल नहीं चाहिए; अब और ईमेल नहीं;"
    " मुझे ईमेल न भेजें; मुझे ईमेल मत भेजो; मुझे ईमेल मत भेजें; मुझे और ईमेल न भेजें; मुझे और ईमेल मत भेजो;"
    " ईमेल भेजना बंद करें; ईमेल भेजना बंद करो; मुझे ईमेल भेजना बंद करें; मुझे ईमेल भेजना बंद करो;"
    " ईमेल बंद करें",
    "bn": "আনসাবস্ক্রাইব; আনসাবস্ক্রাইব করুন; আমাকে আনসাবস্ক্রাইব করুন; সদস্যতা বাতিল করুন; সদস্যতা বাতিল;"
    " সাবস্ক্রিপশন বাতিল করুন; আমার সাবস্ক্রিপশন বাতিল করুন; আমাকে তালিকা থেকে বাদ দিন;"
    " আমাকে তালিকা থেকে সরান; আমাকে তালিকা থেকে সরিয়ে দিন; আমাকে লিস্ট থেকে বাদ দিন; আর ইমেইল নয়;"
    " আর ইমেল নয়; আর ইমেইল চাই না; আমি আর ইমেইল চাই না; আমি ইমেইল চাই না; আমাকে ইমেইল পাঠাবেন না;"
    " আমাকে আর ইমেইল পাঠাবেন না; আমাকে আর ইমেল পাঠাবেন না; আর ইমেইল পাঠাবেন না; ইমেইল পাঠানো বন্ধ করুন;"
    " ইমেল পাঠানো বন্ধ করুন; আমাকে ইমেইল পাঠানো বন্ধ করুন",
    "ta": "குழுவிலகு; குழுவிலக; குழு விலகு; சந்தாவை ரத்து செய்; சந்தாவை ரத்து செய்யவும்;"
    " என் சந்தாவை ரத்து செய்யவும்; எனது சந்தாவை ரத்து செய்யவும்; என்னை நீக்கவும்;"
    " என்னை பட்டியலில் இருந்து நீக்கவும்; என்னை பட்டியலிலிருந்து நீக்கவும்; இனி மின்னஞ்சல் வேண்டாம்;"
    " இனி மின்னஞ்சல்கள் வேண்டாம்; மின்னஞ்சல் வேண்டாம்; மின்னஞ்சல்கள் வேண்டாம்; எனக்கு மின்னஞ்சல் வேண்டாம்;"
    " எனக்கு மின்னஞ்சல்கள் வேண்டாம்; எனக்கு மின்னஞ்சல் அனுப்ப வேண்டாம்; எனக்கு மின்னஞ்சல் அனுப்பாதீர்கள்;"
    " இனி மின்னஞ்சல் அனுப்ப வேண்டாம்; மின்னஞ்சல் அனுப்புவதை நிறுத்தவும்; மின்னஞ்சல்களை நிறுத்தவும்;"
    " மின்னஞ்சல் அனுப்புவதை நிறுத்துங்கள்",
    "id": "berhenti berlangganan; berhenti langganan; batalkan langganan; batal langganan;"
    " batalkan langganan saya; saya ingin berhenti berlangganan; saya mau berhenti berlangganan;"
    " hapus saya dari daftar; hapus saya; keluarkan saya dari daftar; hapus email saya;"
    " hapus alamat email saya; tidak mau email lagi; tidak ada email lagi; jangan ada email lagi;"
    " saya tidak mau email lagi; saya tidak ingin email lagi; saya tidak ingin menerima email;"
    " saya tidak ingin menerima email lagi; saya tidak mau menerima email lagi; jangan kirim email lagi;"
    " jangan kirimi saya email; jangan kirimi saya email lagi; jangan kirim saya email; jangan kirim email;"
    " jangan email saya lagi; berhenti mengirim email; berhenti mengirimi saya email; stop kirim email",
    "ms": "nyahlanggan; nyahlangganan; berhenti melanggan; batalkan langganan; batalkan langganan saya;"
    " saya mahu berhenti melanggan; saya ingin berhenti melanggan; keluarkan saya dari senarai;"
    " keluarkan saya daripada senarai; padam saya dari senarai; buang saya dari senarai;"
    " buang saya daripada senarai; tiada lagi e-mel; tiada e-mel lagi; tak mahu e-mel lagi;"
    " tidak mahu e-mel lagi; saya tidak mahu e-mel lagi; saya tak mahu e-mel lagi;"
    " saya tidak mahu menerima e-mel; saya tidak mahu menerima e-mel lagi; saya tidak mahu emel lagi;"
    " jangan hantar e-mel lagi; jangan hantar emel lagi; jangan hantar e-mel kepada saya;"
    " jangan hantar e-mel kepada saya lagi; berhenti menghantar e-mel; berhenti hantar e-mel;"
    " berhenti menghantar e-mel kepada saya; berhenti hantar emel",
    "fil": "mag-unsubscribe; gusto kong mag-unsubscribe; i-unsubscribe ako; i-unsubscribe mo ako;"
    " paki-unsubscribe ako; kanselahin ang subscription; kanselahin ang subscription ko;"
    " kanselahin ang aking subscription; alisin ako; alisin ako sa listahan; alisin niyo ako sa listahan;"
    " alisin mo ako sa listahan; tanggalin ako sa listahan; tanggalin niyo ako sa listahan;"
    " paki-alis ako sa listahan; wala nang email; wala ng email; ayaw ko na ng email; ayoko na ng email;"
    " ayaw ko ng email; ayoko ng email; huwag na kayong mag-email; huwag na kayong mag-email sa akin;"
    " huwag mo na akong i-email; huwag niyo na akong i-email; huwag na akong padalhan ng email;"
    " huwag niyo na akong padalhan ng email; itigil ang pagpapadala ng email; itigil ang email;"
    " itigil ang mga email; itigil ang pag-email sa akin; tumigil sa pag-email sa akin",
    "vi": "hủy đăng ký; huỷ đăng ký; hủy đăng ký nhận tin; hủy theo dõi; hủy nhận email; ngừng đăng ký;"
    " bỏ đăng ký; tôi muốn hủy đăng ký; tôi muốn huỷ đăng ký; hủy đăng ký cho tôi; xóa tôi khỏi danh sách;"
    " xoá tôi khỏi danh sách; gỡ tôi khỏi danh sách; loại tôi khỏi danh sách; không email nữa;"
    " không nhận email nữa; không muốn nhận email; không muốn nhận email nữa; tôi không muốn nhận email;"
    " tôi không muốn nhận email nữa; tôi không muốn nhận thêm email; đừng gửi email; đừng gửi email nữa;"
    " đừng gửi email cho tôi; đừng gửi email cho tôi nữa; đừng gửi thư cho tôi nữa; ngừng gửi email;"
    " ngừng gửi email cho tôi; dừng gửi email; dừng gửi email cho tôi; đừng gửi thư nữa",
    "th": "ยกเลิกการสมัคร; ยกเลิกการสมัครรับข้อมูล; ยกเลิกการสมัครสมาชิก; ยกเลิกการรับข่าวสาร;"
    " ยกเลิกรับข่าวสาร; ยกเลิกการรับอีเมล; ยกเลิกรับอีเมล; ขอยกเลิกการสมัคร; ขอยกเลิกการรับอีเมล;"
    " ขอยกเลิกรับอีเมล; เลิกรับอีเมล; ต้องการยกเลิกการสมัคร; ลบฉันออกจากรายชื่อ; ลบฉันออก;"
    " เอาฉันออกจากรายชื่อ; นำฉันออกจากรายชื่อ; ลบผมออกจากรายชื่อ; ไม่ต้องส่งอีเมล; ไม่ต้องส่งอีเมลมาอีก;"
    " ไม่ต้องการอีเมล; ไม่ต้องการรับอีเมล; ไม่ต้องการรับอีเมลอีก; ฉันไม่ต้องการรับอีเมล;"
    " ไม่ต้องการอีเมลอีก; ไม่อยากรับอีเมล; หยุดส่งอีเมล; หยุดส่งอีเมลถึงฉัน; หยุดส่งอีเมลมา;"
    " หยุดส่งอีเมลให้ฉัน; อย่าส่งอีเมลมาอีก; อย่าส่งอีเมลถึงฉัน; อย่าส่งอีเมลมา",
    "sw": "jiondoe; jitoe; nataka kujiondoa; ninataka kujiondoa; nataka kujitoa; ninataka kujitoa; kujiondoa;"
    " ondoa usajili; ghairi usajili; ghairi usajili wangu; futa usajili; futa usajili wangu; niondoe;"
    " niondoeni; niondoe kwenye orodha; niondoeni kwenye orodha; nitoe kwenye orodha;"
    " nitoeni kwenye orodha; niondolee kwenye orodha; hakuna barua pepe zaidi; sitaki barua pepe;"
    " sitaki barua pepe zaidi; sitaki tena barua pepe; sitaki barua pepe tena; sitaki kupokea barua pepe;"
    " sitaki kupokea barua pepe tena; usinitumie barua pepe; msinitumie barua pepe;"
    " usinitumie barua pepe tena; msinitumie barua pepe tena; usinitumie tena barua pepe;"
    " acha kunitumia barua pepe; acheni kunitumia barua pepe; acha kutuma barua pepe",
}
"""The phrases by language."""


def stop_lines() -> Iterator[str]:
    """Return all lines that mean `stop`: each phrase alone, and with “please” before or after it."""
    for language, text in PHRASES.items():
        for phrase in text.split("; "):
            yield phrase
            for please in _PLEASE[language].split("; "):
                yield from (f"{please} {phrase}", f"{phrase} {please}")
