"""Names of months and days of the week, in the languages of `mail/reading/languages`, from the CLDR.

The names of one month or day are separated by "/". Chinese, Japanese and Korean number their months.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping
from functools import cache

from mail.reading.spelling import comparable

_MONTHS = {
    "en": "january/jan; february/feb; march/mar; april/apr; may; june/jun; july/jul; august/aug;"
    " september/sep/sept; october/oct; november/nov; december/dec",
    "de": "januar/jan/jänner; februar/feb; märz/mär/maerz; april/apr; mai; juni/jun; juli/jul; august/aug;"
    " september/sept/sep; oktober/okt; november/nov; dezember/dez",
    "fr": "janvier/janv; février/févr; mars; avril/avr; mai; juin; juillet/juil; août; septembre/sept;"
    " octobre/oct; novembre/nov; décembre/déc",
    "es": "enero/ene; febrero/feb; marzo/mar; abril/abr; mayo/may; junio/jun; julio/jul; agosto/ago;"
    " septiembre/sept; octubre/oct; noviembre/nov; diciembre/dic",
    "pt": "janeiro/jan; fevereiro/fev; março/mar; abril/abr; maio/mai; junho/jun; julho/jul; agosto/ago;"
    " setembro/set; outubro/out; novembro/nov; dezembro/dez",
    "it": "gennaio/gen; febbraio/feb; marzo/mar; aprile/apr; maggio/mag; giugno/giu; luglio/lug; agosto/ago;"
    " settembre/set; ottobre/ott; novembre/nov; dicembre/dic",
    "nl": "januari/jan; februari/feb; maart/mrt; april/apr; mei; juni/jun; juli/jul; augustus/aug;"
    " september/sep; oktober/okt; november/nov; december/dec",
    "pl": "stycznia/sty/styczeń; lutego/lut/luty; marca/mar/marzec; kwietnia/kwi/kwiecień; maja/maj;"
    " czerwca/cze/czerwiec; lipca/lip/lipiec; sierpnia/sie/sierpień; września/wrz/wrzesień;"
    " października/paź/październik; listopada/lis/listopad; grudnia/gru/grudzień",
    "cs": "ledna/led/leden; února/úno/únor; března/bře/březen; dubna/dub/duben; května/kvě/květen;"
    " června/čvn/červen; července/čvc/červenec; srpna/srp/srpen; září/zář; října/říj/říjen;"
    " listopadu/lis/listopad; prosince/pro/prosinec",
    "sk": "januára/jan/január; februára/feb/február; marca/mar/marec; apríla/apr/apríl; mája/máj; júna/jún;"
    " júla/júl; augusta/aug/august; septembra/sep/september; októbra/okt/október; novembra/nov/november;"
    " decembra/dec/december",
    "sv": "januari/jan; februari/feb; mars; april/apr; maj; juni; juli; augusti/aug; september/sep;"
    " oktober/okt; november/nov; december/dec",
    "da": "januar/jan; februar/feb; marts/mar; april/apr; maj; juni/jun; juli/jul; august/aug; september/sep;"
    " oktober/okt; november/nov; december/dec",
    "nb": "januar/jan; februar/feb; mars/mar; april/apr; mai; juni/jun; juli/jul; august/aug; september/sep;"
    " oktober/okt; november/nov; desember/des",
    "fi": "tammikuuta/tammi/tammikuu; helmikuuta/helmi/helmikuu; maaliskuuta/maalis/maaliskuu;"
    " huhtikuuta/huhti/huhtikuu; toukokuuta/touko/toukokuu; kesäkuuta/kesä/kesäkuu;"
    " heinäkuuta/heinä/heinäkuu; elokuuta/elo/elokuu; syyskuuta/syys/syyskuu; lokakuuta/loka/lokakuu;"
    " marraskuuta/marras/marraskuu; joulukuuta/joulu/joulukuu",
    "tr": "ocak/oca; şubat/şub; mart/mar; nisan/nis; mayıs/may; haziran/haz; temmuz/tem; ağustos/ağu;"
    " eylül/eyl; ekim/eki; kasım/kas; aralık/ara",
    "ru": "января/янв/январь; февраля/февр/февраль; марта/мар/март; апреля/апр/апрель; мая/май; июня/июн/июнь;"
    " июля/июл/июль; августа/авг/август; сентября/сент/сентябрь; октября/окт/октябрь; ноября/нояб/ноябрь;"
    " декабря/дек/декабрь",
    "uk": "січня/січ/січень; лютого/лют/лютий; березня/бер/березень; квітня/квіт/квітень; травня/трав/травень;"
    " червня/черв/червень; липня/лип/липень; серпня/серп/серпень; вересня/вер/вересень;"
    " жовтня/жовт/жовтень; листопада/лист/листопад; грудня/груд/грудень",
    "el": "ιανουαρίου/ιαν/ιανουάριος; φεβρουαρίου/φεβ/φεβρουάριος; μαρτίου/μαρ/μάρτιος; απριλίου/απρ/απρίλιος;"
    " μαΐου/μαΐ/μάιος; ιουνίου/ιουν/ιούνιος; ιουλίου/ιουλ/ιούλιος; αυγούστου/αυγ/αύγουστος;"
    " σεπτεμβρίου/σεπ/σεπτέμβριος; οκτωβρίου/οκτ/οκτώβριος; νοεμβρίου/νοε/νοέμβριος;"
    " δεκεμβρίου/δεκ/δεκέμβριος",
    "hu": "január/jan; február/febr; március/márc; április/ápr; május/máj; június/jún; július/júl;"
    " augusztus/aug; szeptember/szept; október/okt; november/nov; december/dec",
    "ro": "ianuarie/ian; februarie/feb; martie/mar; aprilie/apr; mai; iunie/iun; iulie/iul; august/aug;"
    " septembrie/sept; octombrie/oct; noiembrie/nov; decembrie/dec",
    "bg": "януари/яну; февруари/фев; март; април/апр; май; юни; юли; август/авг; септември/сеп; октомври/окт;"
    " ноември/ное; декември/дек",
    "sr": "јануар/јан/januar/jan; фебруар/феб/februar/feb; март/мар/mart/mar; април/апр/april/apr; мај/maj;"
    " јун/jun; јул/jul; август/авг/avgust/avg; септембар/сеп/septembar/sep; октобар/окт/oktobar/okt;"
    " новембар/нов/novembar/nov; децембар/дец/decembar/dec",
    "hr": "siječnja/sij/siječanj; veljače/velj/veljača; ožujka/ožu/ožujak; travnja/tra/travanj;"
    " svibnja/svi/svibanj; lipnja/lip/lipanj; srpnja/srp/srpanj; kolovoza/kol/kolovoz; rujna/ruj/rujan;"
    " listopada/lis/listopad; studenoga/stu/studeni; prosinca/pro/prosinac",
    "sl": "januar/jan; februar/feb; marec/mar; april/apr; maj; junij/jun; julij/jul; avgust/avg; september/sep;"
    " oktober/okt; november/nov; december/dec",
    "et": "jaanuar/jaan; veebruar/veebr; märts; aprill/apr; mai; juuni; juuli; august/aug; september/sept;"
    " oktoober/okt; november/nov; detsember/dets",
    "lv": "janvāris/janv; februāris/febr; marts; aprīlis/apr; maijs; jūnijs/jūn; jūlijs/jūl; augusts/aug;"
    " septembris/sept; oktobris/okt; novembris/nov; decembris/dec",
    "lt": "sausio/saus/sausis; vasario/vas/vasaris; kovo/kov/kovas; balandžio/bal/balandis; gegužės/geg/gegužė;"
    " birželio/birž/birželis; liepos/liep/liepa; rugpjūčio/rugp/rugpjūtis; rugsėjo/rugs/rugsėjis;"
    " spalio/spal/spalis; lapkričio/lapkr/lapkritis; gruodžio/gruod/gruodis",
    "ca": "de gener/de gen/gener/gen; de febrer/de febr/febrer/febr; de març/març; d’abril/d’abr/abril/abr;"
    " de maig/maig; de juny/juny; de juliol/de jul/juliol/jul; d’agost/d’ag/agost;"
    " de setembre/de set/setembre/set; d’octubre/d’oct/octubre/oct; de novembre/de nov/novembre/nov;"
    " de desembre/de des/desembre/des",
    "is": "janúar/jan; febrúar/feb; mars/mar; apríl/apr; maí; júní/jún; júlí/júl; ágúst/ágú; september/sep;"
    " október/okt; nóvember/nóv; desember/des",
    "ar": "يناير; فبراير; مارس; أبريل; مايو; يونيو; يوليو; أغسطس; سبتمبر; أكتوبر; نوفمبر; ديسمبر",
    "he": "ינואר/ינו׳; פברואר/פבר׳; מרץ; אפריל/אפר׳; מאי; יוני; יולי; אוגוסט/אוג׳; ספטמבר/ספט׳; אוקטובר/אוק׳;"
    " נובמבר/נוב׳; דצמבר/דצמ׳",
    "fa": "ژانویه; فوریه; مارس; آوریل; مه; ژوئن; ژوئیه; اوت; سپتامبر; اکتبر; نوامبر; دسامبر",
    "ur": "جنوری; فروری; مارچ; اپریل; مئی; جون; جولائی; اگست; ستمبر; اکتوبر; نومبر; دسمبر",
    "hi": "जनवरी/जन॰; फ़रवरी/फ़र॰; मार्च; अप्रैल; मई; जून; जुलाई/जुल॰; अगस्त/अग॰; सितंबर/सित॰; अक्टूबर/अक्टू॰; नवंबर/नव॰;"
    " दिसंबर/दिस॰",
    "bn": "জানুয়ারি/জানু; ফেব্রুয়ারি/ফেব; মার্চ; এপ্রিল/এপ্রি; মে; জুন; জুলাই/জুল; আগস্ট/আগ; সেপ্টেম্বর/সেপ/সেপ্ট;"
    " অক্টোবর/অক্টো; নভেম্বর/নভে; ডিসেম্বর/ডিসে",
    "ta": "ஜனவரி/ஜன; பிப்ரவரி/பிப்; மார்ச்/மார்; ஏப்ரல்/ஏப்; மே; ஜூன்; ஜூலை; ஆகஸ்ட்/ஆக; செப்டம்பர்/செப்; அக்டோபர்/அக்; நவம்பர்/நவ;"
    " டிசம்பர்/டிச",
    "id": "januari/jan; februari/feb; maret/mar; april/apr; mei; juni/jun; juli/jul; agustus/agu;"
    " september/sep; oktober/okt; november/nov; desember/des",
    "ms": "januari/jan; februari/feb; mac; april/apr; mei; jun; julai/jul; ogos/ogo; september/sep;"
    " oktober/okt; november/nov; disember/dis",
    "fil": "enero/ene; pebrero/peb; marso/mar; abril/abr; mayo/may; hunyo/hun; hulyo/hul; agosto/ago;"
    " setyembre/set; oktubre/okt; nobyembre/nob; disyembre/dis",
    "th": "มกราคม; กุมภาพันธ์; มีนาคม; เมษายน; พฤษภาคม; มิถุนายน; กรกฎาคม; สิงหาคม; กันยายน; ตุลาคม; พฤศจิกายน; ธันวาคม",
    "sw": "januari/jan; februari/feb; machi/mac; aprili/apr; mei; juni/jun; julai/jul; agosti/ago;"
    " septemba/sep; oktoba/okt; novemba/nov; desemba/des",
}
"""From January to December."""

_DAYS = {
    "en": "monday/mon; tuesday/tue; wednesday/wed; thursday/thu; friday/fri; saturday/sat; sunday/sun",
    "de": "montag; dienstag; mittwoch; donnerstag; freitag; samstag; sonntag",
    "fr": "lundi/lun; mardi/mar; mercredi/mer; jeudi/jeu; vendredi/ven; samedi/sam; dimanche/dim",
    "es": "lunes/lun; martes/mar; miércoles/mié; jueves/jue; viernes/vie; sábado/sáb; domingo/dom",
    "pt": "segunda-feira/seg/segunda; terça-feira/ter/terça; quarta-feira/qua/quarta; quinta-feira/qui/quinta;"
    " sexta-feira/sex/sexta; sábado/sáb; domingo/dom",
    "it": "lunedì/lun; martedì/mar; mercoledì/mer; giovedì/gio; venerdì/ven; sabato/sab; domenica/dom",
    "nl": "maandag; dinsdag; woensdag; donderdag; vrijdag; zaterdag; zondag",
    "pl": "poniedziałek/pon; wtorek; środa; czwartek/czw; piątek; sobota/sob; niedziela/niedz",
    "cs": "pondělí; úterý; středa; čtvrtek; pátek; sobota; neděle",
    "sk": "pondelok; utorok; streda; štvrtok; piatok; sobota; nedeľa",
    "sv": "måndag/mån; tisdag/tis; onsdag/ons; torsdag/tors; fredag/fre; lördag/lör; söndag/sön",
    "da": "mandag/man; tirsdag/tirs; onsdag/ons; torsdag/tors; fredag/fre; lørdag/lør; søndag/søn",
    "nb": "mandag/man; tirsdag/tir; onsdag/ons; torsdag/tor; fredag/fre; lørdag/lør; søndag/søn",
    "fi": "maanantaina/maanantai; tiistaina/tiistai; keskiviikkona/keskiviikko; torstaina/torstai;"
    " perjantaina/perjantai; lauantaina/lauantai; sunnuntaina/sunnuntai",
    "tr": "pazartesi/pzt; salı/sal; çarşamba/çar; perşembe/per; cuma/cum; cumartesi/cmt; pazar/paz",
    "ru": "понедельник; вторник; среда; четверг; пятница; суббота; воскресенье",
    "uk": "понеділок; вівторок; середа; четвер; пʼятниця; субота; неділя",
    "el": "δευτέρα/δευ; τρίτη/τρί; τετάρτη/τετ; πέμπτη/πέμ; παρασκευή/παρ; σάββατο/σάβ; κυριακή/κυρ",
    "hu": "hétfő; kedd; szerda/sze; csütörtök; péntek; szombat/szo; vasárnap",
    "ro": "luni/lun; marți/mar; miercuri/mie; joi; vineri/vin; sâmbătă/sâm; duminică/dum",
    "bg": "понеделник; вторник; сряда; четвъртък; петък; събота; неделя",
    "sr": "понедељак/пон/ponedeljak/pon; уторак/уто/utorak/uto; среда/сре/sreda/sre; четвртак/чет/četvrtak/čet;"
    " петак/пет/petak/pet; субота/суб/subota/sub; недеља/нед/nedelja/ned",
    "hr": "ponedjeljak/pon; utorak/uto; srijeda/sri; četvrtak/čet; petak/pet; subota/sub; nedjelja/ned",
    "sl": "ponedeljek/pon; torek/tor; sreda/sre; četrtek/čet; petek/pet; sobota/sob; nedelja/ned",
    "et": "esmaspäev; teisipäev; kolmapäev; neljapäev; reede; laupäev; pühapäev",
    "lv": "pirmdiena/pirmd; otrdiena/otrd; trešdiena/trešd; ceturtdiena/ceturtd; piektdiena/piektd;"
    " sestdiena/sestd; svētdiena/svētd",
    "lt": "pirmadienis; antradienis; trečiadienis; ketvirtadienis; penktadienis; šeštadienis; sekmadienis",
    "ca": "dilluns; dimarts; dimecres; dijous; divendres; dissabte; diumenge",
    "is": "mánudagur/mán; þriðjudagur/þri; miðvikudagur/mið; fimmtudagur/fim; föstudagur/fös; laugardagur/lau;"
    " sunnudagur/sun",
    "ar": "الاثنين; الثلاثاء; الأربعاء; الخميس; الجمعة; السبت; الأحد",
    "he": "יום שני/יום ב׳; יום שלישי/יום ג׳; יום רביעי/יום ד׳; יום חמישי/יום ה׳; יום שישי/יום ו׳; יום שבת/שבת;"
    " יום ראשון/יום א׳",
    "fa": "دوشنبه; سه‌شنبه; چهارشنبه; پنجشنبه; جمعه; شنبه; یکشنبه",
    "ur": "پیر; منگل; بدھ; جمعرات; جمعہ; ہفتہ; اتوار",
    "hi": "सोमवार; मंगलवार/मंगल; बुधवार; गुरुवार; शुक्रवार/शुक्र; शनिवार; रविवार",
    "bn": "সোমবার; মঙ্গলবার/মঙ্গল; বুধবার; বৃহস্পতিবার/বৃহস্পতি; শুক্রবার/শুক্র; শনিবার; রবিবার",
    "ta": "திங்கள்; செவ்வாய்; புதன்; வியாழன்; வெள்ளி; சனி; ஞாயிறு",
    "id": "senin/sen; selasa/sel; rabu/rab; kamis/kam; jumat/jum; sabtu/sab; minggu/min",
    "ms": "isnin/isn; selasa/sel; rabu/rab; khamis/kha; jumaat/jum; sabtu/sab; ahad/ahd",
    "fil": "lunes/lun; martes/mar; miyerkules/miy; huwebes/huw; biyernes/biy; sabado/sab; linggo/lin",
    "vi": "thứ hai; thứ ba; thứ tư; thứ năm; thứ sáu; thứ bảy; chủ nhật",
    "th": "วันจันทร์; วันอังคาร; วันพุธ; วันพฤหัสบดี; วันศุกร์; วันเสาร์; วันอาทิตย์",
    "sw": "jumatatu; jumanne; jumatano; alhamisi; ijumaa; jumamosi; jumapili",
}
"""From Monday to Sunday."""


@cache
def months_named() -> dict[str, frozenset[int]]:
    """Return the months that each normalized name may mean: `listopad` is October or November."""
    return _numbers(_MONTHS, first=1)


@cache
def days_named() -> dict[str, frozenset[int]]:
    """Return the days of the week that each normalized name may mean, from 0 for Monday.

    For example, `tor` is Tuesday or Thursday.
    """
    return _numbers(_DAYS, first=0)


_DATE_WORDS = {
    "until": "bis|bis zum|au|al|jusqu'au|jusqu’au|hasta|fino al|tot|até",
    "from": "ab|vom|von|du|del|dal|van",
    "today": "heute|aujourd'hui|hoy|oggi|vandaag|hoje|idag|dziś|dzisiaj",
    "tomorrow": "morgen|demain|mañana|domani|amanhã|imorgon|jutro",
    "this week": "diese woche|cette semaine|esta semana|questa settimana|deze week",
    "next week": "nächste woche|kommende woche|la semaine prochaine|la próxima semana|la semana que viene|"
    "la prossima settimana|volgende week|na próxima semana|nästa vecka|w przyszłym tygodniu",
    "this weekend": "dieses wochenende|ce week-end|este fin de semana|questo fine settimana|dit weekend",
    "next month": "nächsten monat|le mois prochain|el próximo mes|il mese prossimo|volgende maand",
}
"""Words beside dates, or instead of them, by their English equivalents."""
_ENGLISH = {word: english for english, words in _DATE_WORDS.items() for word in words.split("|")}
_PARTS = re.compile("|".join(sorted(_ENGLISH, key=len, reverse=True)).join((r"\b(?:", r")\b|[^\W\d_]+")), re.I)
_DOTS_AND_DE = re.compile(r"(?:(?<=\b\d)|(?<=\b\d\d))(?<!\.\d)(?<!\.\d\d)\.(?= [^\W\d])|\bde (?=[A-Z])")
"""The full stops after days, and “de” before months."""


def in_english(text: str) -> str:
    """Return dates with English names and prepositions: `bis 10. Dezember` is `until 10 December`."""

    def english(found: re.Match[str]) -> str:
        word, name = found[0].lower(), comparable(found[0])
        months, days = months_named().get(name, ()), days_named().get(name, ())
        names = [*(calendar.month_name[each] for each in months), *(calendar.day_name[each] for each in days)]
        is_clear = len(names) == 1 and not names[0].lower().startswith(word)
        return _ENGLISH.get(word, names[0] if is_clear else found[0])

    translated = _PARTS.sub(english, text)
    return text if translated == text else _DOTS_AND_DE.sub("", translated)


def _numbers(names: Mapping[str, str], first: int) -> dict[str, frozenset[int]]:
    found: dict[str, frozenset[int]] = {}
    for text in names.values():
        for number, same in enumerate(text.split("; "), first):
            for name in map(comparable, same.split("/")):
                found[name] = found.get(name, frozenset()) | {number}
    return found
