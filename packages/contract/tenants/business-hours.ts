import * as z from "zod/mini";

/** "09:00". */
export const ClockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Must be a time such as 09:00"));
/** The zones that screens offer first; any IANA zone is accepted. */
export const suggestedTimeZones = ["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"] as const;
const isTimeZone = (name: string): boolean => {
  // Intl also accepts offsets ("+05:30"), which have no daylight saving time.
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};
export const TimeZone = z.string().check(z.maxLength(60), z.refine(isTimeZone, "Must be a time zone such as America/New_York"));

export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
const endsLater = z.refine<{ start?: string; end?: string }>(({ start, end }) => !start || !end || start < end, {
  path: ["end"],
  error: "Must be after the start",
});

export const maxBreaks = 3;
/** A part of a day on which the office is open, in which it is closed. */
const Break = z.strictObject({ start: ClockTime, end: ClockTime }).check(endsLater);
const Breaks = z
  .array(Break)
  .check(z.maxLength(maxBreaks, `Must be at most ${maxBreaks} breaks`), z.describe("When it is closed in between, in order of time."));

type WithBreaks = { start?: string | undefined; end?: string | undefined; breaks?: z.infer<typeof Breaks> | null | undefined };

/** The first break that is not within the hours, or not after the one before it; `start` and `end` are checked where they are known. */
export function breakFault({ start, end, breaks }: WithBreaks): { path: (string | number)[]; message: string } | undefined {
  let from = start;
  for (const [at, one] of breaks?.entries() ?? []) {
    const fault = (side: string, message: string) => ({ path: ["breaks", at, side], message });
    if (from && one.start && one.start <= from)
      return fault("start", at ? "Must be after the break before it" : "Must be after the office opens: to open later, change that");
    if (end && one.end >= end) return fault("end", "Must be before the office closes: to close earlier, change that");
    from = one.end;
  }
  return undefined;
}

const breaksFit = z.check<WithBreaks>(({ value, issues }) => {
  const fault = breakFault(value);
  // Without `continue`, other hours in the same request would not be checked.
  if (fault) issues.push({ code: "custom", ...fault, input: value, continue: true });
});

const Opening = z.strictObject({ start: ClockTime, end: ClockTime, breaks: z.optional(Breaks) }).check(endsLater, breaksFit);
const Days = z.partialRecord(z.enum(weekdays), z.nullable(Opening));

const everyDay =
  "Hours without `days` are those of every day, weekends too; a day in `days` has its own, and its own `breaks`, or is closed where it is null.";

/** One range for all days, or one per day; null: closed. */
export const BusinessHours = z
  .strictObject({ start: ClockTime, end: ClockTime, timezone: TimeZone, breaks: z.optional(Breaks), days: z.optional(Days) })
  .check(z.describe(everyDay));
export type BusinessHours = z.infer<typeof BusinessHours>;

/** A change of hours: absent keeps the value, or the inherited one; `days: null` removes the days, `breaks: null` the breaks. */
export const HoursChange = z
  .strictObject({
    start: z.optional(ClockTime),
    end: z.optional(ClockTime),
    timezone: z.optional(TimeZone),
    breaks: z.optional(z.nullable(Breaks)),
    days: z.optional(z.nullable(Days)),
  })
  .check(endsLater, breaksFit, z.describe(everyDay));
export type HoursChange = z.infer<typeof HoursChange>;
