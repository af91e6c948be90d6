import type { Language } from "@vitaline/contract";
import type { Bilingual, OfficeState, Phrasing } from "../sdk/phrasing.ts";
import { recordWords } from "./record-words.ts";
import { listIn } from "./say-list.ts";
import { sayClock, sayDate, sayFullTime, sayOnTime, sayRecorded, sayTime, sayWeekdays } from "./say-time.ts";

export type Moment = { language: Language; timeZone: string; now: Date; office: OfficeState };

const offers: Record<OfficeState, Bilingual> = {
  reachable: { en: "I can connect you with the office.", es: "Puedo comunicarle con el consultorio." },
  unstaffed: {
    en: "No one at the office can take your call right now, but I can take a message.",
    es: "En este momento nadie del consultorio puede atender su llamada, pero puedo tomarle un mensaje.",
  },
  closed: {
    en: "The office is closed right now, but I can take a message.",
    es: "El consultorio está cerrado en este momento, pero puedo tomarle un mensaje.",
  },
  unknown: { en: "You can also call during office hours.", es: "También puede llamar en el horario de atención." },
};
const connecting: Bilingual = {
  en: "Let me connect you with someone at the office who can help.",
  es: "Permítame comunicarle con alguien del consultorio que pueda ayudarle.",
};

/** Spanish contracts "de" and "a" with the article. */
const contract = (text: string): string => text.replace(/\b(de|a) el (?=\p{Ll})/gu, (_, word: string) => `${word}l `);

/** "Dr. Larkmere" → "Doctor Larkmere". In Spanish the title tells women from men, so it is left out where that is not known. */
const names: Bilingual<Phrasing["name"]> = {
  en: (name) => name.replace(/^Dra?\b\.?\s*/i, "Doctor "),
  es: (name, gender) => {
    if (/^Dra\b/i.test(name)) return name.replace(/^Dra\b\.?\s*/i, "la doctora ");
    const bare = name.replace(/^Dr\b\.?\s*/i, "");
    if (bare !== name && gender) return `${gender === "female" ? "la doctora" : "el doctor"} ${bare}`;
    return bare === name || /\s/.test(bare) ? bare : `Dr. ${bare}`;
  },
};

export function phrasingOf({ language, timeZone, now, office }: Moment): Phrasing {
  const moment = { language, timeZone, now };
  const inZone = (zone: string | undefined) => (zone === undefined ? moment : { ...moment, timeZone: zone });
  return {
    language,
    say: (text) => (language === "es" ? contract(text.es) : text.en),
    day: (when) => sayDate(when, moment),
    weekdays: (day) => sayWeekdays(day, language),
    clock: (at) => sayClock(at, moment),
    time: (start, zone) => sayTime(start, inZone(zone)),
    onTime: (start, zone) => sayOnTime(start, inZone(zone)),
    fullTime: (start, word) => sayFullTime(start, moment, word),
    when: (recorded) => sayRecorded(recorded, language),
    list: listIn(language),
    name: names[language],
    record: recordWords(language),
    offerOffice: offers[office][language],
    handOver: (office === "reachable" ? connecting : offers[office])[language],
  };
}

/** Before it is known whose call it is. */
export const standardPhrasing = (language: Language = "en"): Phrasing =>
  phrasingOf({ language, timeZone: "UTC", now: new Date(0), office: "unknown" });
