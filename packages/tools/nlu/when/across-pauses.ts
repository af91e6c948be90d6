import { anySpanishWeekday, anyWeekday } from "../calendar.ts";
import { anyHour, months, spanishMonths } from "../numbers.ts";

const ordinal = "(?:(?:twenty|thirty) )?(?:first|second|third|[a-z]+th)|\\d{1,2}(?:st|nd|rd|th)";
const month = months.join("|");
const date = `(?:the )?(?:${ordinal})(?: of (?:${month}))?|(?:${month}) (?:the )?(?:${ordinal}|[a-z]+|\\d{1,2})|(?:${anyWeekday})|thanksgiving|christmas`;

const spanishNumbers = "primero|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieciseis|veinte|treinta";

const child = "(?:the |my |our |his |her )*(?:kids?|boys?|girls?|children|grand[a-z]+|daughters?|sons?|baby|little [a-z]+|him|her|them)";
const school = "(?:the |their |his |her )*(?:school|day ?care|preschool|kindergarten|pre k|bus(?: stop)?|camp)";
const spanishChild = "(?:a |al )?(?:l[oa]s? |mis? |nuestr[oa]s |el )?(?:nin[oa]s?|hij[oa]s?|niet[oa]s?|nen[ea]s?|chamac[oa]s?|bebe)";
const spanishSchool = "(?:al? |de |del |en )(?:la |el )?(?:escuela|kinder|guarderia|colegio|preescolar|daycare|bus|camion|guagua|parada)";
const workplace = "(?:the |my )?(?:work|office|job(?: ?site)?|plant|shop|warehouse|factory)";
const once = "(?:despues de(?: que)?|despues que|luego de|ya que|cuando|en cuanto|una vez que) (?:ya |yo )*";
/** Not before a time, which is read instead. */
const untimed = "(?! (?:at|by|around|from|up|off|to|in|on|until|till|al?|en|como a)(?: |$))(?= |$)";

