import type { CallRow } from "@vitaline/store";

/** Numbers that a fact adds to a row of totals. */
export type Counts = Readonly<Record<string, number>>;

export const totalRow = "TOTAL";
const dayPrefix = "DAY#";
/** Days are UTC: a total must stay findable when a tenant changes its time zone. */
export const dayRow = (instant: string): string => `${dayPrefix}${instant.slice(0, 10)}`;

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
