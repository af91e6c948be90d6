import { outcomeSignalsOf, isCutShort, isFailedRun } from "@vitaline/calls";
import { awaitAllThenThrow } from "@vitaline/core";
import { keys, update, type CallRow, type Condition, type TenantContext, type ToolRunRow, type Write } from "@vitaline/store";

const maxRuns = 500;
const runsOf = async ({ store, tenantId }: TenantContext, { callKey }: CallRow): Promise<ToolRunRow[]> =>
  (await store.query<ToolRunRow>(keys.tenantPartitions.callItems(tenantId, callKey), { prefix: "RUN#", limit: maxRuns })).rows;

/**
 * The write that fills in what a call's outcome follows from, where the call is older than these fields; events/project then corrects the totals by
 * the difference; undefined where nothing is missing. What the runs do not show is written as `false`, so that they are read once. An erased call has
 * no runs any more and stays as it was counted; one that changes meanwhile is left for the next time.
 */
export async function missingEvidence(ctx: TenantContext, row: CallRow): Promise<Write | undefined> {
  if (!isMissing(row)) return undefined;
  const runs = await awaitAllThenThrow(
    (await runsOf(ctx, row)).map(async (run) => outcomeSignalsOf({ ...run, outcome: await routingOf(ctx, run) })),
  );
  const evidence = {
    helped: row.helped === true || runs.some(({ helped }) => helped),
    // Also known from the platform's events.
    soughtStaff: row.soughtStaff === true || runs.some(({ soughtStaff }) => soughtStaff),
    cutShort: row.endedReason === undefined ? undefined : isCutShort(row.endedReason),
    hasSignals: true,
  };
  return update<CallRow>(keys.call(row.callKey), { set: evidence }, { exists: true, ...isAsRead(row) });
}

function isAsRead({ helped, soughtStaff }: CallRow): Condition {
  const found = Object.entries({ helped, soughtStaff });
  return {
    equals: Object.fromEntries(found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    absent: ["erasedAt", ...found.flatMap(([name, value]) => (value === undefined ? [name] : []))],
  };
}

/** A late event marks an older call, whose runs of before are then still to be read. */
const isMissing = ({ hasSignals, toolsUsed, helped }: CallRow): boolean => !hasSignals || (toolsUsed !== undefined && helped === undefined);

/** A run's row does not hold how the call was routed; its audit row does, in the category that depends on the run's input. */
async function routingOf({ store }: TenantContext, { id, at, tool }: ToolRunRow): Promise<string | undefined> {
  if (tool !== "logRoutingEvent") return undefined;
  const month = at.slice(0, "yyyy-mm".length);
  const rows = await awaitAllThenThrow(
    (["api_call", "patient_access"] as const).map((category) => store.get(keys.audit(month, category, id))),
  );
  const outcome = rows.find((row) => row !== undefined)?.detail?.["outcome"];
  return typeof outcome === "string" ? outcome : undefined;
}

/**
 * The write that fills in whether a tool failed and which ones, where the call is older than these fields. `false` is written too, so
 * that the runs are read once. Undefined where nothing is missing.
 */
export async function missingFailedTools(ctx: TenantContext, row: CallRow): Promise<Write | undefined> {
  if (row.toolsUsed === undefined || row.toolFailed === false || row.failedTools !== undefined) return undefined;
  const failedTools = new Set((await runsOf(ctx, row)).filter(isFailedRun).map(({ tool }) => tool));
  const toolFailed = failedTools.size > 0;
  const change = toolFailed ? { set: { toolFailed }, add: { failedTools } } : { setOnce: { toolFailed } };
  return update<CallRow>(keys.call(row.callKey), change, { exists: true, absent: ["erasedAt"] });
}
