import * as z from "zod/mini";
import { dayIn, dayMs, errorFields } from "@vitaline/core";
import type { ServerBehavior } from "@vitaline/fhir-providers";
import { type CallOffersRow, keys, update } from "@vitaline/store";
import { partsIn } from "../nlu/calendar.ts";
import { matchesPlace } from "../nlu/who/read-place.ts";
import { referencedId } from "../patient/chart.ts";
import type { Run } from "../sdk/run.ts";
import { isUsualDoctor, matchesDoctor, matchesService } from "./matching.ts";
import { findAndBook } from "./find-and-book.ts";
import { fitsReading, interpretTime, type TimeRequest } from "./requested-time.ts";
import {
  type FreeSlots,
  type Gender,
  OpenSlot,
  type SlotCriteria,
  type SlotFilter,
  type SlotSource,
  type UsualDoctors,
} from "./slot-source.ts";
import { slotsAndPost } from "./slots-and-post.ts";

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

const ordinals = [
  ["first", "1st", "one", "1", "primera", "primero", "primer", "uno", "una"],
  ["second", "2nd", "two", "2", "segunda", "segundo", "dos"],
  ["third", "3rd", "three", "3", "tercera", "tercero", "tercer", "tres"],
  ["fourth", "4th", "four", "4", "cuarta", "cuarto", "cuatro"],
  ["fifth", "5th", "five", "5", "quinta", "quinto", "cinco"],
  ["sixth", "6th", "six", "6", "sexta", "sexto", "seis"],
  ["seventh", "7th", "seven", "7", "séptima", "séptimo", "septima", "septimo", "siete"],
  ["eighth", "8th", "eight", "8", "octava", "octavo", "ocho"],
  ["ninth", "9th", "nine", "9", "novena", "noveno", "nueve"],
  ["tenth", "10th", "ten", "10", "décima", "décimo", "decima", "decimo", "diez"],
];
const last = ["last", "última", "ultima", "último", "ultimo"];
const fillers = new Set([
  ...["the", "one", "option", "number", "offer", "offered", "slot", "time", "please"],
  ...["la", "el", "opción", "opcion", "número", "numero", "hora", "horario", "por", "favor"],
]);

/** "the second one", "2", "la última" as an index; -1 for the last. */
function readOrdinal(text: string): number | undefined {
  const words = text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  const telling = words.filter((one) => !fillers.has(one));
  // "Option one" and "number one": without another word "one" is the first.
  const [word, ...others] = telling.length > 0 ? telling : words.filter((one) => one === "one");
  if (word === undefined || others.length > 0) return undefined;
  if (last.includes(word)) return -1;
  const at = ordinals.findIndex((names) => names.includes(word));
  return at < 0 ? undefined : at;
}

export const isOrdinal = (text: string): boolean => readOrdinal(text) !== undefined;

/** Longer than a call. */
const offersSeconds = 2 * 3600;

/**
 * Keeps the offers of an answer for the call, so that the caller can choose among them. `takenSlot`: one that the caller chose in vain and
 * may choose again; its start is empty if it is not known. Never throws. One write unit for the first offers.
 */
export async function rememberOffers({ ctx, call }: Run, slots: OpenSlot[], takenSlot?: OpenSlot): Promise<void> {
  if (slots.length === 0) return;
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + offersSeconds;
  const offered = new Set([...slots, ...(takenSlot ? [takenSlot] : [])].map((slot) => JSON.stringify(slot)));
  const write = update<CallOffersRow>(keys.callOffers(call.callKey), {
    set: { latest: slots.map(({ slotId }) => slotId), expiresAt },
    add: { offered },
  });
  await ctx.store.writeUnaudited(write).catch((error: unknown) => ctx.log("warn", "tool.offers_not_stored", errorFields(error)));
}

/** `latest`: the offers of the last answer, in its order. */
type Offers = { latest: OpenSlot[]; offered: OpenSlot[] };

