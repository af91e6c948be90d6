const formats = new Map<string, Intl.DateTimeFormat>();
/** Making a format takes longer than a hundred uses of it. */
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

/** What the calendar and clock of a zone show at an instant, to the minute, as an instant of a clock without zone: read it as UTC. */
export function wallClock(timeZone: string, at: number): number {
  const parts = formatIn(timeZone).formatToParts(at);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(year, month - 1, day, hour, minute);
}

/** The instant at which a clock there shows `wall`; of a time that a clock change skips, the one after it. */
export function instantOf(timeZone: string, wall: number): number {
  const guess = wall - (wallClock(timeZone, wall) - wall);
  return wall - (wallClock(timeZone, guess) - guess);
}
