"""Phrases of automatic replies of people who are away ("out of office"), by language.

Everything is in lower case, and searched anywhere in the lower-cased text. A text is such a reply only if it
contains a phrase of `absent` and one of `beside`: people also write to Nabu that they go on holiday.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Absence:
    """The phrases of one language in automatic replies, separated by ";".

    `absent`: the absence itself. `beside`: other phrases of such a reply, such as when the person will read the
    email, or whom to contact instead.
    """

    absent: str
    beside: str


ABSENCES = {
    "en": Absence(
        "out of office; out of the office; not in the office; away from the office; on vacation; on holiday;"
        " on annual leave; on leave; on parental leave; currently away; am away",
        "thank you for your; thanks for your e; thanks for your message; will reply;"
        " will respond; will answer; will get back to you; upon my return; when i return; when i am back;"
        " access to my e; access to e; please contact; urgent; automatic; automated",
    ),
    "de": Absence(
        "nicht im büro; nicht im hause; außer haus; abwesend; im urlaub; nicht erreichbar; nicht am platz;"
        " in elternzeit",
        "dank für ihre; dank für deine; danke für ihre; danke für deine; dringend; wenden sie sich;"
        " wende dich; nach meiner rückkehr; wieder erreichbar; wieder für sie da; ihre nachricht;"
        " deine nachricht;"
        " ihre e-mail; ihre mail; deine mail; nicht weitergeleitet; vertretung; automatisch",
    ),
    "fr": Absence(
        "absent du bureau; absente du bureau; actuellement absent; je suis absent; en congé; en vacances;"
        " hors du bureau; pas au bureau",
        "merci pour votre; merci de votre; à mon retour; dès mon retour; urgence; urgent; veuillez contacter;"
        " vous pouvez contacter; accès à mes; accès à ma; automatique",
    ),
    "es": Absence(
        "fuera de la oficina; fuera de oficina; de vacaciones; estoy ausente; me encuentro ausente;"
        " me encuentro fuera",
        "gracias por su; gracias por tu; a mi regreso; a mi vuelta; urgente; urgencia; contacte;"
        " póngase en contacto;"
        " responderé; automátic",
    ),
    "pt": Absence(
        "fora do escritório; de férias; estou ausente; encontro-me ausente; ausente do escritório",
        "obrigado pela; obrigada pela; obrigado por; obrigado pelo; no meu regresso; quando regressar;"
        " quando voltar; no meu retorno; urgente; contacte; contate; responderei; automátic",
    ),
    "it": Absence(
        "fuori ufficio; fuori sede; in ferie; sono assente; assente dall'ufficio; in vacanza",
        "grazie per la; grazie per il; al mio rientro; al mio ritorno; urgent; urgenz; contattare; rivolgersi;"
        " risponderò; automatic",
    ),
    "nl": Absence(
        "niet op kantoor; afwezig; op vakantie; met vakantie; met verlof; niet aanwezig; niet bereikbaar",
        "bedankt voor; dank voor uw; dank u voor; bij terugkomst; na mijn terugkeer; als ik terug;"
        " dringend; spoed; neem contact op; contact opnemen; automatisch",
    ),
    "pl": Absence(
        "poza biurem; nieobecny; nieobecna; na urlopie; jestem na wakacjach",
        "dziękuję za; po powrocie; pilnych; proszę o kontakt; proszę kontaktować; odpowiem; automatyczn",
    ),
    "cs": Absence(
        "mimo kancelář; nepřítomen; nepřítomna; na dovolené",
        "děkuji za; po návratu; naléhavých; urgentní; kontaktujte; obraťte se; automatick",
    ),
    "sk": Absence(
        "mimo kancelárie; neprítomný; neprítomná; na dovolenke",
        "ďakujem za; po návrate; naliehavých; urgentných; kontaktujte; automatick",
    ),
    "sv": Absence(
        "inte på kontoret; på semester; frånvarande; tjänstledig; föräldraledig; har semester",
        "tack för ditt; när jag är tillbaka; brådskande; kontakta; automatiskt; svarar när",
    ),
    "da": Absence(
        "ikke på kontoret; på ferie; holder ferie; fraværende",
        "tak for din; når jeg er tilbage; haster; kontakt; vender tilbage; automatisk",
    ),
    "nb": Absence(
        "ikke på kontoret; på ferie; har ferie; bortreist; fraværende; ikke til stede",
        "takk for din; takk for e-post; når jeg er tilbake; haster; kontakt; automatisk",
    ),
    "fi": Absence(
        "poissa toimistosta; en ole toimistolla; lomalla; poissa töistä",
        "kiitos viestistä; kiitos sähköposti; palattuani; palaan; kiireellis; ota yhteyttä; automaatti",
    ),
    "tr": Absence(
        "ofis dışında; ofiste değilim; izindeyim; tatildeyim; izinde olacağım",
        "teşekkür; döndüğümde; acil; iletişime; otomatik",
    ),
    "ru": Absence(
        "нет в офисе; вне офиса; в отпуске; отсутствую; не в офисе",
        "спасибо за; благодарю за; по возвращении; после возвращения; срочн; обращайтесь; обратитесь; отвечу;"
        " автоматическ",
    ),
    "uk": Absence(
        "немає в офісі; поза офісом; у відпустці; відсутній; відсутня",
        "дякую за; після повернення; термінов; звертайтеся; зверніться; відповім; автоматичн",
    ),
    "el": Absence(
        "εκτός γραφείου; σε άδεια; σε διακοπές; απουσιάζω",
        "ευχαριστώ για; επιστροφή μου; επιστρέψω; επείγον; επικοινωνήστε; αυτόματ",
    ),
    "hu": Absence(
        "házon kívül; irodán kívül; szabadságon; nem vagyok az irodában",
        "köszönöm; visszatérésem; sürgős; forduljon; keresse; automatikus",
    ),
    "ro": Absence(
        "nu sunt la birou; în concediu; în afara biroului; în vacanță; absent din birou",
        "mulțumesc pentru; la întoarcere; urgent; contactați; automat",
    ),
    "bg": Absence(
        "извън офиса; в отпуск; отсъствам; не съм в офиса",
        "благодаря за; благодаря ви; при завръщането; спешн; свържете се; обърнете се; автоматич",
    ),
    "sr": Absence(
        "на одмору; ван канцеларије; одсутан; одсутна; van kancelarije; na odmoru",
        "хвала; hvala; по повратку; po povratku; хитн; hitn; контакт; kontakt; automatsk",
    ),
    "hr": Absence(
        "izvan ureda; na godišnjem odmoru; odsutan; odsutna; nisam u uredu",
        "hvala; po povratku; hitn; kontaktirajte; obratite se; automatsk",
    ),
    "sl": Absence(
        "odsoten; odsotna; na dopustu; nisem v pisarni",
        "hvala za; po vrnitvi; nujn; kontaktirajte; obrnite; samodejn",
    ),
    "et": Absence(
        "kontorist väljas; puhkusel; ei ole kontoris; eemal töölt",
        "täname; tänan; tagasi tulles; naasen; kiire; pöörduge; võtke ühendust; automaat",
    ),
    "lv": Absence(
        "neesmu birojā; ārpus biroja; atvaļinājumā; prombūtnē",
        "paldies; pēc atgriešanās; steidzam; sazinieties; automātisk",
    ),
    "lt": Absence(
        "nesu biure; ne biure; atostogauju; atostogose",
        "ačiū; dėkoju; grįžęs; grįžusi; skubi; skubiu; kreipkitės; susisiekite; automatin",
    ),
    "ca": Absence(
        "fora de l'oficina; de vacances; estic absent; sóc absent",
        "gràcies per; en tornar; quan torni; a la tornada; urgent; poseu-vos en contacte; contacteu; automàtic",
    ),
    "is": Absence(
        "ekki við; í fríi; í orlofi; ekki á skrifstofunni",
        "takk fyrir; þegar ég kem; áríðandi; brýn; hafðu samband; hafið samband; sjálfvirk",
    ),
    "zh": Absence(
        "不在办公室; 不在辦公室; 外出; 休假; 度假",
        "感谢您; 感謝您; 谢谢您; 来信; 來信; 邮件; 郵件; 回来后; 紧急; 緊急; 请联系; 請聯絡; 自动; 自動",
    ),
    "ja": Absence("不在; 休暇; 休業; 外出して", "メール; ご連絡; 返信; 返答; 緊急; お急ぎ; 自動"),
    "ko": Absence("부재; 휴가; 출장", "메일; 회신; 답변; 긴급; 급한; 연락; 자동"),
    "ar": Absence("خارج المكتب; في إجازة", "شكرا; شكراً; عند عودتي; عاجل; للطوارئ; الاتصال; تلقائي"),
    "he": Absence("מחוץ למשרד; בחופשה; לא במשרד", "תודה; כשאחזור; עם שובי; דחוף; לפנות; אוטומטי"),
    "fa": Absence("خارج از دفتر; در مرخصی; مرخصی هستم", "متشکرم; ممنون; بازگشت; فوری; تماس; خودکار"),
    "hi": Absence("कार्यालय से बाहर; छुट्टी पर; अवकाश पर", "धन्यवाद; लौटने; वापस; तत्काल; संपर्क; स्वचालित"),
    "id": Absence(
        "di luar kantor; sedang cuti; tidak di kantor", "terima kasih; kembali; mendesak; hubungi; otomatis"
    ),
    "ms": Absence(
        "luar pejabat; bercuti; tidak berada di pejabat", "terima kasih; kembali; segera; hubungi; automatik"
    ),
    "vi": Absence(
        "vắng mặt; nghỉ phép; không có mặt tại văn phòng", "cảm ơn; trở lại; quay lại; khẩn; liên hệ; tự động"
    ),
    "th": Absence("ไม่อยู่ที่สำนักงาน; ลาพักร้อน; ลาหยุด; อยู่นอกสำนักงาน", "ขอบคุณ; กลับมา; ด่วน; ติดต่อ; อัตโนมัติ"),
}

REACTED = (
    "reacted to your message", "reacted to your email", "reacted via gmail", "hat auf ihre nachricht reagiert",
    "hat auf deine nachricht reagiert", "a réagi à votre message", "a réagi à ton message",
    "reaccionó a tu mensaje", "reaccionó a su mensaje", "ha reaccionado a tu mensaje",
    "ha reaccionado a su mensaje", "ha reagito al tuo messaggio", "reagiu à sua mensagem",
    "reagiu à tua mensagem", "heeft op je bericht gereageerd", "heeft op uw bericht gereageerd",
    "heeft gereageerd op je bericht", "heeft gereageerd op uw bericht",
)  # fmt: skip
"""The last words of the text that Outlook and Gmail send for a reaction."""
