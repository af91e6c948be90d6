import type { Language } from "@vitaline/contract";

const names =
  "english inglés|spanish español|mandarin mandarín|cantonese cantonés|chinese chino|vietnamese vietnamita|tagalog tagalo|korean coreano|russian ruso|arabic árabe|french francés|portuguese portugués|creole criollo|hindi hindi|urdu urdu|polish polaco|italian italiano|german alemán|japanese japonés|somali somalí|bengali bengalí|armenian armenio|ukrainian ucraniano|nepali nepalí";

const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const languages = names.split("|").map((pair) => {
  const [en = "", es = ""] = pair.split(" ");
  return { en, es };
});

/** Normalized, in both languages, for a pattern. */
export const anyLanguageName = [...new Set(languages.flatMap(({ en, es }) => [en, plain(es)]))].join("|");

/** "espanol" → "spanish"; any other word stays. */
export const englishNameOf = (word: string): string => languages.find(({ es }) => plain(es) === word)?.en ?? word;

/** "Spanish" → "español"; "Haitian Creole" stays. */
export const languageNameIn = (language: Language, name: string): string =>
  language === "en" ? name : (languages.find(({ en }) => en === plain(name))?.es ?? name);

const codes: Readonly<Record<string, Language>> = {
  ...{ en: "en", eng: "en", english: "en", inglés: "en", ingles: "en" },
  ...{ es: "es", spa: "es", spanish: "es", castilian: "es", español: "es", espanol: "es", castellano: "es" },
};

/** "es-MX", "spa" and "Spanish" are "es"; undefined for another language, for "multi" and without one. */
export function readLanguage(text: unknown): Language | undefined {
  if (typeof text !== "string") return undefined;
  const [word = ""] = text
    .normalize("NFC")
    .trim()
    .toLowerCase()
    .split(/[^\p{L}]/u);
  return Object.hasOwn(codes, word) ? codes[word] : undefined;
}
