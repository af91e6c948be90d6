import { setFileRetention } from "@vitaline/aws";
import { retentionEnds, contentFiles } from "@vitaline/calls";
import type { Retention } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import {
  expiresAfter,
  keys,
  rowsOf,
  update,
  type CallRow,
  type LeadRow,
  type MessageRow,
  type RetainedPart,
  type TaskRow,
  type TenantContext,
  type ToolRunRow,
} from "@vitaline/store";
import { projectedWrite, stateOfCall, stateOfLead, stateOfTask, type SourceState } from "@vitaline/tasks";
import type { Key } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { missingEvidence, missingFailedTools } from "./missing-evidence.ts";

export type RetainContext = TenantContext & PlatformContext;

export type ExpiringRow = { expiresAt?: number };

/** The files of a page of rows, and the tool runs of its calls, which are no page of their own. */
export type Applied = { files: number; runs: number };

/** One kind of rows, in the order of `sortKeyOf`. `apply` updates a page of them. */
export type RetentionTarget = {
  name: RetainedPart;
  partition: string;
  index?: "gsi1";
  sortKeyOf: (row: ExpiringRow) => string;
  apply: (rows: readonly ExpiringRow[]) => Promise<Applied>;
};

const parallelWrites = 10;
const nothing: Applied = { files: 0, runs: 0 };

/** Every kind of rows with a retention period. Message rows that so far consist of a receipt keep their own expiry. */
export function targetsOf(ctx: RetainContext, retention: Retention): RetentionTarget[] {
  const { calls, leads, messages } = retention;
  const partition = keys.tenantPartitions;
  return [
    {
      ...target<CallRow>(
        "calls",
        partition.calls(ctx.tenantId),
        ({ gsi1sk }) => gsi1sk,
        async (row) => {
          const evidence = await missingEvidence(ctx, row);
          if (evidence) await ctx.platform.writeUnaudited(evidence);
          else await addToDo(ctx, stateOfCall(row));
          const failedTools = await missingFailedTools(ctx, row);
          if (failedTools) await ctx.platform.writeUnaudited(failedTools);
          return applyToCall(ctx, row, retention);
        },
      ),
      index: "gsi1",
    },
    {
      ...target<CallRow>(
        "erased",
        partition.erasedCalls(ctx.tenantId),
        ({ gsi1sk }) => gsi1sk,
        (row) => applyToErasedCall(ctx, row, retention),
      ),
      index: "gsi1",
    },
    {
      ...target<ToolRunRow>(
        "runs",
        partition.runs(ctx.tenantId),
        ({ gsi1sk }) => gsi1sk,
        expiringAfter(({ callKey, id }) => keys.toolRun(callKey, id), calls),
      ),
      index: "gsi1",
    },
    target<LeadRow>(
      "leads",
      partition.leads(ctx.tenantId),
      ({ id }) => id,
      expiringAfter(({ id }) => keys.lead(id), leads, stateOfLead),
    ),
    target<TaskRow>(
      "tasks",
      partition.tasks(ctx.tenantId),
      ({ id }) => id,
      expiringAfter(({ id }) => keys.task(id), leads, stateOfTask),
    ),
    target(
      "messages",
      partition.messages(ctx.tenantId),
      ({ id }: MessageRow) => id,
      expiringAfter(({ id }) => keys.message(id), messages),
    ),
  ];

  function expiringAfter<Row extends ExpiringRow & { at?: string }>(
    keyOf: (row: Row) => Key<Row>,
    days: number,
    stateOf?: (row: Row) => SourceState,
  ) {
    return async (row: Row): Promise<Applied> => {
      if (stateOf) await addToDo(ctx, stateOf(row));
      if (row.at !== undefined) await setExpiry(ctx, keyOf(row), row, expiresAfter(row.at, days));
      return nothing;
    };
  }
}

/** Open work of before the list of work existed; what is on it already stays as it is. */
const addToDo = async ({ platform, tenantId }: RetainContext, state: SourceState | undefined): Promise<void> => {
  if (state && state.doneAt === undefined) await platform.writeUnaudited({ ...projectedWrite(tenantId, state), when: { exists: false } });
};

const target = <Row extends ExpiringRow>(
  name: RetainedPart,
  partition: string,
  sortKeyOf: (row: Row) => string | undefined,
  applyTo: (row: Row) => Promise<Applied>,
): RetentionTarget => ({
  name,
  partition,
  // A message row that so far consists of a receipt has no id.
  sortKeyOf: (row) => sortKeyOf(row as Row) ?? "",
  async apply(rows) {
    let applied = nothing;
    for (let at = 0; at < rows.length; at += parallelWrites)
      for (const { files, runs } of await awaitAllThenThrow(rows.slice(at, at + parallelWrites).map((row) => applyTo(row as Row))))
        applied = { files: applied.files + files, runs: applied.runs + runs };
    return applied;
  },
});

/** The condition prevents recreating a row that was deleted meanwhile. */
const setExpiry = async ({ platform }: RetainContext, key: Key<ExpiringRow>, row: ExpiringRow, expiresAt: number): Promise<void> => {
  if (row.expiresAt !== expiresAt) await platform.writeUnaudited(update<ExpiringRow>(key, { set: { expiresAt } }, { exists: true }));
};

/** The tool runs of a call that are in no index. Returns their number. */
const applyToRuns = async (ctx: RetainContext, { callKey }: CallRow, { calls }: Retention): Promise<number> => {
  const partition = keys.tenantPartitions.callItems(ctx.tenantId, callKey);
  let runs = 0;
  for await (const run of rowsOf<ToolRunRow>(ctx.store, partition, { prefix: "RUN#" }))
    if (run.gsi1pk === undefined) {
      await setExpiry(ctx, keys.toolRun(callKey, run.id), run, expiresAfter(run.at, calls));
      runs += 1;
    }
  return runs;
};

/** A call, its tool runs and its files. Texts that have expired stay expired, because their files are deleted or about to be. */
const applyToCall = async (ctx: RetainContext, row: CallRow, retention: Retention): Promise<Applied> => {
  const ends = retentionEnds(row, retention);
  const textsExpired = row.textsUntil !== undefined && row.textsUntil * 1000 <= ctx.clock().getTime();
  const textsUntil = textsExpired ? row.textsUntil : ends.textsUntil;
  const runs = await applyToRuns(ctx, row, retention);
  if (row.expiresAt === ends.expiresAt && row.textsUntil === textsUntil)
    return { files: textsExpired ? 0 : contentFiles(row).length, runs };
  // Files first: until the row is updated, a later invocation repeats them.
  const updated = textsExpired
    ? []
    : await awaitAllThenThrow(contentFiles(row).map(({ key }) => setFileRetention(key, retention.transcripts)));
  // A call erased meanwhile is handled among the erased calls.
  const isCall = { exists: true, absent: ["erasedAt"] };
  await ctx.platform.writeUnaudited(update<CallRow>(keys.call(row.callKey), { set: { expiresAt: ends.expiresAt, textsUntil } }, isCall));
  return { files: updated.filter(Boolean).length, runs };
};

/** A call without its content; a late run may have been added to it since. */
const applyToErasedCall = async (ctx: RetainContext, row: CallRow, retention: Retention): Promise<Applied> => {
  const runs = await applyToRuns(ctx, row, retention);
  await setExpiry(ctx, keys.call(row.callKey), row, retentionEnds(row, retention).expiresAt);
  return { files: 0, runs };
};
