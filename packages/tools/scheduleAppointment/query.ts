import type { Run } from "../sdk/run.ts";
import type { SlotCriteria, OpenSlot, Unmatched } from "../scheduling/slot-source.ts";
import { slotSourceOf } from "../scheduling/open-slots.ts";
import { isForGeneralVisit, isGeneralService, isKindOfVisit, possibleServices } from "../scheduling/services.ts";
import { usualDoctors } from "../scheduling/usual-doctors.ts";
import type { Input, Instead } from "./schema.ts";

export type Asked = Pick<Input, "practitioner" | "gender" | "isUsualDoctor" | "service" | "location">;

/** What to search for; who the usual doctor is costs up to two requests. */
export async function queryOf(run: Run, asked: Asked): Promise<SlotCriteria> {
  const { practitioner, gender, isUsualDoctor, service, location } = asked;
  return { practitioner, gender, usual: isUsualDoctor ? await usualDoctors(run) : undefined, service, location };
}

/** Without a stated need, specialists are offered only if no one else is free. */
export const preferenceOf = ({ service, practitioner, schedule }: SlotCriteria): ((slot: OpenSlot) => boolean) | undefined =>
  [service, practitioner, schedule].every((one) => one === undefined) ? (slot) => isGeneralService(slot.service) : undefined;

/** `instead`: what the caller is told of it. */
export type Alternative = { query: SlotCriteria; instead?: Instead };

/** What else to search for when there is nothing, in this order. */
export function alternativesTo(query: SlotCriteria, unmatched: Unmatched | undefined): Alternative[] {
  const { gender, usual, service, location } = query;
  const anyDoctor = { ...query, gender: undefined, usual: undefined };
  switch (unmatched?.term) {
    case "practitioner":
      return [];
    case "service":
      if (service === undefined || !isForGeneralVisit(service)) return [];
      return [{ query: { ...query, service: undefined }, ...(isKindOfVisit(service) ? {} : { instead: "service" as const }) }];
    case "location":
      return unmatched.places?.length ? [] : [{ query: { ...query, location: undefined }, instead: "noPlaces" }];
    case "gender":
      return [{ query: anyDoctor, instead: "gender" }];
    case undefined:
      return [
        ...(gender || usual ? [{ query: anyDoctor, instead: gender ?? ("usual" as const) }] : []),
        ...(location === undefined ? [] : [{ query: { ...query, location: undefined }, instead: "location" as const }]),
      ];
  }
}

export const unmatchedIn = async (run: Run, query: SlotCriteria): Promise<Unmatched | undefined> =>
  Object.values(query).every((one) => one === undefined)
    ? undefined
    : slotSourceOf(await run.ehr.behavior({ signal: run.signal })).unmatched(run, query);

/** The specialties that the clinic has, where the caller's words mean more than one of them. */
export async function servicesToAsk(run: Run, service: string | undefined): Promise<string[]> {
  const possible = service === undefined ? [] : possibleServices(service);
  if (possible.length < 2) return [];
  const slotSource = slotSourceOf(await run.ehr.behavior({ signal: run.signal }));
  const unmatched = await Promise.all(possible.map((one) => slotSource.unmatched(run, { service: one })));
  const known = possible.filter((_, nth) => unmatched[nth] === undefined);
  return known.length < 2 ? [] : known;
}