export async function readOffers({ ctx, call }: Run): Promise<Offers | undefined> {
  const row = await ctx.store.get<CallOffersRow>(keys.callOffers(call.callKey));
  if (!row) return undefined;
  const offered = [...row.offered].map((slot) => z.parse(OpenSlot, JSON.parse(slot)));
  return { offered, latest: row.latest.flatMap((slotId) => offered.find((slot) => slot.slotId === slotId) ?? []) };
}

/** What the model passes on of the caller's choice. */
export type Choice = TimeRequest & {
  slotId?: string | undefined;
  practitioner?: string | undefined;
  acceptsAnyDoctor?: boolean;
  gender?: Gender | undefined;
  usualDoctors?: UsualDoctors | undefined;
  service?: string | undefined;
  location?: string | undefined;
};

/** `choose`: several offers fit, or none does; `isBeyond`: "the fifth one" of three. */
type Resolved = { slotId: string; start?: string; end?: string } | { choose: OpenSlot[]; isBeyond?: true };

/** undefined: the choice names a time that was not offered. */
export function resolveChoice(offers: Offers, choice: Choice, run: Pick<Run, "ctx" | "timeZone" | "hours">): Resolved | undefined {
  const readings = interpretTime(run, choice);
  const fits = (slot: OpenSlot): boolean =>
    (readings === undefined || readings.some((one) => fitsReading(one, slot, run.timeZone))) && isAsWished(slot, choice);
  return (choice.slotId === undefined ? undefined : bySlotId(offers, choice.slotId, choice, fits)) ?? byWords(offers, choice, fits);
}

const isAsWished = (slot: OpenSlot, { practitioner, gender, usualDoctors, location }: Choice): boolean =>
  (slot.practitioner === undefined || matchesDoctor([slot.practitioner], practitioner)) &&
  (slot.practitioner === undefined || !usualDoctors || isUsualDoctor(usualDoctors, { names: [slot.practitioner], references: [] })) &&
  (slot.gender === undefined || gender === undefined || slot.gender === gender) &&
  (slot.location === undefined || matchesPlace([slot.location, slot.city], location));

const namesTime = ({ start, date, time }: Choice): boolean => start !== undefined || (date !== undefined && time !== undefined);

/** By an offered id, or "the second one". undefined: neither, and the choice names a time. */
function bySlotId({ latest, offered }: Offers, given: string, choice: Choice, fits: (slot: OpenSlot) => boolean): Resolved | undefined {
  const slotId = referencedId(given, "Slot") ?? given;
  const known = offered.find((slot) => slot.slotId === slotId);
  const nth = known || slotId !== given ? undefined : readOrdinal(slotId);
  const named = known ?? (nth === undefined ? undefined : latest.at(nth));
  // What the caller said beside it must not contradict it.
  if (named) return fits(named) ? named : { choose: latest };
  if (namesTime(choice)) return undefined;
  return nth === undefined ? { choose: latest } : { choose: latest, isBeyond: true };
}

/** By what the caller said of time, doctor, place and service. */
function byWords({ latest }: Offers, choice: Choice, fits: (slot: OpenSlot) => boolean): Resolved | undefined {
  const { slotId, start, date, time, timeOfDay, practitioner, acceptsAnyDoctor, gender, usualDoctors, service, location } = choice;
  const isNothingSaid = [slotId, start, date, time, timeOfDay, practitioner, gender, usualDoctors, service, location].every(
    (one) => one === undefined,
  );
  if (isNothingSaid && !acceptsAnyDoctor) return { choose: latest };
  const inTime = latest.filter(fits);
  // A calendar may name a visit in other words than those by which it was found.
  const ofService = inTime.filter((slot) => matchesService([slot.service], service));
  // A doctor whose gender is not known may be meant if no other is.
  const fitting = ofService.length > 0 ? ofService : inTime;
  const ofGender = fitting.filter((slot) => slot.gender === gender);
  const all = gender !== undefined && ofGender.length > 0 ? ofGender : fitting;
  const [first] = all;
  if (!first) return namesTime(choice) ? undefined : { choose: latest };
  const isSameTime = all.every((slot) => Date.parse(slot.start) === Date.parse(first.start));
  return all.length === 1 || (isSameTime && acceptsAnyDoctor) ? first : { choose: all };
}
