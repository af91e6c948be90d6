import type { Slot } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import type { Wanted, Window } from "./calendar.ts";
import { dayIn, instantIn } from "../speech/spoken-time.ts";

const maxSlots = 200;

/** Of some days, for a server that does not tell the earliest first. */
const maxSlotsAtOnce = 400;

const dayMs = 86_400_000;

/** How far ahead appointments are looked for at once. */
export const checkedMs = 2 * dayMs;

export type InTime = () => boolean;

export type Ask = (window: Window, most: number, further: boolean) => Promise<Slot[]>;

/** Whole: what of the window starts before `until` was seen by now. */
type Part = { slots: Slot[]; until: Date };

/** Record systems that do not tell the earliest first, and until when that counts. */
const unsorted = new Map<string, number>();

const unsortedMs = 3_600_000;

const mostUnsorted = 5000;

/** Days that are asked for at once. */
const atOnce = 4;

/**
 * A server tells some at once, the earliest first where it sorts. Where it does not, two days and two days are asked for; where only a part
 * of the day is wanted and the first ones are none, that part of each day.
 */
export async function* partsOf(run: Run, { from, until }: Window, { minutes }: Wanted, ask: Ask, isTimely: InTime): AsyncGenerator<Part> {
  const { ctx, ehr, timeZone } = run;
  const nowMs = ctx.clock().getTime();
  let next = from;
  let isFirst = true;
  const more = (window: Window, most = maxSlotsAtOnce): Promise<Slot[]> => {
    const further = !isFirst;
    isFirst = false;
    return ask(window, most, further);
  };
  if ((unsorted.get(ehr.providerId) ?? 0) <= nowMs) {
    for (;;) {
      const slots = await more({ from: next, until }, maxSlots);
      if (slots.length < maxSlots) return yield { slots, until };
      const starts = slots.map(({ start }) => Date.parse(start));
      const last = starts.at(-1) ?? 0;
      if (!starts.every((start, index) => index === 0 || start >= (starts[index - 1] ?? 0))) {
        if (unsorted.size >= mostUnsorted) unsorted.clear();
        unsorted.set(ehr.providerId, nowMs + unsortedMs);
        break;
      }
      // More at one moment than are told at once
      if (last <= next.getTime()) break;
      next = new Date(last);
      yield { slots, until: next };
      if (!isTimely()) return;
      if (minutes) break;
    }
    if (!isTimely()) return;
  }
  const days = minutes ? partsOfDays({ from: next, until }, minutes, timeZone) : stretches({ from: next, until }, checkedMs);
  for (let index = 0; index < days.length; index += minutes ? atOnce : 1) {
    if (index > 0 && !isTimely()) return;
    const some = days.slice(index, index + (minutes ? atOnce : 1));
    const slots = (await Promise.all(some.map((day) => more(day)))).flat();
    const end = days[index + some.length]?.from ?? until;
    if (minutes || slots.length < maxSlotsAtOnce) yield { slots, until: end };
    else
      for (const day of stretches(some[0] ?? { from: next, until }, dayMs)) {
        if (!isTimely()) return;
        yield { slots: await more(day), until: day.until };
      }
  }
}

const stretches = ({ from, until }: Window, length: number): Window[] =>
  Array.from({ length: Math.ceil((until.getTime() - from.getTime()) / length) }, (_, index) => ({
    from: new Date(from.getTime() + index * length),
    until: new Date(Math.min(from.getTime() + (index + 1) * length, until.getTime())),
  }));

/** That part of each day of the window. */
function partsOfDays({ from, until }: Window, minutes: { from: number; until: number }, timeZone: string): Window[] {
  const days = stretches({ from, until: new Date(until.getTime() + dayMs) }, dayMs).map((one) => dayIn(timeZone, one.from));
  return [...new Set(days)]
    .map((day) => ({
      from: new Date(Math.max(from.getTime(), instantIn(timeZone, day, minutes.from).getTime())),
      until: new Date(Math.min(until.getTime(), instantIn(timeZone, day, minutes.until).getTime())),
    }))
    .filter((one) => one.from < one.until);
}
