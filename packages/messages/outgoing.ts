import type { Audit, OutgoingRow } from "@vitaline/store";
import { weekdays } from "@vitaline/contract";
import { isOpen, lastOpenHour, nextOpening, type OpeningHours } from "@vitaline/offices";

const hourMs = 3_600_000;
export const remindBeforeMs = 24 * hourMs;
export const minNoticeMs = hourMs;

/** US law keeps solicitations to these hours, and reminders wake no one either. https://www.ecfr.gov/current/title-47/section-64.1200 */
const earliest = "08:00";
const latest = "21:00";

type Day = Pick<OpeningHours, "start" | "end" | "breaks">;

/** undefined if it is open at night alone. */
function daytimeOf(day: Day): Day | undefined {
  const { breaks = [] } = day;
  const opens = day.start > earliest ? day.start : earliest;
  const closes = day.end < latest ? day.end : latest;
  const start = breaks.find((one) => one.start <= opens && opens < one.end)?.end ?? opens;
  const end = breaks.find((one) => one.start < closes && closes <= one.end)?.start ?? closes;
  return start < end ? { start, end, breaks: breaks.filter((one) => one.end > start && one.start < end) } : undefined;
}

/** The opening hours without the night. */
export function reminderHours(hours: OpeningHours): OpeningHours {
  const days = weekdays.map((weekday) => {
    const own = hours.days?.[weekday];
    return [weekday, own === null ? null : (daytimeOf(own ?? hours) ?? null)];
  });
  return { ...hours, days: Object.fromEntries(days) as OpeningHours["days"] };
}

/**
 * When to remind of an appointment: a day before; if the office is closed then or it is night, in the last open hour of daytime before
 * that, or if that is past, at the next one. Undefined if that is less than an hour before the appointment.
 */
export function reminderTime(openingHours: OpeningHours, start: Date, now: Date): Date | undefined {
  const hours = reminderHours(openingHours);
  const wanted = new Date(start.getTime() - remindBeforeMs);
  const best = isOpen(hours, wanted) ? wanted : lastOpenHour(hours, wanted);
  if (best && best >= now) return best;
  const later = nextOpening(hours, new Date(Math.max(wanted.getTime(), now.getTime())));
  return later && later.getTime() <= start.getTime() - minNoticeMs ? later : undefined;
}

const minuteMs = 60_000;

/** The result of processing a due row: finished, or due again later; with an audit row, if any. */
export type ProcessedRow =
  | { over: true; audit?: Audit }
  | ({ later: Date; audit?: Audit } & Pick<OutgoingRow, "tries"> & Pick<Extract<OutgoingRow, { kind: "reminder" }>, "planned" | "sent">);

const maxWaitMs = 30 * minuteMs;
/** Exponential backoff: two minutes after the first try, at most half an hour. */
export const backoffMs = (tries: number): number => Math.min(2 ** tries * minuteMs, maxWaitMs);

/** A row outlives its due time by this, in case it cannot be processed at once. */
const graceSeconds = 3 * 86_400;
export const outgoingExpiry = (dueAt: Date): number => Math.floor(dueAt.getTime() / 1000) + graceSeconds;
