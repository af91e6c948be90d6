import { dayIn } from "@vitaline/core";
import { openingOn } from "@vitaline/offices";
import { instantIn, isWithinTwoYears } from "../nlu/calendar.ts";
import type { DateRange } from "../nlu/when/parse-state/parse-state.ts";
import type { TimeReading } from "../nlu/when/parse-state/reading.ts";
import { patientIdOf } from "../patient/chart.ts";
import { hasOwnVisitAt } from "../scheduling/appointments.ts";
import { findOpenSlots, nearestSlots, rememberOffers, slotSourceOf, spreadSlots } from "../scheduling/offers.ts";
import { exactStart, interpretTime, isOnDay } from "../scheduling/requested-time.ts";
import { isForGeneralVisit, isGeneralService, isKindOfVisit, possibleServices } from "../scheduling/matching.ts";
import type { FreeSlots, OpenSlot, SlotCriteria, Unmatched, UsualDoctors } from "../scheduling/slot-source.ts";
import { findUsualDoctors } from "../scheduling/usual-doctors.ts";
import type { Run, RunResult } from "../sdk/run.ts";
import { maxSpoken } from "../speech/phrasing.ts";
import type { Input, Instead, Output, TimeOption } from "./schema.ts";
import { differ } from "./speak-appointments.ts";

type SlotQuery = VisitWishes & Pick<Input, "date" | "time" | "timeOfDay">;

export async function find(run: Run, request: SlotQuery): Promise<RunResult<Output>> {
  const { timeZone } = run;
  const readings = interpretTime(run, request);
  const [reading, ...otherReadings] = readings ?? [];
  if (readings && (!reading || otherReadings.length > 0)) return askForTime(readings, "find");
  const { dates = [], time, window } = reading ?? {};
  const [firstDay] = dates.map(({ from }) => from).toSorted();
  const notBefore = firstDay === undefined ? undefined : instantIn(timeZone, firstDay, 0);
  if (notBefore && !isWithinTwoYears(run, notBefore)) return askForTime([], "find", true);
  const exactly = reading && exactStart(reading, timeZone);
  const services = await servicesToAsk(run, request.service);
  if (services.length > 0) return askForService(services);
  const searchAt = (query: SlotCriteria, minutes = window) =>
    findOpenSlots(run, query, {
      notBefore,
      minutes,
      isPreferred: generalServicePreference(query),
      // The days of one period come first; others have to be looked for.
      isWantedDay: reading && dates.length > 1 ? (day) => isOnDay(reading, day) : undefined,
      ...(time === undefined ? {} : { minCount: minNearTime, exactly }),
    });
  const search = async (query: SlotCriteria) => {
    const inWindow = await searchAt(query);
    const isOtherTime = window !== undefined && inWindow.slots.length === 0 && inWindow.searchedUntil === undefined;
    return { ...(isOtherTime ? await searchAt(query, allDay) : inWindow), isOtherTime };
  };
  const query = await slotCriteriaOf(run, request);
  const { slots: open, searchedUntil, isOtherTime, instead, unmatched } = await searchOrElse(run, query, search);
  const onDay = reading ? open.filter(({ start }) => isOnDay(reading, dayIn(timeZone, new Date(start)))) : open;
  const atTime = exactly && open.find(({ start }) => Date.parse(start) === exactly.getTime());
  const slots = atTime ? [atTime] : chooseSlots(run, onDay.length > 0 ? onDay : open, time);
  const isAskedKnown = atTime !== undefined || (slots.length > 0 && exactly && (searchedUntil === undefined || searchedUntil > exactly));
  const closedOn = onDay.length === 0 ? closedDay(run, dates) : undefined;
  const remembered = rememberOffers(run, slots);
  return {
    output: {
      result: "found",
      slots,
      otherDays: dates.length > 0 && onDay.length === 0,
      ...(notBefore ? { from: notBefore.toISOString() } : {}),
      ...(searchedUntil ? { until: searchedUntil.toISOString() } : {}),
      ...unknownTerm(unmatched),
      ...withInstead(instead ?? (request.wantsUsualDoctor && !query.usualDoctors ? "noUsual" : undefined)),
      ...(isOtherTime && slots.length > 0 ? { otherTimes: true as const } : {}),
      ...(closedOn ? { closedOn } : {}),
      ...(exactly && isAskedKnown ? { asked: askedTime(run, exactly, atTime, open) } : {}),
      ...(run.state?.bookingLimit && slots.length > 0 ? { limit: run.state.bookingLimit } : {}),
    },
    ...(request.wantsUsualDoctor ? { patientId: patientIdOf(run) } : {}),
    detail: { action: "find" },
    afterAudit: () => remembered,
  };
}

const askedTime = (run: Run, exactly: Date, atTime: OpenSlot | undefined, open: readonly OpenSlot[]) => ({
  start: exactly.toISOString(),
  isOpen: atTime !== undefined,
  ...(!atTime && hasOwnVisitAt(run, exactly) ? { isOwn: true as const } : {}),
  ...(differ(open.map(({ location }) => location)) ? { hasPlaces: true as const } : {}),
  ...(run.state?.patientId ? {} : { needsIdentity: true as const }),
});

/** Enough to have the ones nearest to the requested time. */
const minNearTime = 12;
const allDay = { from: 0, until: 24 * 60 };

function chooseSlots({ timeZone }: Run, open: OpenSlot[], time: number | undefined): OpenSlot[] {
  const [first] = open;
  if (!first || time === undefined) return spreadSlots(open, timeZone);
  return nearestSlots(open, timeZone, instantIn(timeZone, dayIn(timeZone, new Date(first.start)), time));
}

