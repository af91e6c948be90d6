import type { Strategy } from "@vitaline/fhir-providers";
import { findAndBook } from "./find-and-book.ts";
import { slotCalendar } from "./slot-calendar.ts";
import type { Calendar, Offers, OpenSlot, TimeOfDay, Wanted, Whom } from "./calendar.ts";
import type { Run } from "../sdk/run.ts";
import { dayIn, partsIn } from "../speech/spoken-time.ts";

export const calendarFor = (strategy: Strategy): Calendar => (strategy.booking === "find-and-book" ? findAndBook : slotCalendar(strategy));

const offered = 3;

const windowDays = 14;

const dayMs = 86_400_000;

/** Nobody gets to a clinic sooner. */
const noticeMs = 30 * 60_000;

const hours: Record<TimeOfDay, readonly [from: number, to: number]> = { morning: [0, 12], afternoon: [12, 17], evening: [17, 24] };

type Asked = Whom & { timeOfDay?: TimeOfDay | undefined };

type Narrowed = {
  notBefore?: Date | undefined;
  isPreferred?: Wanted["isPreferred"];
  /** The slot that was taken. */
  without?: string | undefined;
  fewest?: number;
};

/**
 * Free times of two weeks, or of so much of them as there was time for, the earliest first, when the patient is not elsewhere: as many as
 * there is something to choose from.
 * AppError `ehr_unsupported` for a server without a search for them.
 */
export async function openSlots(
  run: Run,
  { timeOfDay, ...whom }: Asked,
  { notBefore, isPreferred, without, fewest = offered }: Narrowed,
): Promise<Offers> {
  const { ehr, signal, ctx, timeZone } = run;
  const calendar = calendarFor(await ehr.strategy({ signal }));
  const from = new Date(Math.max(ctx.clock().getTime() + noticeMs, notBefore?.getTime() ?? 0));
  const until = new Date(from.getTime() + windowDays * dayMs);
  const [fromHour, toHour] = timeOfDay ? hours[timeOfDay] : [0, 24];
  const isWanted = ({ slotId, start }: OpenSlot): boolean => {
    const { hour } = partsIn(timeZone, new Date(start));
    return slotId !== without && Date.parse(start) >= from.getTime() && hour >= fromHour && hour < toHour;
  };
  const isEnough = (open: OpenSlot[]): boolean =>
    open.length >= fewest && new Set(open.map((slot) => halfDay(slot, timeZone))).size >= offered;
  const minutes = timeOfDay && { from: fromHour * 60, until: toHour * 60 };
  return calendar.offers(run, whom, { from, until }, { isWanted, isPreferred, isEnough, minutes });
}

const halfDay = ({ start }: OpenSlot, timeZone: string): string => {
  const { month, day, hour } = partsIn(timeZone, new Date(start));
  return `${month}/${day} ${hour < 12}`;
};

/** The three of the same day that are nearest to a time, in order; of other days where there is none that day. */
export function nearest(open: OpenSlot[], timeZone: string, near: Date): OpenSlot[] {
  const day = dayIn(timeZone, near);
  const distance = ({ start }: OpenSlot): number => Math.abs(Date.parse(start) - near.getTime());
  const different = [...new Map(open.toReversed().map((slot) => [slot.start, slot])).values()];
  const onDay = different.filter(({ start }) => dayIn(timeZone, new Date(start)) === day);
  if (onDay.length === 0) return spread(open, timeZone);
  const closest = onDay.toSorted((a, b) => distance(a) - distance(b)).slice(0, offered);
  return closest.toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start));
}

/** Three to choose from, in order: one for each half of a day before a second one of the same, and no two at the same time. */
export function spread(open: OpenSlot[], timeZone: string): OpenSlot[] {
  const different = [...new Map(open.toReversed().map((slot) => [slot.start, slot])).values()].toReversed();
  const firsts = [...new Map(different.toReversed().map((slot) => [halfDay(slot, timeZone), slot])).values()]
    .toReversed()
    .slice(0, offered);
  const more = different.filter((slot) => !firsts.includes(slot));
  return [...firsts, ...more].slice(0, offered).toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start));
}
