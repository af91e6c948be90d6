/** Letters that Unicode does not decompose. */
const letterFolds: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", þ: "th", ı: "i" };

export const withoutAccents = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "");

/** Lower case, without accents, apostrophes and punctuation; a hyphen becomes a space. */
export const normalizeName = (name: string): string =>
  withoutAccents(name.normalize("NFKD").toLowerCase())
    .replace(/[ßæœøđðłþı]/gu, (letter) => letterFolds[letter] ?? letter)
    .replace(/['’‘ʼ`´]/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Without spaces: "O Brien" and "De La Cruz" are heard as one word or several. */
export const normalizeFamilyName = (name: string): string => normalizeName(name).replaceAll(" ", "");

export const firstGivenName = (given: string): string => normalizeName(given).split(" ")[0] ?? "";

/** Parts of family names that are not names themselves. */
const particles = new Set(
  "al ap bin da das de degli dei del della den der di do dos du el ibn la las le los mac mc san st ten ter van vom von y zu zum zur".split(
    " ",
  ),
);
const minNameLength = 2;

/** The whole name, and its first and last surname alone. At most three, as each form of a claim is counted. */
export const familyNameForms = (family: string): string[] => {
  const words = normalizeName(family).split(" ");
  const names = words.length > 1 ? words.filter((word) => word.length >= minNameLength && !particles.has(word)) : [];
  return [...new Set([words.join(""), ...names.slice(0, 1), ...names.slice(-1)])];
};

/** The first name, and all names joined: "Jeanluc" for Jean-Luc. */
export const givenNameForms = (given: string): string[] => [...new Set([firstGivenName(given), normalizeFamilyName(given)])];
