import { AppError } from "@vitaline/core";
import type { RunResult, Run } from "../sdk/run.ts";
import { rememberOffers } from "../scheduling/offered-slots.ts";
import { calendarFor, findOpenSlots, spreadSlots } from "../scheduling/open-slots.ts";
import type { OpenSlot } from "../scheduling/calendar.ts";
import type { Input, Output } from "./schema.ts";
import { dayIn, instantIn, requireWithinTwoYears } from "../spoken/local-time.ts";
import { dayFrom } from "../spoken/when/read-day.ts";
import { isAnyone, isGeneralService } from "../scheduling/services.ts";

type SlotQuery = Pick<Input, "date" | "timeOfDay" | "practitioner" | "service">;

export async function find(run: Run, request: SlotQuery): Promise<RunResult<Output>> {
  const { timeZone } = run;
  const requestedDay = request.date === undefined ? undefined : dayFrom(request.date, timeZone, run.ctx.clock());
  if (request.date !== undefined && requestedDay === undefined)
    throw new AppError("invalid_arguments", "The date could not be understood.", { fields: { date: "with the month spelled out" } });
  if (requestedDay !== undefined) requireWithinTwoYears(run, instantIn(timeZone, requestedDay, 0), "date");
  const notBefore = requestedDay === undefined ? undefined : instantIn(timeZone, requestedDay, 0);
  // Without a stated need, specialists are offered only if no one else is free.
  const isUndecided = request.service === undefined && (request.practitioner === undefined || isAnyone(request.practitioner));
  const isPreferred = isUndecided ? ({ service }: OpenSlot) => isGeneralService(service) : undefined;
  const practitioner = isAnyone(request.practitioner) ? undefined : request.practitioner;
  const query = { ...request, practitioner };
  const { open, searchedUntil } = await findOpenSlots(run, query, { notBefore, isPreferred });
  const onDay = requestedDay === undefined ? open : open.filter(({ start }) => dayIn(timeZone, new Date(start)) === requestedDay);
  const slots = spreadSlots(onDay.length > 0 ? onDay : open, timeZone);
  const unknown = open.length === 0 ? await unknownIn(run, query) : undefined;
  const otherDays = requestedDay !== undefined && onDay.length === 0;
  const searched = {
    ...(notBefore ? { from: notBefore.toISOString() } : {}),
    ...(searchedUntil ? { until: searchedUntil.toISOString() } : {}),
  };
  const remembered = rememberOffers(run, slots);
  return {
    output: { result: "found", slots, otherDays, ...searched, ...(unknown ? { unknown } : {}) },
    detail: { action: "find" },
    afterAudit: () => remembered,
  };
}

async function unknownIn(run: Run, { practitioner, service }: SlotQuery): Promise<"practitioner" | "service" | undefined> {
  if (practitioner === undefined && service === undefined) return undefined;
  return calendarFor(await run.ehr.strategy({ signal: run.signal })).unmatched(run, { practitioner, service });
}