const rules: [pattern: RegExp, plain: string][] = [
  [
    new RegExp(
      `(?<= |^)(?:after|once|when|as soon as) (?:(?:(?:i|ive|we|weve) )?drop(?:ped|ping)? (?:off )?${child}(?: off)?(?: (?:at|to) ${school})?|(?:(?:i|ive|we) )?(?:tak(?:e|ing)|get(?:ting)?|got|put(?:ting)?|walk(?:ing)?) ${child} (?:off )?(?:to|on|at|in) ${school}|(?:the )?(?:school |morning )?drop ?off)${untimed}`,
      "g",
    ),
    "after drop off",
  ],
  [
    new RegExp(
      `(?<= |^)(?:after|once|when) (?:(?:i|we) )?pick(?:ing)? (?:up )?${child}(?: up)?(?: from ${school})?(?! (?:from|after|before)(?: |$))${untimed}`,
      "g",
    ),
    "after school",
  ],
  [
    new RegExp(
      `(?<= |^)before (?:(?:i|we) )?(?:(?:have to|need to|gotta) )?(?:be|start|go(?:ing)?|head(?:ing)?|leav(?:e|ing)|get(?:ting)?|driv(?:e|ing))(?: (?:in|out|over|off|back))?(?: (?:in)?to| for| at)? ${workplace}${untimed}`,
      "g",
    ),
    "before work",
  ],
  [
    new RegExp(
      `(?<= |^)${once}(?:(?:dejar|deje|dejemos) ${spanishChild}(?: ${spanishSchool})?|(?:llevar|lleve|llevemos) ${spanishChild} ${spanishSchool})${untimed}`,
      "g",
    ),
    "despues de dejarlos",
  ],
  [
    new RegExp(
      `(?<= |^)(?:despues de(?: que)?|despues que|luego de|ya que|cuando|en cuanto) (?:ya |yo )*(?:recoger|recoja|recojamos) ${spanishChild}(?: ${spanishSchool})?${untimed}`,
      "g",
    ),
    "despues de la escuela",
  ],
  // "It'll be October before I can get loose".
  [
    /(?<= |^)(?:it|that)(?: ?ll| will| would|d|s gonna|s going to)? (?:probably |likely )?be ((?:(?!before)[a-z0-9]+ ){1,5})before (?:i|we|she|he|they) (?!know)[a-z]+(?: [a-z]+){0,4}(?= ,|$)/g,
    "starting $1",
  ],
  // "No good this week, how about next".
  [
    /(?<= |^)((?:this|all) week(?!end).*) (how about|what about|maybe|lets (?:do|say|try)|so|then|but|try|make it) next(?= ,|$)/g,
    "$1 $2 next week",
  ],
  // A place on the waiting list is not when to come.
  [/(?<= |^)(?:, )?or (?:sooner|earlier)(?: in the week)? if [a-z ]*?(?:cancel[a-z]*|opens?|comes?)(?: on you| up| open)?(?= ,|$)/g, ""],
  [
    /(?<= |^)(?:y|and) (?:(?:i|we|no|ya) )?(?:do ?nt |wont )?(?:be )?(regreso|vuelvo|regresamos|volvemos|back|get back|come back) (hasta|until|till|on)(?= )/g,
    ", $1 $2",
  ],
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
    new RegExp(
      `(?<=^|, |(?:^| )(?:on|for|like|maybe|say) )(eleven|twelve|1[12]) (ten|eleven|twelve|[a-z]+teen|twenty(?: [a-z]+)?|thirty(?: one)?|[12]\\d|3[01])(?= at (?:noon|${anyHour}|half|\\d))`,
      "g",
    ),
    "on the day $1 slash $2",
  ],
  // "I was gonna say Monday, but Tuesday is better" is a correction.
  [
    /(?<=(?:^|(?:i|we) (?:(?:was|were) (?:gonna|going to|about to|thinking|hoping|planning)|wanted|had wanted|said|asked for)|you (?:gave|got|had|put) (?:me|us)|(?:me|nos) (?:dio|dieron|puso|pusieron)|iba a (?:decir|pedir)|(?:estaba|andaba) pensando|pensaba) (?:(?!but|pero)[a-z0-9:]+ ){1,8})(?:, )?(?:but|pero) (?!(?:if|or|maybe|what ?ever|any|not|no|then again|si no|cualquier|also|it|i can come|that)(?: |$))(?!.*(?:too|also|either|as well|tambien|ok|okay)(?: |$))/g,
    "; ",
  ],
  // "Hasta el viernes que me paguen".
  [/(?<= |^)(?:hasta|para) (el [a-z0-9]+(?: de [a-z]+)?) (?:que|cuando) (?:ya )?(?=(?:me|nos) [a-z]+n(?: |$))/g, "a partir de $1 porque "],
  [/(?<= |^)hasta (las? [a-z0-9:]+(?: y [a-z]+)?) (?:ya )?(?:yo )?(?:salgo|llego|termino|regreso|me desocupo)(?= |$)/g, "despues de $1"],
  [/(?<= |^)(?:entre|mientras|cuanto) mas (?:temprano|pronto|rapido) ,? ?mejor(?= |$)/g, "lo mas pronto posible"],
  [/(?<= |^)si no (?:llueve|nieva|hay (?:nieve|hielo))(?= |$)/g, ","],
  [/(?<= |^)(?:entre|mientras|cuanto) mas tarde ,? ?mejor(?= |$)/g, "lo mas tarde posible"],
  [
    /(?<= |^)(?:the )?later (?:(?:in the day|in the afternoon|that day) )?(?:the better|is better|works better)(?= ,|$| for me)/g,
    "as late as possible",
  ],
  [/(?<= |^)not next week (?:, )?(?:but )?(?:the |that )?one after(?: that| next)?(?: one)?(?= ,|$)/g, "week after next"],
  [
    /(?<= |^)(?:no (?:(?:est[ae]|la|en) )*(?:semana que (?:viene|entra)|proxima semana|semana proxima|semana entrante)|(?:la )?(?:semana que (?:viene|entra)|proxima semana|semana proxima) no) (?:, )?(?:sino )?(?:en )?la (?:otra|siguiente|que (?:le )?sigue|de despues)(?: semana)?(?= ,|$)/g,
    "semana despues de la proxima",
  ],
  // "Nine, nine fifteen, somewhere in there".
  [
    new RegExp(
      `(?<= |^)((?:${anyHour}|\\d{1,2})(?::\\d\\d)?(?: (?:thirty|fifteen|forty five))?) (?:, )?((?:${anyHour}|\\d{1,2})(?::\\d\\d)?(?: (?:thirty|fifteen|forty five))?) (?:, )?(?:or )?(?:some ?where|right)? ?(?:(?:in|around) there|in that (?:area|neighborhood|range|ballpark)|thereabouts)(?= ,|$)`,
      "g",
    ),
    "$1 or $2",
  ],
  // "Before school starts, that's the thirty first".
  [
    new RegExp(
      `(?<= |^)(before|after|antes de|despues de)(?: que)? (?:(?!${anyWeekday}|${anySpanishWeekday})[a-z]+ ){1,5}, (?:and |y |que )?(?:that is|thats|which is|its|its on|thatll be|eso es|que es|es)(?: on)? (?=(?:the|el) (?:${ordinal}|\\d{1,2}|[a-z]+)(?: of (?:${month})| de [a-z]+)?(?= ,|$)|(?:${month}) )`,
      "g",
    ),
    "$1 ",
  ],
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
      `(?<=^(?:[?,] )?(?:(?:pues|bueno|mejor|seria|sera|tal vez|quizas) (?:, )?)*)hasta (?=(?:el )?(?:dia )?(?:(?:proximo )?(?:${anySpanishWeekday})|(?:\\d{1,2}|${spanishNumbers})(?: de (?:${spanishMonths.join("|")}))?|${spanishMonths.join("|")}|la (?:(?:otra|proxima|siguiente) semana|semana (?:que (?:viene|entra)|proxima|entrante)))(?: (?:que viene|proximo|por favor|nada mas|[?,]))*$)`,
      "g",
    ),
    "hasta o desde ",
  ],
];

/** Wordings whose parts belong together over a pause or a verb, where clauses would be cut. */
export const acrossPauses = (plain: string): string => rules.reduce((said, [pattern, better]) => said.replace(pattern, better), plain);
