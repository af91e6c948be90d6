import { contentFiles, isFailedRun, otherPartyOf, readContent } from "@vitaline/calls";
import { errorFields, isAppError } from "@vitaline/core";
import { keys, update, type CallRow, type TenantContext, type ToolRunRow, type Write } from "@vitaline/store";

const maxRuns = 500;

export type MissingFacts = { write: Write; numberRead: boolean };

/**
 * The write that fills in what a call is found by, where the call is older than these fields: whether a tool failed, and the keyed hash of
 * the number that is not the clinic's, which its sealed file has. A fact that is not there is written too, so that it is looked for once. Undefined
 * where nothing is missing.
 */
export async function missingFacts(ctx: TenantContext, row: CallRow): Promise<MissingFacts | undefined> {
  const [toolFailed, number] = [await readToolFailed(ctx, row), await readNumber(ctx, row)];
  if (toolFailed === undefined && number === undefined) return undefined;
  const set = { toolFailed, ...number };
  const absent = Object.entries(set).flatMap(([name, value]) => (value === undefined ? [] : [name as keyof CallRow]));
  const write = update<CallRow>(keys.call(row.callKey), { set }, { exists: true, absent: ["erasedAt", ...absent] });
  return { write, numberRead: number !== undefined };
}

async function readToolFailed({ store, tenantId }: TenantContext, row: CallRow): Promise<boolean | undefined> {
  if (row.toolsUsed === undefined || row.toolFailed !== undefined) return undefined;
  const partition = keys.tenantPartitions.callItems(tenantId, row.callKey);
  const { rows } = await store.query<ToolRunRow>(partition, { prefix: "RUN#", limit: maxRuns });
  return rows.some(isFailedRun);
}

/** A file that cannot be read keeps no other call from its retention period. */
async function readNumber(
  ctx: TenantContext,
  row: CallRow,
): Promise<Pick<CallRow, "hasNumber" | "numberHash" | "numberEnding"> | undefined> {
  if (row.numberHash !== undefined || row.hasNumber !== undefined || contentFiles(row).length === 0) return undefined;
  try {
    const { content, removedAt } = await readContent(ctx, row);
    if (removedAt !== undefined) return undefined;
    return otherPartyOf(ctx.tenantId, { ...content, direction: row.direction }) ?? { hasNumber: false };
  } catch (error) {
    if (isAppError(error, "unavailable")) throw error;
    ctx.log("warn", "retention.number_unread", { tenantId: ctx.tenantId, ...errorFields(error) });
    return undefined;
  }
}
