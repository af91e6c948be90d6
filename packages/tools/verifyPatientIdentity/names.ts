/** Letters that Unicode does not take apart into a letter and its mark. */
const asSaid: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", þ: "th", ı: "i" };

/** A name as it sounds: lower case, without marks, apostrophes or punctuation; a hyphen is a space. "" when nothing is left. */
export const normalName = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßæœøđðłþı]/gu, (letter) => asSaid[letter] ?? letter)
    .replace(/['’‘ʼ`´]/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** A family name without its spaces: whoever hears "O Brien" or "De La Cruz" writes it in one word or in more. */
export const familyName = (name: string): string => normalName(name).replaceAll(" ", "");

/** The name somebody goes by: middle names and initials are said or left out as one likes. */
export const firstGiven = (given: string): string => normalName(given).split(" ")[0] ?? "";
