import { errorFields } from "@vitaline/core";
import { type CallOffersRow, keys, update } from "@vitaline/store";
import * as z from "zod/mini";
import { referencedId } from "../patient/chart.ts";
import type { Run } from "../sdk/run.ts";
import { matchesPlace } from "../nlu/who/read-place.ts";
import { type Gender, OpenSlot, type UsualDoctors } from "./slot-source.ts";
import { isUsualDoctor, matchesDoctor } from "./doctors.ts";
import { fitsReading, interpretTime, type TimeRequest } from "./requested-time.ts";
import { matchesService } from "./services.ts";

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

export const isPlaceInList = (text: string): boolean => readOrdinal(text) !== undefined;

/** Longer than a call. */
const offersSeconds = 2 * 3600;

/**
 * Keeps the offers of an answer for the call, so that the caller can choose among them. `named`: a slot that was offered elsewhere and
 * may be named again; its start is empty if it is not known. Never throws. One write unit for the first offers.
 */
export async function rememberOffers({ ctx, call }: Run, slots: OpenSlot[], named?: OpenSlot): Promise<void> {
  if (slots.length === 0) return;
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + offersSeconds;
  const offered = new Set([...slots, ...(named ? [named] : [])].map((slot) => JSON.stringify(slot)));
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
  isAnyDoctor?: boolean;
  gender?: Gender | undefined;
  usual?: UsualDoctors | undefined;
  service?: string | undefined;
  location?: string | undefined;
};

/** `choose`: several offers fit, or none does; `isBeyond`: "the fifth one" of three. */
type Resolved = { slotId: string; start?: string } | { choose: OpenSlot[]; isBeyond?: true };

/** undefined: the choice names a time that was not offered. */
export function resolveChoice(offers: Offers, choice: Choice, run: Pick<Run, "ctx" | "timeZone" | "hours">): Resolved | undefined {
  const readings = interpretTime(run, choice);
  const fits = (slot: OpenSlot): boolean =>
    (readings === undefined || readings.some((one) => fitsReading(one, slot, run.timeZone))) && isAsWished(slot, choice);
  return (choice.slotId === undefined ? undefined : bySlotId(offers, choice.slotId, choice, fits)) ?? byWords(offers, choice, fits);
}

const isAsWished = (slot: OpenSlot, { practitioner, gender, usual, location }: Choice): boolean =>
  (slot.practitioner === undefined || matchesDoctor([slot.practitioner], practitioner)) &&
  (slot.practitioner === undefined || !usual || isUsualDoctor(usual, { names: [slot.practitioner], references: [] })) &&
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
  const { slotId, start, date, time, timeOfDay, practitioner, isAnyDoctor, gender, usual, service, location } = choice;
  const isNothingSaid = [slotId, start, date, time, timeOfDay, practitioner, gender, usual, service, location].every(
    (one) => one === undefined,
  );
  if (isNothingSaid && !isAnyDoctor) return { choose: latest };
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
  return all.length === 1 || (isSameTime && isAnyDoctor) ? first : { choose: all };
}
