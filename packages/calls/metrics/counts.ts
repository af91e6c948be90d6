import { RoutingOutcome, RoutingReason, type RoutingCount } from "@vitaline/contract";
import type { CallRow } from "@vitaline/store";
import * as z from "zod/mini";
import { isAbandoned, isResolved, type OutcomeFacts } from "../events/outcome.ts";

export type Counts = Readonly<Record<string, number>>;

export const totalSortKey = "TOTAL";
const dayPrefix = "DAY#";
/** Of a date, or of an instant's UTC day. */
export const daySortKey = (instant: string): string => `${dayPrefix}${instant.slice(0, 10)}`;
export const dateFromDaySortKey = (row: string): string => row.slice(-"yyyy-mm-dd".length);
/** `yyyy-mm` of a date, or of an instant's UTC day. */
export const monthOf = (instant: string): string => instant.slice(0, "yyyy-mm".length);
/** Billed usage of a UTC month. */
export const monthSortKey = (instant: string): string => `MONTH#${monthOf(instant)}`;
/** An office's row; the tenant's row includes its numbers. */
export const officeSortKey = (officeId: string, row: string): string =>
  row === totalSortKey ? `OFFICE#${officeId}` : `OFFICE#${officeId}#${row}`;

/**
 * All rows of totals that an occurrence on this day, and in this office, is added to. The day is that of the tenant's time zone; when
 * the tenant changes the zone, the days counted before stay as they are.
 */
export const statsSortKeysFor = (day: string, officeId: string | undefined): string[] => {
  const rows = [totalSortKey, daySortKey(day)];
  return officeId === undefined ? rows : [...rows, ...rows.map((row) => officeSortKey(officeId, row))];
};

export type CountedCall = OutcomeFacts & Pick<CallRow, "durationSeconds" | "endSeenAt">;

/** Nothing until the call has ended. */
export function countsOfCall(call: CountedCall): Counts {
  if (call.endSeenAt === undefined) return {};
  const { durationSeconds = 0 } = call;
  const resolved = isResolved(call);
  return {
    totalCalls: 1,
    successfulCalls: Number(call.status === "completed"),
    resolvedCalls: Number(resolved),
    forwardedCalls: Number(call.forwarded),
    abandonedCalls: Number(isAbandoned(call)),
    durationSeconds,
    durationCalls: Number(call.durationSeconds !== undefined),
    resolvedSeconds: resolved ? durationSeconds : 0,
  };
}

/**
 * Billed in the month in which the end of the call became known. `isOfEarlierMonth`: the call was in a month before; its seconds are
 * counted once more by themselves, to tell why the bill is above the calls of its month.
 */
export const countsForBill = ({ totalCalls = 0, durationSeconds = 0 }: Counts, isOfEarlierMonth: boolean): Counts => ({
  totalCalls,
  durationSeconds,
  ...(isOfEarlierMonth && { earlierSeconds: durationSeconds }),
});

const runPrefix = "tool_";
const successPrefix = "toolok_";

/** A tool run; an appointment that it booked counts as a revenue event. */
export const countsOfToolRun = ({ tool, success, booked }: { tool: string; success: boolean; booked: boolean }): Counts => ({
  [`${runPrefix}${tool}`]: 1,
  [`${successPrefix}${tool}`]: Number(success),
  revenueEvents: Number(success && booked),
});

export const parseToolCounts = (totals: Counts): { tool: string; count: number; succeeded: number }[] =>
  Object.entries(totals)
    .filter(([name]) => name.startsWith(runPrefix))
    .map(([name, count]) => ({
      tool: name.slice(runPrefix.length),
      count,
      succeeded: totals[`${successPrefix}${name.slice(runPrefix.length)}`] ?? 0,
    }));

const routingPrefix = "routed_";
const routingSeparator = ":";

export const countsOfRouting = ({ reason, outcome }: Pick<RoutingCount, "reason" | "outcome">): Counts => ({
  [`${routingPrefix}${reason}${routingSeparator}${outcome}`]: 1,
});

export const parseRoutingCounts = (totals: Counts): RoutingCount[] =>
  Object.entries(totals).flatMap(([name, count]) => {
    if (!name.startsWith(routingPrefix)) return [];
    const [reason, outcome] = name.slice(routingPrefix.length).split(routingSeparator);
    const known = z.safeParse(z.object({ reason: RoutingReason, outcome: RoutingOutcome }), { reason, outcome }).data;
    return known ? [{ ...known, count }] : [];
  });
