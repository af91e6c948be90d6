import { AppError } from "@vitaline/core";
import type { RunResult, Run } from "../sdk/run.ts";
import { calendarFor, findOpenSlots, spreadSlots } from "../scheduling/open-slots.ts";
import type { OpenSlot } from "../scheduling/calendar.ts";
import type { Input, Output } from "./schema.ts";
import { dayIn, instantIn, requireWithinTwoYears } from "../spoken/local-time.ts";
import { dayFrom } from "../spoken/when/read-day.ts";
import { isGeneralService } from "../scheduling/services.ts";

type Wish = Pick<Input, "date" | "timeOfDay" | "practitioner" | "service">;

export async function find(run: Run, wish: Wish): Promise<RunResult<Output>> {
  const { timeZone } = run;
  const wishedDay = wish.date === undefined ? undefined : dayFrom(wish.date, timeZone, run.ctx.clock());
  if (wish.date !== undefined && wishedDay === undefined)
    throw new AppError("invalid_arguments", "The date is not understood.", { fields: { date: "with the month by its name" } });
  if (wishedDay !== undefined) requireWithinTwoYears(run, instantIn(timeZone, wishedDay, 0), "date");
  const notBefore = wishedDay === undefined ? undefined : instantIn(timeZone, wishedDay, 0);
  // Without a stated need, specialists are offered only if no one else is free.
  const isUndecided = wish.service === undefined && wish.practitioner === undefined;
  const isPreferred = isUndecided ? ({ service }: OpenSlot) => isGeneralService(service) : undefined;
  const { open, searchedUntil } = await findOpenSlots(run, wish, { notBefore, isPreferred });
  const onDay = wishedDay === undefined ? open : open.filter(({ start }) => dayIn(timeZone, new Date(start)) === wishedDay);
  const slots = spreadSlots(onDay.length > 0 ? onDay : open, timeZone);
  const unknown = open.length === 0 ? await unknownIn(run, wish) : undefined;
  const otherDays = wishedDay !== undefined && onDay.length === 0;
  const searched = {
    ...(notBefore ? { from: notBefore.toISOString() } : {}),
    ...(searchedUntil ? { until: searchedUntil.toISOString() } : {}),
  };
  return { output: { result: "found", slots, otherDays, ...searched, ...(unknown ? { unknown } : {}) }, detail: { action: "find" } };
}

async function unknownIn(run: Run, { practitioner, service }: Wish): Promise<"practitioner" | "service" | undefined> {
  if (practitioner === undefined && service === undefined) return undefined;
  return calendarFor(await run.ehr.strategy({ signal: run.signal })).unmatched(run, { practitioner, service });
}
