import { openingOn } from "@vitaline/offices";
import type { Run, RunResult } from "../sdk/run.ts";
import { rememberOffers } from "../scheduling/offered-slots.ts";
import { calendarFor, findOpenSlots, nearestSlots, spreadSlots } from "../scheduling/open-slots.ts";
import type { CalendarQuery, OpenSlot } from "../scheduling/calendar.ts";
import { isOnDay, readRequest } from "../scheduling/requested-time.ts";
import type { Input, Output, TimeOption } from "./schema.ts";
import { dayIn, instantIn, requireWithinTwoYears } from "../spoken/local-time.ts";
import type { DateRange } from "../spoken/when/draft/draft.ts";
import type { Reading } from "../spoken/when/draft/reading.ts";
import { isGeneralService } from "../scheduling/services.ts";

type SlotQuery = Pick<Input, "date" | "time" | "timeOfDay" | "practitioner" | "service">;

export async function find(run: Run, request: SlotQuery): Promise<RunResult<Output>> {
  const { timeZone } = run;
  const readings = readRequest(run, request);
  const [reading, ...otherReadings] = readings ?? [];
  if (readings && (!reading || otherReadings.length > 0)) return askForTime(readings, "find");
  const { dates = [], time, window } = reading ?? {};
  const [firstDay] = dates.map(({ from }) => from).toSorted();
  const notBefore = firstDay === undefined ? undefined : instantIn(timeZone, firstDay, 0);
  if (notBefore) requireWithinTwoYears(run, notBefore, "date");
  const { practitioner, service } = request;
  const query = { practitioner, service };
  const search = (minutes = window) =>
    findOpenSlots(run, query, {
      notBefore,
      minutes,
      // Without a stated need, specialists are offered only if no one else is free.
      isPreferred: service === undefined && practitioner === undefined ? (slot) => isGeneralService(slot.service) : undefined,
      // The days of one period come first; others have to be looked for.
      isWantedDay: reading && dates.length > 1 ? (day) => isOnDay(reading, day) : undefined,
      ...(time === undefined ? {} : { minCount: minNearTime }),
    });
  const inWindow = await search();
  const isOtherTime = window !== undefined && inWindow.open.length === 0 && inWindow.searchedUntil === undefined;
  const { open, searchedUntil } = isOtherTime ? await search(allDay) : inWindow;
  const onDay = reading ? open.filter(({ start }) => isOnDay(reading, dayIn(timeZone, new Date(start)))) : open;
  const slots = chooseSlots(run, onDay.length > 0 ? onDay : open, time);
  const unknown = open.length === 0 ? await unknownIn(run, query) : undefined;
  const closedOn = onDay.length === 0 ? closedDay(run, dates) : undefined;
  const remembered = rememberOffers(run, slots);
  return {
    output: {
      result: "found",
      slots,
      otherDays: dates.length > 0 && onDay.length === 0,
      ...(notBefore ? { from: notBefore.toISOString() } : {}),
      ...(searchedUntil ? { until: searchedUntil.toISOString() } : {}),
      ...(unknown ? { unknown } : {}),
      ...(isOtherTime && slots.length > 0 ? { otherTimes: true as const } : {}),
      ...(closedOn ? { closedOn } : {}),
    },
    detail: { action: "find" },
    afterAudit: () => remembered,
  };
}

/** Enough to have the ones nearest to the requested time. */
const minNearTime = 12;
const allDay = { from: 0, until: 24 * 60 };

function chooseSlots({ timeZone }: Run, open: OpenSlot[], time: number | undefined): OpenSlot[] {
  const [first] = open;
  if (!first || time === undefined) return spreadSlots(open, timeZone);
  return nearestSlots(open, timeZone, instantIn(timeZone, dayIn(timeZone, new Date(first.start)), time));
}

/** The one requested day, if the clinic is closed on it. */
export function closedDay({ hours }: Pick<Run, "hours">, [range, ...others]: readonly DateRange[]): string | undefined {
  const isOneDay = range !== undefined && others.length === 0 && range.from === range.until;
  return isOneDay && !openingOn(hours, range.from) ? range.from : undefined;
}

/** Asks which of the readings is meant, or for the time where there is none. */
export const askForTime = (readings: readonly Reading[], action: "find" | "book" | "reschedule"): RunResult<Output> => ({
  output: {
    result: "ask",
    // Periods of a day are not said as one of two times.
    options: (readings.some(({ window }) => window) ? [] : readings).map(({ dates: [range] = [], time }): TimeOption => ({
      ...(range ? { from: range.from, ...(range.until === undefined ? {} : { until: range.until }) } : {}),
      ...(time === undefined ? {} : { time }),
    })),
  },
  code: "invalid_arguments",
  detail: { action },
});

async function unknownIn(run: Run, { practitioner, service }: CalendarQuery): Promise<"practitioner" | "service" | undefined> {
  if (practitioner === undefined && service === undefined) return undefined;
  return calendarFor(await run.ehr.strategy({ signal: run.signal })).unmatched(run, { practitioner, service });
}
