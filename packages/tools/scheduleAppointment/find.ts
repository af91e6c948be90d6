import { allDone, AppError } from "@vitaline/core";
import type { Schedule, Slot } from "fhir/r4.js";
import type { Ran, Run } from "../define-tool.ts";
import type { Input, TimeOfDay } from "./input.ts";
import { dayFrom, dayIn, instantIn, partsIn, requireSoon } from "./local-time.ts";
import type { OpenSlot, Output } from "./output.ts";
import { findSchedules, idIn, placeOf } from "./schedules.ts";

const offered = 3;
const windowDays = 14;
const maxSlots = 200;
const dayMs = 86_400_000;
/** Nobody gets to a clinic sooner. */
const noticeMs = 30 * 60_000;

const hours: Record<TimeOfDay, readonly [from: number, to: number]> = { morning: [0, 12], afternoon: [12, 17], evening: [17, 24] };

type Wish = Pick<Input, "date" | "timeOfDay" | "practitioner" | "service">;

export async function find(run: Run, wish: Wish): Promise<Ran<Output>> {
  const { timeZone } = run.tenant;
  const wishedDay = wish.date === undefined ? undefined : dayFrom(wish.date, timeZone, run.ctx.clock());
  if (wish.date !== undefined && wishedDay === undefined)
    throw new AppError("invalid_arguments", "The date is not understood.", { fields: { date: "with the month by its name" } });
  if (wishedDay !== undefined) requireSoon(run, instantIn(timeZone, wishedDay, 0), "date");
  const open = await openSlots(run, wish, wishedDay === undefined ? undefined : instantIn(timeZone, wishedDay, 0));
  const onDay = wishedDay === undefined ? open : open.filter(({ start }) => dayIn(timeZone, new Date(start)) === wishedDay);
  const slots = spread(onDay.length > 0 ? onDay : open, timeZone);
  return { output: { result: "found", slots, otherDays: wishedDay !== undefined && onDay.length === 0 }, detail: { action: "find" } };
}

/** Free slots of two weeks, the earliest first. AppError `ehr_unsupported` for a server without a slot search. */
export async function openSlots(run: Run, wish: Omit<Wish, "date">, notBefore?: Date): Promise<OpenSlot[]> {
  const { ehr, signal, ctx, tenant } = run;
  if (!(await ehr.capability({ signal })).supports("Slot", "search-type"))
    throw new AppError("ehr_unsupported", "The record system has no search for slots.");
  const from = new Date(Math.max(ctx.clock().getTime() + noticeMs, notBefore?.getTime() ?? 0));
  const window = {
    status: "free",
    start: [`ge${from.toISOString()}`, `lt${new Date(from.getTime() + windowDays * dayMs).toISOString()}`],
    _sort: "start",
    _count: "100",
  };
  const search = (more: Record<string, string>) => ehr.search<Slot>("Slot", { ...window, ...more }, { signal, maxResources: maxSlots });
  const anybody = wish.practitioner === undefined && wish.service === undefined;
  const [schedules, early] = await allDone([findSchedules(run, wish), anybody ? search({}) : undefined]);
  const slots = early ?? (schedules.length > 0 ? await search({ schedule: schedules.map(({ id }) => `Schedule/${id}`).join(",") }) : []);
  const bySchedule = new Map(schedules.map((schedule) => [schedule.id, schedule]));
  const [fromHour, toHour] = wish.timeOfDay ? hours[wish.timeOfDay] : [0, 24];
  return slots
    .filter(({ status, start, resourceType }) => resourceType === "Slot" && status === "free" && Date.parse(start) >= from.getTime())
    .filter(({ start }) => {
      const { hour } = partsIn(tenant.timeZone, new Date(start));
      return hour >= fromHour && hour < toHour;
    })
    .toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start))
    .flatMap((slot) => describe(slot, bySchedule.get(idIn(slot.schedule.reference, "Schedule"))));
}

const describe = (slot: Slot, schedule: Schedule | undefined): OpenSlot[] => {
  const service = slot.serviceType?.[0]?.text ?? slot.serviceType?.[0]?.coding?.[0]?.display;
  return slot.id === undefined
    ? []
    : [{ slotId: slot.id, start: slot.start, end: slot.end, ...placeOf(schedule?.actor ?? []), ...(service ? { service } : {}) }];
};

/** Three to choose from, in order: one for each half of a day before a second one of the same, and no two at the same time. */
export function spread(open: OpenSlot[], timeZone: string): OpenSlot[] {
  const different = [...new Map(open.toReversed().map((slot) => [slot.start, slot])).values()].toReversed();
  const halfDay = ({ start }: OpenSlot): string => {
    const { month, day, hour } = partsIn(timeZone, new Date(start));
    return `${month}/${day} ${hour < 12}`;
  };
  const firsts = [...new Map(different.toReversed().map((slot) => [halfDay(slot), slot])).values()].toReversed().slice(0, offered);
  const more = different.filter((slot) => !firsts.includes(slot));
  return [...firsts, ...more].slice(0, offered).toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start));
}
