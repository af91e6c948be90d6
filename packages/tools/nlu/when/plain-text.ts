import { anyHour, type Language } from "../numbers.ts";

const spanishWords = new Set(
  "el la los las un una de del por para que en es lo si con hoy manana pasado ayer tarde noche semana mes ano dia dias proximo proxima este esta lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre mediodia antes despues a y o como cualquier cualquiera dentro entre hasta desde puede podria quiero quisiera doctor doctora medico navidad ahora ahorita temprano primera hora cuando sea cuanto media cuarto menos dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta uno mi no se posible lo medica semanas meses alguien otro otra favor gracias al fin principios finales mediados".split(
    " ",
  ),
);
const englishWords = new Set(
  "i we they im ive ill id dont cant wont not isnt work working busy gone off free class the an of on in at next this that day week month tomorrow today tonight yesterday morning afternoon evening night noon monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december after before between and or any anyone my for with please i can could would like around about half past quarter to from until till by first thing some is it am pm oclock one two three four five six seven eight nine ten eleven twelve thirty fifteen twenty you do have maybe good best works weekend christmas thanksgiving as soon possible early late end beginning middle later".split(
    " ",
  ),
);
/** Words of both languages. */
const shared = new Set(["a", "no", "doctor", "once"]);

/** The language of most words; undefined for none. */
export function languageOf(plain: string): Language | undefined {
  const all = plain
    .replace(/(?<=\d) [ap]m\b/g, "")
    .split(" ")
    .filter((word) => !shared.has(word));
  const count = (lexicon: Set<string>, isKnown = (word: string) => lexicon.has(word)) => all.filter(isKnown).length;
  const lead = count(spanishWords) - count(englishWords, (word) => englishWords.has(word) || englishWords.has(word.replace(/s$/, "")));
  return lead === 0 ? undefined : lead > 0 ? "es" : "en";
}

const weekday = "(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|lunes|martes|miercoles|jueves|viernes|sabados?|domingos?)";
/** The commas of "Monday, Wednesday, and Friday". */
const listed = new RegExp(
  `(?<=\\b${weekday}) , (?=(?:el |los )?${weekday}(?: , (?:el |los )?${weekday})* (?:, )?(?:and|y) )|(?<=\\b${weekday} ${weekday}) , (?=(?:and|y) (?:el |los )?${weekday})`,
  "g",
);

const greeting =
  /^[ ,]*(?:(?:hi|hello|hey|yes|yeah|hola|alo|bueno|ok|okay|um|uh|well|esta bien)[ ,]+)*(?:good (?:morning|afternoon|evening)(?! (?:for|would|is|appointment|slot|works?)(?: |$))|(?:muy )?buen[oa]s (?:dias|tardes|noches))(?= |$)/;
const listedFree = new RegExp(`(?<=\\b${weekday}) , (?=${weekday} (?:off|free|open)\\b)`, "g");

/** Said while thinking, and words of address. */
const fillers =
  / *(?<![a-z0-9])(?:u+h+m*|u+m+|hm+|mm+|er+m?|honey|hon|sweetie|darling|sugar|maam|mija|mijo|senorita|joven|what is it(?= (?:the|a) )|what (?:do you|ya) call it)(?![a-z0-9]) */g;

