import { isFailedRun } from "@vitaline/calls";
import { keys, update, type CallRow, type TenantContext, type ToolRunRow, type Write } from "@vitaline/store";

const maxRuns = 500;

/**
 * The write that fills in whether a tool failed, where the call is older than this field. `false` is written too, so that the runs are
 * read once. Undefined where nothing is missing.
 */
export async function missingToolFailed({ store, tenantId }: TenantContext, row: CallRow): Promise<Write | undefined> {
  if (row.toolsUsed === undefined || row.toolFailed !== undefined) return undefined;
  const partition = keys.tenantPartitions.callItems(tenantId, row.callKey);
  const { rows } = await store.query<ToolRunRow>(partition, { prefix: "RUN#", limit: maxRuns });
  const change = { set: { toolFailed: rows.some(isFailedRun) } };
  return update<CallRow>(keys.call(row.callKey), change, { exists: true, absent: ["erasedAt", "toolFailed"] });
}
