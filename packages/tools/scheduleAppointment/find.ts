import { dayIn } from "@vitaline/core";
import { openingOn } from "@vitaline/offices";
import type { Run, RunResult } from "../sdk/run.ts";
import { rememberOffers } from "../scheduling/offered-slots.ts";
import { hasOwnVisitAt } from "../scheduling/appointments.ts";
import { findOpenSlots, nearestSlots, spreadSlots } from "../scheduling/open-slots.ts";
import type { SlotCriteria, FreeSlots, OpenSlot, Unmatched } from "../scheduling/slot-source.ts";
import { exactStart, isOnDay, interpretTime } from "../scheduling/requested-time.ts";
import { patientIdOf } from "../patient/own-patient.ts";
import { maxSpoken } from "../speech/say-list.ts";
import { type Asked, alternativesTo, preferenceOf, queryOf, servicesToAsk, unmatchedIn } from "./query.ts";
import type { Input, Instead, Output, TimeOption } from "./schema.ts";
import { differ } from "./speak-appointments.ts";
import { instantIn, isWithinTwoYears } from "../nlu/local-time.ts";
import type { DateRange } from "../nlu/when/parse-state/parse-state.ts";
import type { TimeReading } from "../nlu/when/parse-state/reading.ts";

type SlotQuery = Asked & Pick<Input, "date" | "time" | "timeOfDay">;

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
      isPreferred: preferenceOf(query),
      // The days of one period come first; others have to be looked for.
      isWantedDay: reading && dates.length > 1 ? (day) => isOnDay(reading, day) : undefined,
      ...(time === undefined ? {} : { minCount: minNearTime, exactly }),
    });
  const search = async (query: SlotCriteria) => {
    const inWindow = await searchAt(query);
    const isOtherTime = window !== undefined && inWindow.slots.length === 0 && inWindow.searchedUntil === undefined;
    return { ...(isOtherTime ? await searchAt(query, allDay) : inWindow), isOtherTime };
  };
  const query = await queryOf(run, request);
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
      ...withInstead(instead ?? (request.isUsualDoctor && !query.usual ? "noUsual" : undefined)),
      ...(isOtherTime && slots.length > 0 ? { otherTimes: true as const } : {}),
      ...(closedOn ? { closedOn } : {}),
      ...(exactly && isAskedKnown ? { asked: askedTime(run, exactly, atTime, open) } : {}),
      ...(run.state?.bookingLimit && slots.length > 0 ? { limit: run.state.bookingLimit } : {}),
    },
    ...(request.isUsualDoctor ? { patientId: patientIdOf(run) } : {}),
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
