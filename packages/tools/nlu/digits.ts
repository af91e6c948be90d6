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
const repeatWords: Record<string, number> = { double: 2, triple: 3 };

const wordsOf = (text: string): string[] =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .match(/\d|\p{L}+/gu) ?? [];
const digitIn = (word: string): string =>
  (Object.hasOwn(spokenDigits, word) ? spokenDigits[word] : undefined) ?? (/\d/.test(word) ? word : "");
const repeatCount = (before = ""): number => (Object.hasOwn(repeatWords, before) ? repeatWords[before] : undefined) ?? 1;

/** "(617) 555-0100", "six one seven, double five …". */
export const digitsOf = (text: string): string =>
  wordsOf(text)
    .map((word, index, words) => digitIn(word).repeat(repeatCount(words[index - 1])))
    .join("");

const nationalDigits = 10;
/** Source: ITU-T E.164. */
const maxDigits = 15;

/** International prefix; only before eleven digits or more. */
const internationalPrefix = /^(?:011|00)([1-9]\d{10,14})$/;

/**
 * Ten digits of a North American number, or a number with its country code. "" if invalid: extra digits are never dropped, or one guess
 * would match many numbers.
 */
export const normalizePhone = (text: string): string => {
  const digits = digitsOf(text);
  if (digits.length === nationalDigits + 1 && digits.startsWith("1")) return digits.slice(1);
  const [, abroad] = internationalPrefix.exec(digits) ?? [];
  if (abroad !== undefined) return normalizePhone(abroad);
  return digits.length >= nationalDigits && digits.length <= maxDigits ? digits : "";
};

/** Five digits of a US zip code, otherwise letters and digits. */
export const normalizeZip = (text: string): string => {
  const digits = digitsOf(text);
  if (digits.length === 5 || digits.length === 9) return digits.slice(0, 5);
  // A numeric zip code loses its leading zeros.
  if (/^\d{3,4}$/.test(text.trim())) return digits.padStart(5, "0");
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
};

const label = /^(?:medical ?record(?: ?number)?|mrn|mr)(?: |(?=\d))(?=.)/;

/** Letters and digits without the label: "MRN 70-001", "seven zero zero zero one". */
export const normalizeRecordNumber = (text: string): string => {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return wordsOf(plain.replace(label, ""))
    .map((word, index, words) => {
      if (digitIn(word)) return digitIn(word).repeat(repeatCount(words[index - 1]));
      return repeatCount(word) > 1 && digitIn(words[index + 1] ?? "") ? "" : word;
    })
    .join("");
};