/** Lower case without accents and punctuation, except in 9:30, 11/12 and 2026-11-12; " ; " for a correction, " , " where a clause ends. */
export const plainText = (text: string): string =>
  text
    .normalize("NFC")
    // "sí" agrees, "si" is "if".
    .replace(/(?<!\p{L})sí(?!\p{L})/giu, "esta bien")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/\b([ap])\s?\.\s?m\b\.?/g, " $1m ")
    .replace(/\b((?:in|on) the) ([ap]) ?m\b/g, "$1 $2m")
    .replace(/(\d)(?:\s?([ap])\s?m|([ap]))\b\.?/g, "$1 $2$3m ")
    .replace(new RegExp(`(\\d|oclock|thirty|fifteen|forty five|${anyHour}) ([ap]) m\\b`, "g"), "$1 $2m")
    .replace(/(?<=[ap]m|\d )\s*[-–—]\s*(?= ?\d)/g, " to ")
    .replace(
      /(anytime|any time|anything|first|second|third|(?<!mon)th|\d(?:st|nd|rd|th)|day|weekend|morning|afternoon|evening|night|tomorrow|that|oclock|teen|ty|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|january|february|april|june|july|august|september|october|november|december)['’‘ʼ](s|d|ll)\b/g,
      (_, said: string, end: string) => `${said} ${{ s: "is", d: "would", ll: "will" }[end]}`,
    )
    .replace(
      /(ing|church|practice|bingo|school|work|game|bus|mass|up|off|shift|choir|lunch|class)['’‘ʼ]s (?=at|from|till|until|over|out)/g,
      "$1 is ",
    )
    .replace(/['’‘ʼ`´]/g, "")
    .replace(/[‐-―]/g, "-")
    .replace(/\bo clock\b/g, "oclock")
    .replace(/\b((?:later|earlier|other|early|late|sooner)) one\b(?! (?:oclock|[ap]m))/g, "$1 ")
    .replace(/\b(the \w+ (?:thirty|twenty|forty|fifty)) one\b/g, "$1")
    .replace(
      /(ty|teen|oclock|noon|first|second|third|(?<!mon)th|\b(?:one|two|three|four|five|eight|nine|ten|eleven|twelve))s (?=(?:fine|good|ok|okay|perfect|great|better|best|no good)\b)/g,
      "$1 is ",
    )
    .replace(/(\d{1,2})\s?h\s?(\d{2})\b/g, "$1:$2")
    .replace(/\b(1[3-9]|2[0-3])\s?(?:hrs?|h)\b\.?/g, "$1:00")
    .replace(/\b(\d{1,2})\.(\d{2})\b(?!\.)/g, "$1:$2")
    .replace(/\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/g, "$1/$2/$3")
    .replace(/\b(\d{1,2})-(\d{1,2})-(\d{4}|\d{2})\b/g, "$1/$2/$3")
    .replace(/\b(\d{4})\/(\d{1,2})\/(\d{1,2})\b/g, "$1-$2-$3")
    .replace(/(\d{4}-\d{2}-\d{2})t(?=\d)/g, "$1 ")
    .replace(/\s?\/\s?/g, "/")
    .replace(/^\W*(?:yeah,? )?no\s*[,.;]\s*|^\W*yeah,? no (?=\w)/, "")
    // "At three, not at two".
    .replace(/,\s*no (?=(?:a las?|el) \p{L}+(?: y \p{L}+)?(?:\W*$|,| por favor))/gu, ", pero no ")
    .replace(
      /[,.;!?-]+\s*(?:(?:ay|oh|uy|ah|ups|uh|um|er|eh|este),?\s+)?no(?!,?\s*(?:thats|that is|es (?:dia|feriado|festivo|accion|navidad)))(?:,\s*|\s+(?!(?:before|after|sooner|antes|despues|mas|muy|tan|puedo|puede|podria|quiero|tengo|trabajo|hay|me|nos|se)\b))(?=\S)(?!earlier|later|problem|importa|worries|preference)/g,
      " ; ",
    )
    .replace(/(?<!\d)[-:]|[-:](?!\d)/g, " ")
    // A moment, not a date.
    .replace(
      /\b(?:wait|hold on|hang on|espere(?:me|n|nme)?)(?: for)? (?:just )?(?:an?|1|one|un) (?:sec|second|minute|min|moment|momento|momentito|segundo|minuto|ratito)\b/g,
      " ; ",
    )
    .replace(
      /\b(?:for|just|give me|gimme|got|need|deme|dejeme|nomas|solo)(?: just| like)? (?:an?|one|un) (?:sec|second|minute|min|moment|momento|momentito|segundo|minuto)\b/g,
      " ",
    )
    .replace(new RegExp(`(\\d|${anyHour}|thirty|fifteen|day)ish\\b`, "g"), "$1 ish")
    .replace(/(?<=\p{L})[,.!?]+|[,.!?]+(?=\s|$)/gu, " , ")
    .replace(/[^\p{L}\p{N}:/;,-]+/gu, " ")
    .replace(greeting, " ")
    .replace(listed, " ")
    .replace(listedFree, " and ")
    .replace(fillers, " ")
    .replace(/(?<=\p{L})\/|\/(?=\p{L})/gu, " or ")
    .trim();
