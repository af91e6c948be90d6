export type Language = "en" | "es";

/** `open`: a following word may add to it, as in "twenty" "first". */
export type SpokenNumber = { number: number; open: boolean; isOrdinal?: boolean };

export const months = "january february march april may june july august september october november december".split(" ");

/** Of a regular expression. */
export const anyHour = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";

export const spanishMonths = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(" ");

const englishUnits =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const englishTens = "- - twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const englishOrdinals =
  "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split(
    " ",
  );
const spanishUnits =
  "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve".split(
    " ",
  );
const spanishTens = "- - - treinta cuarenta cincuenta sesenta setenta ochenta noventa".split(" ");
const spanishHundreds = "- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos".split(
  " ",
);

type List = [words: readonly string[], factor: number, kind: Omit<SpokenNumber, "number">];
const lexicon = (lists: List[]): Map<string, SpokenNumber> =>
  new Map(
    lists.flatMap(([words, factor, kind]) =>
      words.flatMap((word, index): [string, SpokenNumber][] => (word === "-" ? [] : [[word, { number: index * factor, ...kind }]])),
    ),
  );

const open = { open: true };
const ordinal = { open: false, isOrdinal: true };
const numbers: Record<Language, Map<string, SpokenNumber>> = {
  en: lexicon([
    [englishUnits, 1, open],
    [["o"], 1, open],
    [["oh"], 1, open],
    [["-", "hundred"], 100, open],
    [["-", "thousand"], 1000, open],
    [englishTens, 10, open],
    [englishOrdinals, 1, ordinal],
    [["-", "-", "twentieth", "thirtieth"], 10, ordinal],
  ]),
  es: lexicon([
    [spanishUnits, 1, open],
    [["-", "una"], 1, open],
    [["-", "cien"], 100, open],
    [["-", "mil"], 1000, open],
    [spanishTens, 10, open],
    [spanishHundreds, 100, open],
    [["-", "primero"], 1, ordinal],
    [["-", "primer"], 1, ordinal],
    [["-", "primera"], 1, ordinal],
    [["-", "veintiun"], 21, open],
  ]),
};

export const numberOf = (word: string, language: Language = "en"): SpokenNumber | undefined => {
  const digits = /^(\d{1,4})(st|nd|rd|th)?$/.exec(word);
  if (digits) return { number: Number(digits[1]), open: false, ...(digits[2] ? { isOrdinal: true } : {}) };
  return numbers[language].get(word);
};

/** "twenty" takes numbers below ten, "two thousand" below a hundred, "nineteen" none. */
const maxAddend = (number: number, language: Language): number => {
  if (language === "es") return number % 1000 === 0 ? 1000 : number % 100 === 0 ? 100 : number % 10 === 0 && number % 100 >= 30 ? 10 : 0;
  const last = number % 100;
  if (number >= 100 && last === 0) return 100;
  return last >= 20 && number % 10 === 0 ? 10 : 0;
};

/** The sum or product of two numbers said in sequence; undefined where they are two numbers. */
function joined(last: SpokenNumber | undefined, next: SpokenNumber, language: Language): SpokenNumber | undefined {
  if (!last?.open || next.number === 0) return undefined;
  const isMultiple = next.open && (language === "en" ? next.number >= 100 : next.number === 1000);
  if (isMultiple && last.number > 0) return { ...next, number: last.number * next.number };
  return last.number > 0 && next.number < maxAddend(last.number, language) ? { ...next, number: last.number + next.number } : undefined;
}

/** "twenty", "first" → 21; "nineteen", "eighty", "five" → 19, 85; "two", "thousand", "three" → 2003. */
export function joinNumbers(said: readonly SpokenNumber[]): number[] {
  const all: SpokenNumber[] = [];
  for (const next of said) {
    const sum = joined(all.at(-1), next, "en");
    if (sum) all[all.length - 1] = sum;
    else all.push(next);
  }
  return all.map(({ number }) => number);
}

const isNumber = (word: string | undefined, language: Language) => word !== undefined && numberOf(word, language) !== undefined;

/** Words with their numbers in digits: "the twenty first at nine oh five" → "the 21th at 9 05". */
export function digitize(words: readonly string[], language: Language): string[] {
  const out: (string | SpokenNumber)[] = [];
  for (const [index, word] of words.entries()) {
    const last = out.at(-1);
    const before = typeof last === "object" ? last : undefined;
    const [previous, next] = [words[index - 1], words[index + 1]];
    if (/^oh?$/.test(word)) {
      const isZero = language === "en" && before !== undefined && isNumber(next, language);
      out.push(isZero ? "0" : word);
      continue;
    }
    const isJoint =
      language === "es"
        ? word === "y" && before?.open === true && numberOf(next ?? "", "es") && joined(before, numberOf(next ?? "", "es")!, "es")
        : word === "and" && before?.open === true && before.number % 100 === 0 && isNumber(next, language);
    if (isJoint) continue;
    const number = numberOf(word, language);
    if (!number || /^0\d/.test(word)) {
      out.push(word);
      continue;
    }
    // In Spanish "treinta y uno" is one number, "treinta uno" two.
    const needsAnd = language === "es" && number.number !== 1000 && before !== undefined && before.number % 100 !== 0 && previous !== "y";
    const sum = needsAnd ? undefined : joined(before, number, language);
    if (sum) out[out.length - 1] = sum;
    else if (last === "0" && number.number < 10) out[out.length - 1] = `0${number.number}`;
    else out.push(number);
  }
  return out.map((word) => (typeof word === "string" ? word : `${word.number}${word.isOrdinal ? "th" : ""}`));
}

const isCardinal = (word = ""): boolean => numberOf(word)?.isOrdinal !== true && (/^\d+$/.test(word) || isNumber(word, "en"));

/** "one", "twenty", "three", "oak" → "123", ["oak"]. */
export function leadingNumber(words: readonly string[]): [digits: string, rest: string[]] {
  // "O" is a digit only between digits.
  const ends = (word: string, at: number): boolean => !isCardinal(word) || (/^oh?$/.test(word) && (at === 0 || !isCardinal(words[at + 1])));
  const end = words.findIndex(ends);
  const said = end < 0 ? words : words.slice(0, end);
  return [
    joinNumbers(said.map((word) => (/^\d+$/.test(word) ? { number: Number(word), open: false } : numberOf(word)!))).join(""),
    words.slice(said.length),
  ];
}
