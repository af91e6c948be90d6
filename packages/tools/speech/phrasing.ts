import type { Language } from "@vitaline/contract";
import { dayIn } from "@vitaline/core";
import { addDays, partsIn } from "../nlu/calendar.ts";
import type { Bilingual, OfficeState, Phrasing } from "../sdk/phrasing.ts";

/** Listeners do not remember more. */
export const maxSpoken = 3;

const words: Bilingual<Record<"and" | "or", (next: string) => string>> = {
  en: { and: () => "and", or: () => "or" },
  // Before the same vowel.
  es: {
    and: (next) => (/^h?i(?![ae])/iu.test(next) ? "e" : "y"),
    or: (next) => (/^(?:h?o|8|11\b)/iu.test(next) ? "u" : "o"),
  },
};
const moreOf: Bilingual<(count: number) => string> = { en: (count) => `${count} more`, es: (count) => `${count} más` };

/** "a", "a and b", "a, b and 4 more". Semicolons if an item has a comma. */
export const listIn =
  (language: Phrasing["language"]): Phrasing["list"] =>
  (all, { most = maxSpoken, more = 0, word = "and" } = {}) => {
    const left = Math.max(0, all.length - most) + more;
    const parts = [...all.slice(0, most), ...(left > 0 ? [moreOf[language](left)] : [])];
    const last = parts.at(-1) ?? "";
    if (parts.length < 2) return last;
    const mark = parts.some((one) => one.includes(",")) ? ";" : ",";
    return `${parts.slice(0, -1).join(`${mark} `)}${mark === ";" ? ";" : ""} ${words[language][word](last)} ${last}`;
  };

/** More cannot be followed at the speed of speech. */
export const maxWords = 30;

export const sentencesOf = (text: string): string[] => text.split(/(?<=[.?!])\s+(?=[\p{Lu}¿¡])/u).filter((one) => one !== "");
export const wordCount = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Whether it can be followed. */
export const isShort = (text: string): boolean => sentencesOf(text).every((one) => wordCount(one) <= maxWords);

/** The text with as many items as can be followed, at most `most`. */
export function longestOf(most: number, say: (count: number) => string): string {
  for (let count = most; count > 1; count--) {
    const text = say(count);
    if (isShort(text)) return text;
  }
  return say(1);
}

/** The words of a date. `day` is yyyy-mm-dd. */
type Calendar = {
  date(day: string): string;
  month(day: string): string;
  weekdays(day: string): string;
  clock(minutes: number): string;
  at(clock: string): string;
  today: string;
  tomorrow: string;
};

type Part = "date" | "month" | "weekday" | "clock";

const optionsOf: Record<Part, Intl.DateTimeFormatOptions> = {
  date: { weekday: "long", month: "long", day: "numeric" },
  month: { month: "long" },
  weekday: { weekday: "long" },
  clock: { hour: "numeric", minute: "2-digit" },
};

const formats = new Map<string, Intl.DateTimeFormat>();
/** Creating a format is slower than a hundred uses. */
function formatOf(locale: string, part: Part): Intl.DateTimeFormat {
  const known = formats.get(`${locale} ${part}`) ?? new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...optionsOf[part] });
  formats.set(`${locale} ${part}`, known);
  return known;
}

const partOf = (locale: string, day: string, part: Part): string => formatOf(locale, part).format(new Date(`${day}T00:00:00Z`));

/** Twelve PM is midnight to some. */
const englishClock = (minutes: number): string =>
  minutes === 12 * 60
    ? "noon"
    : formatOf("en-US", "clock")
        .format(new Date(minutes * 60_000))
        .replace(/\s/gu, " ");

/** "de la madrugada" until six, "de la mañana" until noon, "de la tarde" until seven. */
function spanishClock(minutes: number): string {
  const [hour, minute] = [Math.floor(minutes / 60) % 24, minutes % 60];
  const part = hour < 12 ? (hour < 6 ? "de la madrugada" : "de la mañana") : hour < 19 ? "de la tarde" : "de la noche";
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  const time = minute === 0 ? String(twelve) : `${twelve}:${String(minute).padStart(2, "0")}`;
  if (minutes === 12 * 60) return "las 12 del mediodía";
  return `${twelve === 1 ? "la" : "las"} ${time} ${part}`;
}

const calendars: Bilingual<Calendar> = {
  en: {
    date: (day) => partOf("en-US", day, "date"),
    month: (day) => partOf("en-US", day, "month"),
    weekdays: (day) => `${partOf("en-US", day, "weekday")}s`,
    clock: englishClock,
    at: (clock) => `at ${clock}`,
    today: "today",
    tomorrow: "tomorrow",
  },
  es: {
    date: (day) => `el ${partOf("es-US", day, "weekday")} ${Number(day.slice(8, 10))} de ${partOf("es-US", day, "month")}`,
    month: (day) => partOf("es-US", day, "month"),
    weekdays: (day) => `los ${partOf("es-US", day, "weekday").replace(/(?<!s)$/u, "s")}`,
    clock: spanishClock,
    at: (clock) => `a ${clock}`,
    today: "hoy",
    tomorrow: "mañana",
  },
};

type ClockMoment = { language: keyof typeof calendars; timeZone: string; now: Date };

