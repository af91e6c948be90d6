import { RoutingOutcome, RoutingReason, type RoutingCount } from "@vitaline/contract";
import type { CallRow } from "@vitaline/store";
import * as z from "zod/mini";

/** Numbers that a fact adds to a row of totals. */
export type Counts = Readonly<Record<string, number>>;

export const totalRow = "TOTAL";
const dayPrefix = "DAY#";
/** Days are UTC: a total must stay findable when a tenant changes its time zone. */
export const dayRow = (instant: string): string => `${dayPrefix}${instant.slice(0, 10)}`;
export const dateOfDayRow = (row: string): string => row.slice(-"yyyy-mm-dd".length);
/** What is billed for a UTC month (`yyyy-mm`). */
export const monthRow = (instant: string): string => `MONTH#${instant.slice(0, "yyyy-mm".length)}`;
/** The same rows for one office, beside those of the tenant; its numbers are part of the tenant's. */
export const officeRow = (officeId: string, row: string): string => (row === totalRow ? `OFFICE#${officeId}` : `OFFICE#${officeId}#${row}`);

/** Every row of a tenant's totals that something enters which happened at this instant, and perhaps in an office. */
export const rowsOf = (instant: string, officeId: string | undefined): string[] => {
  const rows = [totalRow, dayRow(instant)];
  return officeId === undefined ? rows : [...rows, ...rows.map((row) => officeRow(officeId, row))];
};

export const isResolved = ({ status, forwarded, success }: Pick<CallRow, "status" | "forwarded" | "success">): boolean =>
  status === "completed" && !forwarded && success !== false;

export type CountedCall = Pick<CallRow, "status" | "forwarded" | "success" | "durationSeconds" | "countedAt">;

/** A call counts from its end on; successful is completed, resolved is successful, never forwarded and not marked unsuccessful. */
export function countsOfCall(call: CountedCall): Counts {
  if (call.countedAt === undefined) return {};
  const { durationSeconds = 0 } = call;
  const resolved = isResolved(call);
  return {
    totalCalls: 1,
    successfulCalls: Number(call.status === "completed"),
    resolvedCalls: Number(resolved),
    forwardedCalls: Number(call.forwarded),
    durationSeconds,
    durationCalls: Number(call.durationSeconds !== undefined),
    resolvedSeconds: resolved ? durationSeconds : 0,
  };
}

/** What a call adds to the bill of the month in which this became known. */
export const countsForBill = ({ totalCalls = 0, durationSeconds = 0 }: Counts): Counts => ({ totalCalls, durationSeconds });

const runs = "tool_";
const goodRuns = "toolok_";

/** A tool run, and the appointment if it booked one. */
export const countsOfToolRun = ({ tool, success, booked }: { tool: string; success: boolean; booked: boolean }): Counts => ({
  [`${runs}${tool}`]: 1,
  [`${goodRuns}${tool}`]: Number(success),
  revenueEvents: Number(success && booked),
});

/** The runs of each tool in a row of totals, and how many of them went well. */
export const toolsIn = (totals: Counts): { tool: string; count: number; succeeded: number }[] =>
  Object.entries(totals)
    .filter(([name]) => name.startsWith(runs))
    .map(([name, count]) => ({ tool: name.slice(runs.length), count, succeeded: totals[`${goodRuns}${name.slice(runs.length)}`] ?? 0 }));

const routed = "routed_";
const between = ":";

/** A call that went to staff, or was to. */
export const countsOfRouting = ({ reason, outcome }: Pick<RoutingCount, "reason" | "outcome">): Counts => ({
  [`${routed}${reason}${between}${outcome}`]: 1,
});

/** Which way calls went in a row of totals. */
export const routingIn = (totals: Counts): RoutingCount[] =>
  Object.entries(totals).flatMap(([name, count]) => {
    if (!name.startsWith(routed)) return [];
    const [reason, outcome] = name.slice(routed.length).split(between);
    const known = z.safeParse(z.object({ reason: RoutingReason, outcome: RoutingOutcome }), { reason, outcome }).data;
    return known ? [{ ...known, count }] : [];
  });
