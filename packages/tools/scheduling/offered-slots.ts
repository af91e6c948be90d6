import { errorFields } from "@vitaline/core";
import { type CallOffersRow, keys, type OfferedSlot, update } from "@vitaline/store";
import { referencedId } from "../sdk/references.ts";
import type { Run } from "../sdk/run.ts";
import type { OpenSlot } from "./calendar.ts";
import { fitsReading, readRequest, type TimeRequest } from "./requested-time.ts";
import { isAnyone, matchesService, matchesSpoken } from "./services.ts";

/** Longer than a call. */
const offersSeconds = 2 * 3600;

/**
 * Keeps the offers of an answer for the call, so that the caller can choose among them. `named`: a slot that the caller may name again.
 * Never throws. One write unit.
 */
export async function rememberOffers({ ctx, call }: Run, slots: OpenSlot[], named?: string): Promise<void> {
  if (slots.length === 0) return;
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + offersSeconds;
  const latest = slots.map((slot): OfferedSlot => JSON.parse(JSON.stringify(slot)) as OfferedSlot);
  const write = update<CallOffersRow>(keys.callOffers(call.callKey), {
    set: { latest, expiresAt },
    add: { slotIds: new Set([...slots.map(({ slotId }) => slotId), ...(named === undefined ? [] : [named])]) },
  });
  await ctx.store.writeUnaudited(write).catch((error: unknown) => ctx.log("warn", "tool.offers_not_kept", errorFields(error)));
}

export const readOffers = ({ ctx, call }: Run): Promise<CallOffersRow | undefined> => ctx.store.get(keys.callOffers(call.callKey));

/** What the model passes on of the caller's choice. */
export type Choice = TimeRequest & {
  slotId?: string | undefined;
  practitioner?: string | undefined;
  service?: string | undefined;
};

/** `choose`: several offers fit, or the named one was never offered. undefined: the choice names a time that was not offered. */
export function offerFor(
  { latest, slotIds }: CallOffersRow,
  choice: Choice,
  run: Pick<Run, "ctx" | "timeZone" | "hours">,
): { slotId: string; start?: string } | { choose: OpenSlot[] } | undefined {
  const { start, date, time, practitioner, service } = choice;
  const namesTime = start !== undefined || (date !== undefined && time !== undefined);
  const isDoctors = (slot: OpenSlot) => isAnyone(practitioner) || matchesSpoken([slot.practitioner], practitioner);
  if (choice.slotId !== undefined) {
    const slotId = referencedId(choice.slotId, "Slot") ?? choice.slotId;
    const named = latest.find((slot) => slot.slotId === slotId) ?? nthOffer(latest, choice.slotId);
    if (named) return isDoctors(named) ? named : { choose: latest };
    if (slotIds?.has(slotId)) return { slotId };
    if (!namesTime) return { choose: latest };
  }
  const readings = readRequest(run, choice);
  const fits = latest.filter(
    (slot) =>
      (readings === undefined || readings.some((one) => fitsReading(one, slot, run.timeZone))) &&
      isDoctors(slot) &&
      matchesService([slot.service], service),
  );
  const [first, ...others] = fits;
  if (first) return others.length === 0 || isAnyone(practitioner) ? first : { choose: fits };
  return namesTime ? undefined : { choose: latest };
}

const ordinals = [
  ["first", "1st", "one", "1", "primera", "primero", "uno", "una"],
  ["second", "2nd", "two", "2", "segunda", "segundo", "dos"],
  ["third", "3rd", "three", "3", "tercera", "tercero", "tres"],
];
const last = ["last", "última", "ultima", "último", "ultimo"];
const fillers = new Set(["the", "one", "option", "number", "offer", "slot", "la", "el", "opción", "opcion"]);

/** "the second one", "2", "la última". */
function nthOffer(latest: OpenSlot[], text: string): OpenSlot | undefined {
  const words = text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  const [word, ...others] = words.length === 1 ? words : words.filter((one) => !fillers.has(one));
  if (word === undefined || others.length > 0) return undefined;
  return last.includes(word) ? latest.at(-1) : latest[ordinals.findIndex((names) => names.includes(word))];
}
