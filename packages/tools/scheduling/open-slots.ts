import { dayMs, dayIn } from "@vitaline/core";
import type { ServerBehavior } from "@vitaline/fhir-providers";
import { findAndBook } from "./find-and-book.ts";
import { slotsAndPost } from "./slots-and-post.ts";
import type { SlotSource, FreeSlots, OpenSlot, SlotFilter, SlotCriteria } from "./slot-source.ts";
import type { Run } from "../sdk/run.ts";
import { partsIn } from "../nlu/calendar.ts";

export const slotSourceOf = (server: ServerBehavior): SlotSource =>
  server.booking === "find-and-book" ? findAndBook : slotsAndPost(server);

const offeredCount = 3;

const windowDays = 14;

const minNoticeMs = 30 * 60_000;

/** Minutes after midnight. */
type MinuteWindow = { from: number; until: number };

type OpenSlotOptions = {
  notBefore?: Date | undefined;
  isPreferred?: SlotFilter["isPreferred"];
  excludedSlotId?: string | undefined;
  minutes?: MinuteWindow | undefined;
  /** Whether a day, yyyy-mm-dd, is wanted. */
  isWantedDay?: ((day: string) => boolean) | undefined;
  minCount?: number;
  /** The search goes on until it is known whether this time is free. */
  exactly?: Date | undefined;
};

/**
 * Free slots within two weeks, the earliest first, enough to choose from. AppError `ehr_unsupported` if the server has no slot search.
 */
export async function findOpenSlots(
  run: Run,
  query: SlotCriteria,
  { notBefore, isPreferred, excludedSlotId, minutes, isWantedDay = () => true, minCount = offeredCount, exactly }: OpenSlotOptions,
): Promise<FreeSlots> {
  const { ehr, signal, ctx, timeZone } = run;
  const slotSource = slotSourceOf(await ehr.behavior({ signal }));
  const from = new Date(Math.max(ctx.clock().getTime() + minNoticeMs, notBefore?.getTime() ?? 0));
  const until = new Date(from.getTime() + windowDays * dayMs);
  const isWanted = ({ slotId, start }: OpenSlot): boolean => {
    const at = new Date(start);
    const { hour, minute } = partsIn(timeZone, at);
    const isInWindow = minutes === undefined || (hour * 60 + minute >= minutes.from && hour * 60 + minute < minutes.until);
    const isBookable = slotId !== excludedSlotId && at.getTime() >= from.getTime() && !isOnHoliday(run, at);
    return isBookable && isInWindow && isWantedDay(dayIn(timeZone, at));
  };
  // Times come in order, so a later one tells that this one is not free.
  const isKnown = (open: OpenSlot[]): boolean => !exactly || open.some(({ start }) => Date.parse(start) >= exactly.getTime());
  const isEnough = (open: OpenSlot[]): boolean =>
    isKnown(open) && open.length >= minCount && new Set(open.map((slot) => halfDay(slot, timeZone))).size >= offeredCount;
  return slotSource.search(run, query, { from, until }, { isWanted, isPreferred, isEnough, minutes });
}

/** The office's own holidays: the record system may list times on them all the same. */
export const isOnHoliday = ({ hours, timeZone }: Pick<Run, "hours" | "timeZone">, at: Date): boolean =>
  hours.holidays?.some(({ date }) => date === dayIn(timeZone, at)) === true;

const halfDay = ({ start }: OpenSlot, timeZone: string): string => {
  const { month, day, hour } = partsIn(timeZone, new Date(start));
  return `${month}/${day} ${hour < 12}`;
};

/** Three slots nearest to a time on its day, in order; other days if that day has none. */
export function nearestSlots(open: OpenSlot[], timeZone: string, near: Date): OpenSlot[] {
  const day = dayIn(timeZone, near);
  const distance = ({ start }: OpenSlot): number => Math.abs(Date.parse(start) - near.getTime());
  const different = [...new Map(open.toReversed().map((slot) => [slot.start, slot])).values()];
  const onDay = different.filter(({ start }) => dayIn(timeZone, new Date(start)) === day);
  if (onDay.length === 0) return spreadSlots(open, timeZone);
  const closest = onDay.toSorted((a, b) => distance(a) - distance(b)).slice(0, offeredCount);
  return closest.toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start));
}

/** Three slots in order, preferably in different half-days, each at a different time. */
export function spreadSlots(open: OpenSlot[], timeZone: string): OpenSlot[] {
  const different = [...new Map(open.toReversed().map((slot) => [slot.start, slot])).values()].toReversed();
  const firsts = [...new Map(different.toReversed().map((slot) => [halfDay(slot, timeZone), slot])).values()]
    .toReversed()
    .slice(0, offeredCount);
  const more = different.filter((slot) => !firsts.includes(slot));
  return [...firsts, ...more].slice(0, offeredCount).toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start));
}
