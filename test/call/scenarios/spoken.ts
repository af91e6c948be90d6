type Language = "en" | "es";

const locales = { en: "en-US", es: "es-US" } as const;

/** 1984-03-02 → "March 2, 1984", "2 de marzo de 1984". */
export const sayDate = (day: string, language: Language = "en"): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));

/** An instant with its offset, in its own local time: "Tuesday, December 1 at 9:30 AM". */
export const sayTime = (start: string): string =>
  new Intl.DateTimeFormat(locales.en, {
    ...{ weekday: "long", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", timeZone: "UTC" },
  }).format(new Date(`${start.slice(0, 16)}Z`));

/** +16175550142 → "617 555 0142". */
export const sayNumber = (number: string): string => number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, "$1 $2 $3");

const weekdayInSpanish = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat(locales.es, { weekday: "long", timeZone }).format(at);

/** The day of an instant with its offset: "el martes". */
export const sayWeekdayInSpanish = (start: string): string => `el ${weekdayInSpanish(new Date(`${start.slice(0, 10)}T00:00:00Z`), "UTC")}`;

const weekdaysInSpanish = ["el martes", "el miércoles", "el jueves"];

/** A weekday that cannot be today in any office's zone, where it could also mean next week. */
export function anotherDayInSpanish(now = new Date()): string {
  const today = ["UTC", "Pacific/Honolulu"].map((timeZone) => `el ${weekdayInSpanish(now, timeZone)}`);
  return weekdaysInSpanish.find((day) => !today.includes(day)) ?? "";
}

const hours = "doce una dos tres cuatro cinco seis siete ocho nueve diez once".split(" ");
const parts: Record<string, string> = { "00": "", "15": " y cuarto", "30": " y media" };

/** The local time of an instant with its offset: "a las nueve y media de la mañana". */
export function sayTimeInSpanish(start: string): string {
  const [, hour = "", minute = ""] = /T(\d\d):(\d\d)/.exec(start) ?? [];
  const word = hours[Number(hour) % 12] ?? hour;
  const part = Number(hour) < 12 ? "de la mañana" : "de la tarde";
  return `${word === "una" ? "a la" : "a las"} ${word}${parts[minute] ?? ` y ${minute}`} ${part}`;
}
