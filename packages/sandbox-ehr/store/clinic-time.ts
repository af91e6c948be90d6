export const clinicTimeZone = "America/New_York";

const offsetFormat = new Intl.DateTimeFormat("en-US", { timeZone: clinicTimeZone, timeZoneName: "longOffset" });
const dateFormat = new Intl.DateTimeFormat("en-CA", { timeZone: clinicTimeZone, dateStyle: "short" });

/** "-05:00" on a winter day. The clinics are closed in the night when the offset changes. */
function offsetOn(date: string): string {
  const name = offsetFormat.formatToParts(new Date(`${date}T12:00:00Z`)).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  return name.slice("GMT".length) || "+00:00";
}

export function clinicDate(moment: Date, days = 0): string {
  const date = new Date(`${dateFormat.format(moment)}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Minutes after midnight to "2026-11-23T09:30:00-05:00". */
export function clinicClock(date: string): (minutes: number) => string {
  const offset = offsetOn(date);
  const two = (value: number) => String(value).padStart(2, "0");
  return (minutes) => `${date}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00${offset}`;
}

type Range = { from: number; to: number };
/** Searches read the same times again and again. */
const knownRanges = new Map<string, Range | undefined>();
const mostKnown = 50_000;

/** First and last millisecond of a searched day or time; without an offset it is clinic time. */
export function momentRange(text: string): Range | undefined {
  if (knownRanges.has(text)) return knownRanges.get(text);
  if (knownRanges.size >= mostKnown) knownRanges.clear();
  const range = readRange(text);
  knownRanges.set(text, range);
  return range;
}

function readRange(text: string): Range | undefined {
  const match = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?)?)?$/.exec(text);
  if (!match) return undefined;
  const [, year, month, day, time, seconds, offset] = match;
  const date = `${year}-${month ?? "01"}-${day ?? "01"}`;
  const from = Date.parse(`${date}T${time ?? "00:00"}${seconds ?? ":00"}${offset ?? offsetOn(date)}`);
  if (Number.isNaN(from)) return undefined;
  if (time) return { from, to: from + (seconds ? 999 : 59_999) };
  const end = new Date(`${date}T00:00:00Z`);
  if (day) end.setUTCDate(end.getUTCDate() + 1);
  else if (month) end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setUTCFullYear(end.getUTCFullYear() + 1);
  const endDate = end.toISOString().slice(0, 10);
  return { from, to: Date.parse(`${endDate}T00:00:00${offsetOn(endDate)}`) - 1 };
}
