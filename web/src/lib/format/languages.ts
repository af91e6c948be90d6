import { Language } from "@vitaline/contract";

export const languageNames: Record<Language, string> = { en: "English", es: "Spanish" };

export const languageOptions = Language.options.map((value) => ({ value, label: languageNames[value] }));