const isDay = (when: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(when);

/** "today", "tomorrow", "Monday, November 23". */
function sayDate(when: string, { language, timeZone, now }: ClockMoment): string {
  const calendar = calendars[language];
  const day = isDay(when) ? when : dayIn(timeZone, new Date(when));
  const today = dayIn(timeZone, now);
  if (day === today) return calendar.today;
  return day === addDays(today, 1) ? calendar.tomorrow : calendar.date(day);
}

/** Of minutes after midnight, or of an instant. */
function sayClock(at: number | string, { language, timeZone }: ClockMoment): string {
  const { clock } = calendars[language];
  if (typeof at === "number") return clock(at);
  const { hour, minute } = partsIn(timeZone, new Date(at));
  return clock(hour * 60 + minute);
}

/** "Monday, November 23 at 9:30 AM". */
const sayTime = (start: string, moment: ClockMoment): string =>
  `${sayDate(start, moment)} ${calendars[moment.language].at(sayClock(start, moment))}`;

const withOn = (said: string, { language }: ClockMoment): string =>
  language === "en" && !/^to(?:day|morrow)\b/.test(said) ? `on ${said}` : said;

/** As sayTime, with "on" before an English date. */
const sayOnTime = (start: string, moment: ClockMoment): string => withOn(sayTime(start, moment), moment);

/** "tomorrow, Saturday, November 28, at 9:30 AM", "mañana, sábado 28 de noviembre, a las 9:30 de la mañana"; other days as sayTime. */
function sayFullTime(start: string, moment: ClockMoment, word?: "on"): string {
  const calendar = calendars[moment.language];
  const [said, date] = [sayDate(start, moment), calendar.date(dayIn(moment.timeZone, new Date(start)))];
  const at = calendar.at(sayClock(start, moment));
  const full = said === date ? `${date} ${at}` : `${said}, ${date.replace(/^el /, "")}, ${at}`;
  return word === "on" ? withOn(full, moment) : full;
}

const sayWeekdays = (day: string, language: ClockMoment["language"]): string => calendars[language].weekdays(day);

/** As exact as the record: yyyy-mm-dd, yyyy-mm or yyyy. */
function sayRecorded(recorded: string, language: ClockMoment["language"]): string {
  const [year = "", month, date] = recorded.split("-");
  const name = month === undefined ? "" : calendars[language].month(`${year}-${month}-01`);
  if (language === "es") {
    if (date) return `el ${Number(date)} de ${name} de ${year}`;
    return month ? `en ${name} de ${year}` : `en ${year}`;
  }
  if (date) return `on ${name} ${Number(date)}, ${year}`;
  return month ? `in ${name} ${year}` : `in ${year}`;
}

type Moment = { language: Language; timeZone: string; now: Date; office: OfficeState };

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
    handOverSentence: (office === "reachable" ? connecting : offers[office])[language],
  };
}

/** Before it is known whose call it is. */
export const standardPhrasing = (language: Language = "en"): Phrasing =>
  phrasingOf({ language, timeZone: "UTC", now: new Date(0), office: "unknown" });

/** Words of a record that have a common Spanish name. Others, such as names of medications, are said as recorded. */
const spanish: Readonly<Record<string, string>> = {
  allergy: "alergología",
  "annual physical": "chequeo anual",
  cardiology: "cardiología",
  dermatology: "dermatología",
  endocrinology: "endocrinología",
  "family medicine": "medicina familiar",
  "family practice": "medicina familiar",
  gastroenterology: "gastroenterología",
  "general practice": "medicina general",
  "general medicine": "medicina general",
  gynecology: "ginecología",
  "gynecology visit": "una consulta de ginecología",
  "internal medicine": "medicina interna",
  "lab work": "análisis de laboratorio",
  nephrology: "nefrología",
  neurology: "neurología",
  obstetrics: "obstetricia",
  "office visit": "una consulta",
  oncology: "oncología",
  ophthalmology: "oftalmología",
  orthopedics: "ortopedia",
  otolaryngology: "otorrinolaringología",
  pediatrics: "pediatría",
  physical: "un chequeo",
  "primary care": "medicina general",
  psychiatry: "psiquiatría",
  pulmonology: "neumología",
  rheumatology: "reumatología",
  therapy: "terapia",
  urology: "urología",
  vaccine: "una vacuna",

  "blood pressure": "presión arterial",
  "body height": "estatura",
  "body mass index": "índice de masa corporal",
  "body temperature": "temperatura",
  "body weight": "peso",
  "heart rate": "frecuencia cardíaca",
  "oxygen saturation": "saturación de oxígeno",
  "respiratory rate": "frecuencia respiratoria",
  cholesterol: "colesterol",
  glucose: "glucosa",
  "hemoglobin a1c": "hemoglobina A1c",

  asthma: "asma",
  hypertension: "hipertensión",
  "type 2 diabetes": "diabetes tipo 2",
  anaphylaxis: "anafilaxia",
  hives: "urticaria",
  nausea: "náuseas",
  peanut: "cacahuate",
  penicillin: "penicilina",
  rash: "sarpullido",

  "a condition without a name": "un problema sin nombre",
  "a medication the record does not name": "un medicamento sin nombre en el expediente",
  "something the record does not name": "algo sin nombre en el expediente",
  "no known allergies": "no se conocen alergias",

  active: "vigente",
  cancelled: "cancelado",
  completed: "terminado",
  draft: "en borrador",
  intended: "previsto",
  "on hold": "en pausa",
  stopped: "suspendido",
  unknown: "sin estado conocido",
};

const recordWords =
  (language: Language) =>
  (text: string): string =>
    language === "en" ? text : (spanish[text.toLowerCase()] ?? text);
