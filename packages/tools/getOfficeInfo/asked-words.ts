import { englishNameOf } from "../nlu/language.ts";
import { normalizeName } from "../nlu/names.ts";

const fillers = new Set(
  `a an and any all are as at be by can could do does did for from get got guys have hi how i im if in is it its kind kinds know like list me
  much my need of office on or our please some so tell than that the their them there these they this to type types us was we what whats
  when where which who will with would yall you your youre yours take takes taking accept accepts accepted accepting clinic doctor
  insurance insurances insured health healthcare plan plans coverage cover covered covers network provider providers ppo hmo policy
  carrier carriers company companies speak speaks speaking language languages spoken interpreter interpreters anyone someone staff
  price prices cost costs charge charges fee fees pay self pocket out cash without no visit visits appointment appointments
  un una unos unas el la los las lo de del al en con sin por para que cual cuales como cuanto cuanta donde es son esta estan hay mi su sus
  y o se me le les si tienen tiene toman toma aceptan acepta reciben recibe aceptado seguro seguros aseguranza aseguranzas plan planes
  cobertura medico medica hablan habla alguien idioma idiomas lenguas cuesta cuestan cobran precio precios costo cita citas visita visitas
  consulta consultas ustedes clinica oficina consultorio favor`
    .split(/\s+/)
    .filter(Boolean),
);

const stem = (word: string): string => (word.length > 3 ? word.replace(/(?<!s)s$/, "") : word);

/** Other names of the same plan, and of signing. */
const otherNames: readonly [name: RegExp, same: string][] = [
  [/\bbcbs\b/g, "blue cross blue shield"],
  [/\b(?:uhc|united health ?care)\b/g, "unitedhealthcare"],
  [/\b(?:medicare )?(?:part|parte) c\b/g, "medicare advantage"],
  [/\b(?:lenguaje de senas|sign language|asl)\b/g, "signing"],
];

/** Words that make another plan of an insurer's or a program's name: Medicare Advantage is not Medicare. Part C is Advantage. */
const kindsOfPlan = new Set(
  ["advantage", "supplement", "supplemental", "medigap", "marketplace", "exchange", "obamacare", "community", "dual", "complete"].map(stem),
);

/** The words that tell what a text is about. */
export const wordsIn = (text: string): string[] => [
  ...new Set(
    otherNames
      .reduce((plain, [name, same]) => plain.replace(name, same), normalizeName(text))
      .split(" ")
      .filter((word) => word !== "" && !fillers.has(word))
      .map((word) => stem(englishNameOf(word))),
  ),
];

const minPrefix = 4;
const isWithin = (some: readonly string[], all: readonly string[]): boolean =>
  some.length > 0 && some.every((word) => all.some((one) => one === word || (word.length >= minPrefix && one.startsWith(word))));

/** The lines that name what was asked for: all of its words are in the line, or all of the line's words in it and no other plan. */
export const linesAbout = (lines: readonly string[], asked: readonly string[]): string[] =>
  lines.filter((line) => {
    const words = wordsIn(line);
    const isOther = asked.some((word) => kindsOfPlan.has(word) && !words.includes(word));
    return isWithin(asked, words) || (!isOther && isWithin(words, asked));
  });

const shareOf = (some: readonly string[], all: readonly string[]): number =>
  some.length === 0 ? 0 : some.filter((word) => all.includes(word)).length / some.length;

type Question = { question: string; answer: string };
const closeEnough = 0.6;

/** The office's question that a caller's words mean. `isClose`: it must have hardly any other word. */
export function questionAbout(questions: readonly Question[], said: string, isClose: boolean): Question | undefined {
  const asked = wordsIn(said);
  const rated = questions.map((one) => {
    const words = wordsIn(one.question);
    const [ofAsked, ofQuestion] = [shareOf(asked, words), shareOf(words, asked)];
    return { one, score: isClose ? Math.min(ofAsked, ofQuestion) : Math.max(ofAsked, ofQuestion) * Math.min(1, ofAsked * 2) };
  });
  const best = rated.reduce<(typeof rated)[number] | undefined>((most, next) => (next.score > (most?.score ?? 0) ? next : most), undefined);
  return best && best.score >= closeEnough ? best.one : undefined;
}
