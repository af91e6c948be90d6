import { weekdayNames } from "../calendar-days.ts";
import { months, spanishMonths } from "../numbers.ts";

const days = weekdayNames.join("|");
const ordinal = "(?:(?:twenty|thirty) )?(?:first|second|third|[a-z]+th)|\\d{1,2}(?:st|nd|rd|th)";
const month = months.join("|");
const date = `(?:the )?(?:${ordinal})(?: of (?:${month}))?|(?:${month}) (?:the )?(?:${ordinal}|[a-z]+|\\d{1,2})|(?:${days})|thanksgiving|christmas`;

const spanishDays = "lunes|martes|miercoles|jueves|viernes|sabado|domingo";
const spanishNumbers = "primero|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieciseis|veinte|treinta";

const rules: [pattern: RegExp, plain: string][] = [
  // "After the third, mornings".
  [
    new RegExp(
      `(?<= |^)((?:after|starting|from) (?:${date})) , (?:(?:and|but|only|preferably) )*in the (morning|afternoon|evening)(?= ,|$| please| only)`,
      "g",
    ),
    "$2 $1",
  ],
  [
    new RegExp(
      `(?<= |^)((?:after|before|by|until|starting|from) (?:${date})) (?:, )?(?:(?:and|but|only|preferably) )*(morning|afternoon|evening)s(?= ,|$| please| only)`,
      "g",
    ),
    "$2 $1",
  ],
  // "Twelve eight, in the morning" is the date; "eleven twelve" is from the one to the other.
  [
    new RegExp(
      `(?<=^|, |(?:^| )(?:on|for|like|maybe|say) )(ten|eleven|twelve|1[0-2]) (one|two|three|four|five|six|seven|eight|nine|[1-9])(?= ,|$| (?:in|at) )`,
      "g",
    ),
    "on the day $1 slash $2",
  ],
  [
    /(?<=^|, |(?:^| )(?:on|for|like|maybe|say) )(eleven|twelve|1[12]) (ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty(?: (?:one|two|three|four|five|six|seven|eight|nine))?|thirty(?: one)?|[12]\d|3[01])(?= at (?:noon|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|\d))/g,
    "on the day $1 slash $2",
  ],
  // "I was gonna say Monday, but Tuesday is better" is a correction.
  [
    /(?<=(?:^|(?:i|we) (?:(?:was|were) (?:gonna|going to|about to|thinking|hoping|planning)|wanted|had wanted|said|asked for)|you (?:gave|got|had|put) (?:me|us)|(?:me|nos) (?:dio|dieron|puso|pusieron)|iba a (?:decir|pedir)|(?:estaba|andaba) pensando|pensaba) (?:(?!but|pero)[a-z0-9:]+ ){1,8})(?:, )?(?:but|pero) (?!(?:if|or|maybe|what ?ever|any|not|no|then again|si no|cualquier|also|it|i can come|that)(?: |$))(?!.*(?:too|also|either|as well|tambien|ok|okay)(?: |$))/g,
    "; ",
  ],
  [/(?<= |^)hasta (las? [a-z0-9:]+(?: y [a-z]+)?) (?:ya )?(?:yo )?(?:salgo|llego|termino|regreso|me desocupo)(?= |$)/g, "despues de $1"],
  [/(?<= |^)(?:de preferencia|preferentemente|preferiblemente)(?= |$)/g, ","],
  [
    /(?<= |^)(?:cant|can not|cannot|couldnt|wont|do ?nt|does ?nt) (?:[a-z]+ ){0,4}?(?:any ?time|anything|any ?day|any other (?:time|day)) (?:but|except|other than|besides) /g,
    "can only do ",
  ],
  [
    /(?<= |^)(?:before i forget|by the way|primero dios|dios mediante|si dios quiere|con el favor de dios|god willing|lord willing)(?= |$)/g,
    ",",
  ],
  [
    /(?<= |^)no (?:(?!no |antes |despues )[a-z]+ ){1,7}?mas que (?=(?:los?|las?|el|en|por|a|de|antes|despues|lunes|martes|miercoles|jueves|viernes|sabados?|domingos?) )/g,
    "solo puedo ",
  ],
  [/(?<= |^)(?:ni|nor|tampoco) (?=(?:antes|despues|before|after|earlier|later) )/g, "y no "],
  // "Until Monday I can": from Monday on in Mexico, until then elsewhere.
  [
    new RegExp(
      `(?<=^|, |(?:^| )(?:yo|y|pero|pues) )hasta (?=(?:el |las? )?(?:(?!que|tarde)[a-z]+|\\d+)(?: (?!no |no$)[a-z]+){0,3} (?:ya |si )?(?:puedo|podria|podemos|(?:estoy|estare|ando) (?:libre|disponible|desocupad[oa])|tengo (?:libre|tiempo))(?= |$))`,
      "g",
    ),
    "hasta o desde ",
  ],
  [
    /(?<=(?<!no (?:[a-z]+ )?)(?:puedo|podria|podemos|puede ser|libre|disponible|desocupad[oa]|me desocupo|tengo tiempo)(?: (?:ir|venir|llegar|pasar))? )hasta (?!que |tarde(?: |$)|ahora)/g,
    "hasta o desde ",
  ],
  // "Hasta el lunes" alone, to the question when.
  [
    new RegExp(
      `(?<=^(?:[?,] )?(?:(?:pues|bueno|mejor|seria|sera|tal vez|quizas) (?:, )?)*)hasta (?=(?:el )?(?:dia )?(?:(?:proximo )?(?:${spanishDays})|(?:\\d{1,2}|${spanishNumbers})(?: de (?:${spanishMonths.join("|")}))?|${spanishMonths.join("|")})(?: (?:que viene|proximo|por favor|nada mas|[?,]))*$)`,
      "g",
    ),
    "hasta o desde ",
  ],
];

/** Wordings whose parts belong together over a pause or a verb, where clauses would be cut. */
export const acrossPauses = (plain: string): string => rules.reduce((said, [pattern, better]) => said.replace(pattern, better), plain);
