import type { Language } from "@vitaline/contract";

const names: Readonly<Record<string, Language>> = {
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
  return Object.hasOwn(names, word) ? names[word] : undefined;
}
