import { sayMinutes, speakList } from "../speech/speech-text.ts";
import { addDays } from "../spoken/calendar-days.ts";
import { dayIn, partsIn } from "../spoken/local-time.ts";
import type { Language } from "../spoken/numbers.ts";

type Bilingual = Readonly<Record<Language, string>>;

const noon = 12 * 60;
const midnight = 24 * 60;

/** Minutes after midnight → "9 AM", "9:30 AM", "noon". */
export const sayClockTime = (minutes: number): string =>
  minutes === noon ? "noon" : minutes % midnight === 0 ? "midnight" : sayMinutes(minutes).replace(":00", "");

/** "las 9 de la mañana". */
function spanishClock(minutes: number): string {
  if (minutes === noon) return "el mediodía";
  if (minutes % midnight === 0) return "la medianoche";
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60];
  const part = hour < 12 ? "de la mañana" : hour < 19 ? "de la tarde" : "de la noche";
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  const time = minute === 0 ? String(twelve) : `${twelve}:${String(minute).padStart(2, "0")}`;
  return `${twelve === 1 ? "la" : "las"} ${time} ${part}`;
}

const dateIn = (locale: string, day: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone: "UTC", weekday: "long", month: "long", day: "numeric" }).format(new Date(`${day}T00:00:00Z`));

export type Voice = ReturnType<typeof voiceIn>;

/** Says things in the caller's language; `today` is yyyy-mm-dd. */
export function voiceIn(language: Language, timeZone: string, today: string) {
  const say = (text: Bilingual): string => text[language];
  const clock = (minutes: number): string => (language === "es" ? spanishClock(minutes) : sayClockTime(minutes));
  const day = (date: string): string => {
    if (date === today) return say({ en: "today", es: "hoy" });
    if (date === addDays(today, 1)) return say({ en: "tomorrow", es: "mañana" });
    return language === "es" ? `el ${dateIn("es-US", date).replace(",", "")}` : dateIn("en-US", date);
  };
  return {
    language,
    say,
    clock,
    /** "tomorrow", "Tuesday, December 1"; "el martes 1 de diciembre". */
    day,
    /** "tomorrow at 9 AM", "el martes 1 de diciembre a las 9 de la mañana". */
    time: (at: string): string => {
      const { hour, minute } = partsIn(timeZone, new Date(at));
      const said = clock(hour * 60 + minute);
      return `${day(dayIn(timeZone, new Date(at)))} ${say({ en: `at ${said}`, es: `a ${said}`.replace("a el ", "al ") })}`;
    },
    list: (all: readonly string[], { most = 3, word = "and" as "and" | "or" } = {}): string =>
      language === "en"
        ? speakList(all, { most, word })
        : speakList(all, { most, word: word === "and" ? "y" : "o" }).replace(/(\d+) more$/, "$1 más"),
  };
}
