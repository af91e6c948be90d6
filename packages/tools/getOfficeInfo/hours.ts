import { weekdays } from "@vitaline/contract";
import { dayIn, dayMs, wallClock } from "@vitaline/core";
import { isOpen, nextOpening, openingOn, type OpeningHours } from "@vitaline/offices";
import { addDays, instantIn, mondayOf } from "../nlu/calendar.ts";
import { readWhen } from "../nlu/when/read-when.ts";
import { listIn } from "../speech/phrasing.ts";
import type { Hours, Opening, Window } from "./schema.ts";

const maxHolidaysAhead = 4;

/** For the model, of minutes after midnight: "9 AM", "9:30 AM", "noon". */
const clockTime = (minutes: number): string => {
  if (minutes === 12 * 60) return "noon";
  if (minutes % (24 * 60) === 0) return "midnight";
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60];
  return `${hour % 12 === 0 ? 12 : hour % 12}${minute === 0 ? "" : `:${String(minute).padStart(2, "0")}`} ${hour < 12 ? "AM" : "PM"}`;
};

/** `said` may name a day: "Saturday", "on Thanksgiving", or one of the office's own holidays. */
export function hoursAnswer(hours: OpeningHours, now: Date, said: string | undefined): Hours {
  const { timezone: timeZone, holidays = [] } = hours;
  const today = dayIn(timeZone, now);
  const ahead = holidays.filter(({ date }) => date >= today).toSorted((a, b) => a.date.localeCompare(b.date));
  const asked = said === undefined ? undefined : (namedHoliday(ahead, said) ?? dayMeant(said, hours, now));
  const date = asked ?? today;
  const todays = openingBetweenBreaks(hours, today)?.windows;
  const isOpenNow = isOpen(hours, now);
  // On a day that is over or closed, the next opening is what the caller wants.
  const from = date === today ? now : instantIn(timeZone, date, 0);
  const next = nextOpening(hours, from);
  return {
    topic: "hours",
    today,
    isOpenNow,
    day: {
      date,
      isAsked: asked !== undefined,
      open: openingBetweenBreaks(hours, date) ?? null,
      holiday: ahead.find((one) => one.date === date)?.name ?? null,
    },
    ...(todays ? { left: todays.filter(({ closes }) => closes > minuteOf(hours, now)) } : {}),
    opensAt: next && next > now ? next.toISOString() : null,
    week: weekOf(hours, today),
    holidays: ahead.slice(0, maxHolidaysAhead).map((one) => `${one.date} ${one.name}`),
    timeZone,
  };
}

function openingBetweenBreaks(hours: OpeningHours, date: string): Opening | undefined {
  const opening = openingOn(hours, date);
  if (!opening) return undefined;
  const { windows, ...whole } = opening;
  return windows.length > 1 ? { ...whole, windows } : whole;
}

/** After midnight, on the office's clock. */
const minuteOf = ({ timezone }: OpeningHours, at: Date): number => (wallClock(timezone, at.getTime()) % dayMs) / 60_000;

const plain = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
const namedHoliday = (ahead: readonly { date: string; name: string }[], said: string): string | undefined =>
  ahead.find(({ name }) => plain(said).includes(plain(name)))?.date;

/** One day, or the next of several such days; undefined for a longer time. */
function dayMeant(said: string, hours: OpeningHours, now: Date): string | undefined {
  const read = readWhen(said, { now, timeZone: hours.timezone, hours });
  const first = read.kind === "reading" ? read.dates?.[0] : undefined;
  return first && first.from === first.until ? first.from : undefined;
}

type Days = { first: string; last: string; count: number; hours: string };

const timesOf = ({ opens, closes }: Window): string => `${clockTime(opens)} to ${clockTime(closes)}`;

/** Days with the same hours together. Holidays do not count. */
function weekOf({ holidays: _holidays, ...hours }: OpeningHours, today: string): string[] {
  const monday = mondayOf(today);
  const week: Days[] = [];
  for (const [at, weekday] of weekdays.entries()) {
    const windows = openingOn(hours, addDays(monday, at))?.windows;
    const name = weekday.charAt(0).toUpperCase() + weekday.slice(1);
    const said = windows ? listIn("en")(windows.map(timesOf), { most: windows.length }) : "closed";
    const before = week.at(-1);
    if (before?.hours === said) {
      before.last = name;
      before.count++;
    } else week.push({ first: name, last: name, count: 1, hours: said });
  }
  return week.map(
    ({ first, last, count, hours: said }) => `${count === 1 ? first : `${first} ${count === 2 ? "and" : "to"} ${last}`} ${said}`,
  );
}
