import { dayIn } from "@vitaline/core";
import type { Bilingual } from "../sdk/phrasing.ts";
import { addDays } from "../nlu/calendar-days.ts";
import { partsIn } from "../nlu/local-time.ts";

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

type Moment = { language: keyof typeof calendars; timeZone: string; now: Date };

const isDay = (when: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(when);

/** "today", "tomorrow", "Monday, November 23". */
export function sayDate(when: string, { language, timeZone, now }: Moment): string {
  const calendar = calendars[language];
  const day = isDay(when) ? when : dayIn(timeZone, new Date(when));
  const today = dayIn(timeZone, now);
  if (day === today) return calendar.today;
  return day === addDays(today, 1) ? calendar.tomorrow : calendar.date(day);
}

/** Of minutes after midnight, or of an instant. */
export function sayClock(at: number | string, { language, timeZone }: Moment): string {
  const { clock } = calendars[language];
  if (typeof at === "number") return clock(at);
  const { hour, minute } = partsIn(timeZone, new Date(at));
  return clock(hour * 60 + minute);
}

/** "Monday, November 23 at 9:30 AM". */
export const sayTime = (start: string, moment: Moment): string =>
  `${sayDate(start, moment)} ${calendars[moment.language].at(sayClock(start, moment))}`;

const withOn = (said: string, { language }: Moment): string =>
  language === "en" && !/^to(?:day|morrow)\b/.test(said) ? `on ${said}` : said;

/** As sayTime, with "on" before an English date. */
export const sayOnTime = (start: string, moment: Moment): string => withOn(sayTime(start, moment), moment);

/** "tomorrow, Saturday, November 28, at 9:30 AM", "mañana, sábado 28 de noviembre, a las 9:30 de la mañana"; other days as sayTime. */
export function sayFullTime(start: string, moment: Moment, word?: "on"): string {
  const calendar = calendars[moment.language];
  const [said, date] = [sayDate(start, moment), calendar.date(dayIn(moment.timeZone, new Date(start)))];
  const at = calendar.at(sayClock(start, moment));
  const full = said === date ? `${date} ${at}` : `${said}, ${date.replace(/^el /, "")}, ${at}`;
  return word === "on" ? withOn(full, moment) : full;
}

export const sayWeekdays = (day: string, language: Moment["language"]): string => calendars[language].weekdays(day);

/** As exact as the record: yyyy-mm-dd, yyyy-mm or yyyy. */
export function sayRecorded(recorded: string, language: Moment["language"]): string {
  const [year = "", month, date] = recorded.split("-");
  const name = month === undefined ? "" : calendars[language].month(`${year}-${month}-01`);
  if (language === "es") {
    if (date) return `el ${Number(date)} de ${name} de ${year}`;
    return month ? `en ${name} de ${year}` : `en ${year}`;
  }
  if (date) return `on ${name} ${Number(date)}, ${year}`;
  return month ? `in ${name} ${year}` : `in ${year}`;
}
