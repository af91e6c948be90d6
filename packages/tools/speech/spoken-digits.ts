const spokenDigits: Record<string, string> = {
  zero: "0",
  oh: "0",
  o: "0",
  one: "1",
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  seven: "7",
  eight: "8",
  nine: "9",
};
const repeats: Record<string, number> = { double: 2, triple: 3 };

const wordsOf = (text: string): string[] =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .match(/\d|\p{L}+/gu) ?? [];
const digitIn = (word: string): string =>
  (Object.hasOwn(spokenDigits, word) ? spokenDigits[word] : undefined) ?? (/\d/.test(word) ? word : "");
const timesSaid = (before = ""): number => (Object.hasOwn(repeats, before) ? repeats[before] : undefined) ?? 1;

/** The digits in what was said or typed: "(617) 555-0100", "six one seven, double five …". */
export const digitsOf = (text: string): string =>
  wordsOf(text)
    .map((word, index, words) => digitIn(word).repeat(timesSaid(words[index - 1])))
    .join("");

const nationalDigits = 10;
/** Source: ITU-T E.164, the longest number with its country code. */
const mostDigits = 15;

/** What is dialled before a country code, in North America and elsewhere; before ten digits it may as well be two digits too many. */
const dialled = /^(?:011|00)([1-9]\d{10,14})$/;

/**
 * Ten digits of a North American number, whether or not its 1 was said; any other number with its country code, whole. "" for what is
 * no number: further digits, before or behind, are never left out, as otherwise one guess would stand for many.
 */
export const normalPhone = (text: string): string => {
  const digits = digitsOf(text);
  if (digits.length === nationalDigits + 1 && digits.startsWith("1")) return digits.slice(1);
  const [, abroad] = dialled.exec(digits) ?? [];
  if (abroad !== undefined) return normalPhone(abroad);
  return digits.length >= nationalDigits && digits.length <= mostDigits ? digits : "";
};

/** Five digits of a US zip code (the last four of nine do not count), else letters and digits as they are. */
export const normalZip = (text: string): string => {
  const digits = digitsOf(text);
  if (digits.length === 5 || digits.length === 9) return digits.slice(0, 5);
  // A zip code sent as a number has lost its leading zeros.
  if (/^\d{3,4}$/.test(text.trim())) return digits.padStart(5, "0");
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
};

/** What a record number is called, not what it is. */
const label = /^(?:medical ?record(?: ?number)?|mrn|mr)(?: |(?=\d))(?=.)/;

/** A medical record number by all its letters and digits, without its label: "MRN 70-001", "seven zero zero zero one". */
export const normalRecordNumber = (text: string): string => {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return wordsOf(plain.replace(label, ""))
    .map((word, index, words) => {
      if (digitIn(word)) return digitIn(word).repeat(timesSaid(words[index - 1]));
      return timesSaid(word) > 1 && digitIn(words[index + 1] ?? "") ? "" : word;
    })
    .join("");
};
