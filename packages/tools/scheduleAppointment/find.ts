import { AppError } from "@vitaline/core";
import type { Ran, Run } from "../define-tool.ts";
import { calendarFor } from "./calendar.ts";
import type { Input, TimeOfDay } from "./input.ts";
import { dayFrom, dayIn, instantIn, partsIn, requireSoon } from "./local-time.ts";
import type { OpenSlot, Output } from "./output.ts";
import { isGeneral } from "./services.ts";

const offered = 3;
const windowDays = 14;
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
  const meant = onDay.length > 0 ? onDay : open;
  const slots = spread(wish.service === undefined && wish.practitioner === undefined ? generalFirst(meant) : meant, timeZone);
  const unknown = open.length === 0 ? await unknownIn(run, wish) : undefined;
  const otherDays = wishedDay !== undefined && onDay.length === 0;
  return { output: { result: "found", slots, otherDays, ...(unknown ? { unknown } : {}) }, detail: { action: "find" } };
}

/** Whoever has not said what for is offered a specialist only where there is nobody else. */
const generalFirst = (open: OpenSlot[]): OpenSlot[] => {
  const general = open.filter(({ service }) => isGeneral(service));
  return general.length > 0 ? general : open;
};

async function unknownIn(run: Run, { practitioner, service }: Wish): Promise<"practitioner" | "service" | undefined> {
  if (practitioner === undefined && service === undefined) return undefined;
  return calendarFor(await run.ehr.strategy({ signal: run.signal })).unknown(run, { practitioner, service });
}

/** Free times of two weeks, the earliest first. AppError `ehr_unsupported` for a server without a search for them. */
export async function openSlots(run: Run, { timeOfDay, ...whom }: Omit<Wish, "date">, notBefore?: Date): Promise<OpenSlot[]> {
  const { ehr, signal, ctx, tenant } = run;
  const calendar = calendarFor(await ehr.strategy({ signal }));
  const from = new Date(Math.max(ctx.clock().getTime() + noticeMs, notBefore?.getTime() ?? 0));
  const until = new Date(from.getTime() + windowDays * dayMs);
  const [fromHour, toHour] = timeOfDay ? hours[timeOfDay] : [0, 24];
  const offers = await calendar.offers(run, whom, { from, until }, ({ start }) => {
    const { hour } = partsIn(tenant.timeZone, new Date(start));
    return Date.parse(start) >= from.getTime() && hour >= fromHour && hour < toHour;
  });
  return offers.toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start));
}

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
