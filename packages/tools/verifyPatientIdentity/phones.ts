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

/** The digits in what was said or typed: "(617) 555-0100", "six one seven, double five …". */
export function digitsOf(text: string): string {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/\d|[a-z]+/g) ?? [];
  return words
    .map((word, index) => (spokenDigits[word] ?? (/\d/.test(word) ? word : "")).repeat(repeats[words[index - 1] ?? ""] ?? 1))
    .join("");
}

const comparedDigits = 10;

/** The last ten digits, so that a country code may be said or not; "" when there are fewer. */
export const normalPhone = (text: string): string => {
  const digits = digitsOf(text);
  return digits.length >= comparedDigits ? digits.slice(-comparedDigits) : "";
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

/** A medical record number by its digits, as callers read it out; by all its letters where it has few digits. */
export const normalRecordNumber = (text: string): string => {
  const digits = digitsOf(text);
  return digits.length >= 5
    ? digits
    : text
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]/gu, "");
};
