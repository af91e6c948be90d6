import { anyHour, months, spanishMonths } from "../numbers.ts";
import { asked, type TimeReading, readingsIn, unknown, type WhenReading } from "./parse-state/reading.ts";

/** "Tomorrow, oh wait, that's Thanksgiving" says why not. */
const waiting =
  "(?<!(?:to|can|could|cant|ill|rather|not|dont|wanna|mind) )(?:oh )?wait(?! (?:, )?(?:thats|that is|its|it is|isnt) | (?:until|till|til|for|any|too|that|and see|a (?:week|month|bit|while|few|couple))(?: |$))";
const taken = [
  `;|no wait|wait no|(?:no|oh|oops|shoot) (?:hang|hold) on|${waiting}|(?<!no )never ?mind|i lied|my (?:bad|mistake)|oops|whoops|(?:no )?strike that|(?:no )?check that|on second thought|hold up|no sorry|sorry no|sorry|i mean|i meant(?: to say)?(?! to)|(?:no )?scratch that|or rather|better yet|no no|excuse me|actually`,
  "(?<!(?:can|could|would|should) (?:we|you|i|yall) )(?<!(?:cant|couldnt|wont|can|could|not|to|might|never|hardly|barely|probably|definitely|only) )make (?:that|it)",
  "digo|(?:ay|uy|ah) no(?= (?:el|la|los|las|mejor|a|mas bien) )|perdon|mejor|(?:pero )?(?:quiero|quise|queria) decir|(?:ay |ah |no |uy )*esper[ae](?:te|me|se|n|nme)?(?! (?:hasta|para|a))|no perdon|o sea(?! que)",
];
const days = "(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|next week|next month";
const hours = `${anyHour}|\\d`;
/** "Nine no ten", not "there is no Tuesday". */
const no = `(?<=[^ ])(?<!(?:^| )(?:hard|big|firm|have|got|has|want|are|is|with|theres|say|there|said)) (?:(?:uh|um|er|eh) )?no(?= (?:(?:the|at|on|make it|lets (?:do|say|try)|how about|what about|can we do|maybe) )*(?:${days}|${hours}|[a-z]+th|first|second|third)(?: |$))`;

export const corrections = new RegExp(`(?:^| )(?:${taken.join("|")})(?= |$)|${no}`, "g");

const month = new RegExp(`(?<= |^)(?:${[...months, ...spanishMonths].join("|")})(?= |$)`);
const dayAlone =
  /^(?:, )?(?:(el (?!lunes|martes|miercoles|jueves|viernes|sabado|domingo|otro|proximo|ultimo|mes)(?:[a-z]+(?: y [a-z]+)?|\d{1,2}))|(?:the )?((?:(?:twenty|thirty) )?(?:first|second|third|(?!month)[a-z]+th|\d{1,2}(?:st|nd|rd|th))))(?= (?:at|a)(?: |$)|$| ,)/;

/** "January fifth, sorry, sixth" stays in January. */
export const inSameMonth = (part: string, last: string): string => {
  const [name] = month.exec(last) ?? [];
  if (!name || month.test(part)) return part;
  return part.replace(dayAlone, (_, el: string | undefined, ordinal: string) => (el ? `${el} de ${name}` : `${name} ${ordinal}`));
};

/** `isRefusal`: only what does not suit was said. */
export type Part = { reading: WhenReading; isEmpty: boolean; isRefusal?: boolean };

/** A correction replaces the days or the time said before it. */
export function corrected(one: Part, other: Part, today: string): Part {
  if (other.isEmpty) return one;
  const a = readingsIn(one.reading);
  const b = notToday(readingsIn(other.reading), a, today);
  // "Monday early no, the afternoon": the day before it was not understood.
  if (a.length === 0 && !one.isEmpty && !one.isRefusal && b.some(({ dates }) => !dates)) return { reading: unknown, isEmpty: false };
  if (a.length === 0 || b.length === 0) return other;
  const merged = b.flatMap((correction) => a.map((said) => replaced(said, correction)));
  return { reading: asked(merged), isEmpty: false };
}

/** "Thursday, no, Friday" on a Friday: today would be called so. */
function notToday(readings: TimeReading[], before: TimeReading[], today: string): TimeReading[] {
  const starts = ({ dates = [] }: TimeReading): string | undefined => dates[0]?.from;
  const others = readings.filter((one) => starts(one) !== today);
  return readings.length === 2 && others.length === 1 && before.some(starts) && !before.some((one) => starts(one) === today)
    ? others
    : readings;
}

const replaced = (said: TimeReading, correction: TimeReading): TimeReading => {
  const dates = correction.dates ?? said.dates;
  return {
    kind: "reading",
    ...(dates ? { dates } : {}),
    ...timeOf(correction.time === undefined && !correction.window ? said : correction),
    isApproximate: said.isApproximate || correction.isApproximate,
  };
};

const timeOf = ({ time, window }: TimeReading) => ({ ...(time === undefined ? {} : { time }), ...(window ? { window } : {}) });
