export const dayMs = 86_400_000;

/** The date in UTC, as yyyy-mm-dd. */
export const utcDate = (at: Date | number): string => new Date(at).toISOString().slice(0, 10);

/** Age in whole years on `today`; both yyyy-mm-dd. A birthday on February 29 is on March 1 in other years. */
export const ageOn = (today: string, birthDate: string): number =>
  Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4)) - (today.slice(5) < birthDate.slice(5) ? 1 : 0);

const formats = new Map<string, Intl.DateTimeFormat>();
/** Creating a format is slower than a hundred uses. */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      hourCycle: "h23",
    });
  formats.set(timeZone, known);
  return known;
}

function readWallClock(timeZone: string, at: number): number {
  const parts = formatIn(timeZone).formatToParts(at);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(year, month - 1, day, hour, minute);
}

const minuteMs = 60_000;
/** Since 2023 every zone changes its clock at a quarter of an hour; before, some did so a minute past midnight. */
const quarterMs = 15 * minuteMs;
const quartersFrom = Date.UTC(2023, 0) / quarterMs;
const maxOffsets = 20_000;
const offsets = new Map<string, number>();

/** The local date and time in a zone, to the minute, encoded as if it were UTC. */
export function wallClock(timeZone: string, at: number): number {
  const quarter = Math.floor(at / quarterMs);
  if (!(quarter >= quartersFrom)) return readWallClock(timeZone, at);
  const key = `${timeZone} ${quarter}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    offset = readWallClock(timeZone, quarter * quarterMs) - quarter * quarterMs;
    if (offsets.size >= maxOffsets) offsets.clear();
    offsets.set(key, offset);
  }
  return Math.floor(at / minuteMs) * minuteMs + offset;
}

/** Inverse of wallClock; a time skipped by a clock change gives an instant after the change. */
export function fromWallClock(timeZone: string, wall: number): number {
  const guess = wall - (wallClock(timeZone, wall) - wall);
  const at = wall - (wallClock(timeZone, guess) - guess);
  return wallClock(timeZone, at) === wall ? at : Math.max(at, guess);
}

/** yyyy-mm-dd. */
export const dayIn = (timeZone: string, instant: Date): string =>
  new Date(wallClock(timeZone, instant.getTime())).toISOString().slice(0, 10);

/** yyyy-mm-dd hh:mm. */
export const minuteIn = (timeZone: string, instant: Date): string =>
  new Date(wallClock(timeZone, instant.getTime())).toISOString().slice(0, 16).replace("T", " ");

/** yyyy-mm-dd hh:mm:ss±hh:mm. The offset tells apart the two hours of the day on which clocks go back. */
export function secondIn(timeZone: string, instant: Date): string {
  const at = instant.getTime();
  const minute = Math.floor(at / minuteMs) * minuteMs;
  const wall = wallClock(timeZone, at);
  const offset = (wall - minute) / minuteMs;
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) => String(part).padStart(2, "0"));
  return `${new Date(wall + at - minute).toISOString().slice(0, 19).replace("T", " ")}${offset < 0 ? "-" : "+"}${hours}:${minutes}`;
}