/** The one requested day, if the clinic is closed on that weekday; a holiday does not count. */
export function closedDay({ hours }: Pick<Run, "hours">, [range, ...others]: readonly DateRange[]): string | undefined {
  const isOneDay = range !== undefined && others.length === 0 && range.from === range.until;
  return isOneDay && !openingOn({ ...hours, holidays: [] }, range.from) ? range.from : undefined;
}

/** Asks which of the readings is meant, or for the time where there is none. */
export const askForTime = (
  readings: readonly TimeReading[],
  action: "find" | "book" | "reschedule",
  isTooFar = false,
): RunResult<Output> => ({
  output: {
    result: "ask",
    // Periods of a day are not said as one of two times.
    options: (readings.some(({ window }) => window) ? [] : readings).map(({ dates: [range] = [], time }): TimeOption => ({
      ...(range ? { from: range.from, ...(range.until === undefined ? {} : { until: range.until }) } : {}),
      ...(time === undefined ? {} : { time }),
    })),
    ...(isTooFar ? { isTooFar } : {}),
  },
  code: "invalid_arguments",
  detail: { action },
});

const askForService = (services: string[]): RunResult<Output> => ({
  output: { result: "whichService", services },
  code: "invalid_arguments",
  detail: { action: "find" },
});

export const withInstead = (instead: Instead | undefined): { instead?: Instead } => (instead ? { instead } : {});

type Found = FreeSlots & { isOtherTime: boolean };

/** Searches with looser criteria if nothing is found, unless the clinic does not have what the caller names. */
async function searchOrElse(
  run: Run,
  query: SlotCriteria,
  search: (query: SlotCriteria) => Promise<Found>,
): Promise<Found & { instead?: Instead | undefined; unmatched?: Unmatched | undefined }> {
  const found = await search(query);
  if (found.slots.length > 0) return found;
  const unmatched = await unmatchedIn(run, query);
  const alternatives = alternativesTo(query, unmatched);
  for (const { query: other, instead } of alternatives) {
    const others = await search(other);
    if (others.slots.length > 0) return { ...others, instead };
  }
  return { ...found, unmatched: alternatives.length === 0 ? unmatched : undefined };
}

const unknownTerm = (unmatched: Unmatched | undefined) =>
  !unmatched || unmatched.term === "gender"
    ? {}
    : { unknown: unmatched.term, ...(unmatched.places ? { places: unmatched.places.slice(0, maxSpoken) } : {}) };

export type VisitWishes = Pick<Input, "practitioner" | "gender" | "wantsUsualDoctor" | "service" | "location">;

/** An appointment that is moved: who it is with, and what for. */
export type VisitToMove = { id: string | undefined; doctors?: UsualDoctors; service?: string };

/** Who the usual doctor is costs up to two requests. */
export async function slotCriteriaOf(run: Run, asked: VisitWishes): Promise<SlotCriteria> {
  const { practitioner, gender, wantsUsualDoctor, service, location } = asked;
  return { practitioner, gender, usualDoctors: wantsUsualDoctor ? await findUsualDoctors(run) : undefined, service, location };
}

/** A visit that is moved stays with its doctor; where that is not known, it stays what it is for. */
export const withVisitToMove = (query: SlotCriteria, moved: VisitToMove | undefined): SlotCriteria =>
  moved?.doctors ? { ...query, usualDoctors: query.usualDoctors ?? moved.doctors } : { ...query, service: query.service ?? moved?.service };

/** Without a stated need, specialists are offered only if no one else is free. */
export const generalServicePreference = ({
  service,
  practitioner,
  usualDoctors,
  schedule,
}: SlotCriteria): ((slot: OpenSlot) => boolean) | undefined =>
  [service, practitioner, usualDoctors, schedule].every((one) => one === undefined) ? (slot) => isGeneralService(slot.service) : undefined;

/** `instead`: what these times lack of what the caller asked for. */
export type Alternative = { query: SlotCriteria; instead?: Instead };

/** What else to search for when there is nothing, in this order. */
export function alternativesTo(query: SlotCriteria, unmatched: Unmatched | undefined): Alternative[] {
  const { gender, usualDoctors, service, location } = query;
  const anyDoctor = { ...query, gender: undefined, usualDoctors: undefined };
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
        ...(gender || usualDoctors ? [{ query: anyDoctor, instead: gender ?? ("usual" as const) }] : []),
        ...(location === undefined ? [] : [{ query: { ...query, location: undefined }, instead: "location" as const }]),
      ];
  }
}

const unmatchedIn = async (run: Run, query: SlotCriteria): Promise<Unmatched | undefined> =>
  Object.values(query).every((one) => one === undefined)
    ? undefined
    : slotSourceOf(await run.ehr.behavior({ signal: run.signal })).unmatched(run, query);

/** The specialties that the clinic has, where the caller's words mean more than one of them. */
async function servicesToAsk(run: Run, service: string | undefined): Promise<string[]> {
  const possible = service === undefined ? [] : possibleServices(service);
  if (possible.length < 2) return [];
  const slotSource = slotSourceOf(await run.ehr.behavior({ signal: run.signal }));
  const unmatched = await Promise.all(possible.map((one) => slotSource.unmatched(run, { service: one })));
  const known = possible.filter((_, nth) => unmatched[nth] === undefined);
  return known.length < 2 ? [] : known;
}
