import { dayMs, dayIn } from "@vitaline/core";
import type { Slot } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import type { SlotFilter, TimeWindow } from "./slot-source.ts";
import { instantIn } from "../nlu/calendar.ts";

/** In one page, and in all pages that are read at once. */
const maxSlots = 200;
const maxSlotsAtOnce = 400;

/** The span of slots for which one search of appointments tells the occupied ones. */
export const occupancySpanMs = 2 * dayMs;

export type HasTime = () => boolean;

export type FetchSlots = (window: TimeWindow, most: number, logAsRepeat: boolean) => Promise<Slot[]>;

/** `until`: everything before it has been seen. */
type SlotPage = { slots: Slot[]; until: Date };

/** EHRs that do not sort by start, until this time in milliseconds. */
const unsortedServers = new Map<string, number>();

/** How long a server is taken not to sort, and how many such servers are remembered. */
const unsortedMs = 3_600_000;
const maxUnsorted = 5000;

const daysAtOnce = 4;

/** Pages of slots by start. Servers that do not sort are read two days at a time; with a time of day, that part of each day. */
export async function* slotPages(
  run: Run,
  { from, until }: TimeWindow,
  { minutes }: SlotFilter,
  fetchSlots: FetchSlots,
  hasTime: HasTime,
): AsyncGenerator<SlotPage> {
  const { ctx, ehr, timeZone } = run;
  const nowMs = ctx.clock().getTime();
  let next = from;
  let isFirst = true;
  const more = (window: TimeWindow, most = maxSlotsAtOnce): Promise<Slot[]> => {
    const logAsRepeat = !isFirst;
    isFirst = false;
    return fetchSlots(window, most, logAsRepeat);
  };
  if ((unsortedServers.get(ehr.providerId) ?? 0) <= nowMs) {
    for (;;) {
      const slots = await more({ from: next, until }, maxSlots);
      if (slots.length < maxSlots) return yield { slots, until };
      const starts = slots.map(({ start }) => Date.parse(start));
      const last = starts.at(-1) ?? 0;
      if (!starts.every((start, index) => index === 0 || start >= (starts[index - 1] ?? 0))) {
        if (unsortedServers.size >= maxUnsorted) unsortedServers.clear();
        unsortedServers.set(ehr.providerId, nowMs + unsortedMs);
        break;
      }
      // More slots at one moment than fit on a page.
      if (last <= next.getTime()) break;
      next = new Date(last);
      yield { slots, until: next };
      if (!hasTime()) return;
      if (minutes) break;
    }
    if (!hasTime()) return;
  }
  const days = minutes ? dayPartWindows({ from: next, until }, minutes, timeZone) : splitWindow({ from: next, until }, occupancySpanMs);
  for (let index = 0; index < days.length; index += minutes ? daysAtOnce : 1) {
    if (index > 0 && !hasTime()) return;
    const some = days.slice(index, index + (minutes ? daysAtOnce : 1));
    const slots = (await Promise.all(some.map((day) => more(day)))).flat();
    const end = days[index + some.length]?.from ?? until;
    if (minutes || slots.length < maxSlotsAtOnce) yield { slots, until: end };
    else
      for (const day of splitWindow(some[0] ?? { from: next, until }, dayMs)) {
        if (!hasTime()) return;
        yield { slots: await more(day), until: day.until };
      }
  }
}

const splitWindow = ({ from, until }: TimeWindow, length: number): TimeWindow[] =>
  Array.from({ length: Math.ceil((until.getTime() - from.getTime()) / length) }, (_, index) => ({
    from: new Date(from.getTime() + index * length),
    until: new Date(Math.min(from.getTime() + (index + 1) * length, until.getTime())),
  }));

function dayPartWindows({ from, until }: TimeWindow, minutes: { from: number; until: number }, timeZone: string): TimeWindow[] {
  const days = splitWindow({ from, until: new Date(until.getTime() + dayMs) }, dayMs).map((one) => dayIn(timeZone, one.from));
  return [...new Set(days)]
    .map((day) => ({
      from: new Date(Math.max(from.getTime(), instantIn(timeZone, day, minutes.from).getTime())),
      until: new Date(Math.min(until.getTime(), instantIn(timeZone, day, minutes.until).getTime())),
    }))
    .filter((one) => one.from < one.until);
}
