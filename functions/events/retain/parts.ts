import { keepFileFor } from "@vitaline/aws";
import { endsOf, filesOf } from "@vitaline/calls";
import type { Retention } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import {
  endAfter,
  keys,
  update,
  type CallRow,
  type LeadRow,
  type MessageRow,
  type RetainedPart,
  type TaskRow,
  type ToolRunRow,
} from "@vitaline/store";
import type { Key } from "@vitaline/store/keys.ts";
import type { RetainContext } from "./apply.ts";

/** Any row that has an end. */
export type Retained = { expiresAt?: number };

/** One kind of rows: where they lie in order, and how a page of them is put under the periods; how many files that were. */
export type Part = {
  name: RetainedPart;
  partition: string;
  index?: "gsi1";
  placeOf: (row: Retained) => string;
  apply: (rows: readonly Retained[]) => Promise<number>;
};

/** How many rows are written at a time. */
const atOnce = 10;

/** Every kind of rows that a tenant's periods end; messages of which only a receipt has come so far have an end of their own. */
export function partsOf(ctx: RetainContext, retention: Retention): Part[] {
  const { calls, leads, messages } = retention;
  const partition = keys.tenantPartitions;
  return [
    {
      ...part<CallRow>(
        "calls",
        partition.calls(ctx.tenantId),
        ({ gsi1sk }) => gsi1sk,
        (row) => keepCall(ctx, row, retention),
      ),
      index: "gsi1",
    },
    {
      ...part<CallRow>(
        "erased",
        partition.erasedCalls(ctx.tenantId),
        ({ gsi1sk }) => gsi1sk,
        (row) => keepErasedCall(ctx, row, retention),
      ),
      index: "gsi1",
    },
    {
      ...part<ToolRunRow>(
        "runs",
        partition.runs(ctx.tenantId),
        ({ gsi1sk }) => gsi1sk,
        stamped(({ callKey, id }) => keys.toolRun(callKey, id), calls),
      ),
      index: "gsi1",
    },
    part<LeadRow>(
      "leads",
      partition.leads(ctx.tenantId),
      ({ id }) => id,
      stamped(({ id }) => keys.lead(id), leads),
    ),
    part(
      "tasks",
      partition.tasks(ctx.tenantId),
      ({ id }: TaskRow) => id,
      stamped(({ id }) => keys.task(id), leads),
    ),
    part(
      "messages",
      partition.messages(ctx.tenantId),
      ({ id }: MessageRow) => id,
      stamped(({ id }) => keys.message(id), messages),
    ),
  ];

  function stamped<Row extends Retained & { at?: string }>(keyOf: (row: Row) => Key<Row>, days: number) {
    return async (row: Row): Promise<number> => {
      if (row.at !== undefined) await stamp(ctx, keyOf(row), row, endAfter(row.at, days));
      return 0;
    };
  }
}

const part = <Row extends Retained>(
  name: RetainedPart,
  partition: string,
  placeOf: (row: Row) => string | undefined,
  keep: (row: Row) => Promise<number>,
): Part => ({
  name,
  partition,
  // Of a message that a receipt alone tells of there is no id
  placeOf: (row) => placeOf(row as Row) ?? "",
  async apply(rows) {
    let files = 0;
    for (let at = 0; at < rows.length; at += atOnce) {
      const counts = await allDone(rows.slice(at, at + atOnce).map((row) => keep(row as Row)));
      files += counts.reduce((sum, count) => sum + count, 0);
    }
    return files;
  },
});

/** A row that went meanwhile does not come back. */
const stamp = async ({ platform }: RetainContext, key: Key<Retained>, row: Retained, expiresAt: number): Promise<void> => {
  if (row.expiresAt !== expiresAt) await platform.note(update<Retained>(key, { set: { expiresAt } }, { exists: true }));
};

/** A call, and the files of what was said in it. Texts that are over stay over: their files are gone, or about to go. */
const keepCall = async (ctx: RetainContext, row: CallRow, retention: Retention): Promise<number> => {
  const ends = endsOf(row, retention);
  const areOver = row.textsUntil !== undefined && row.textsUntil * 1000 <= ctx.clock().getTime();
  const textsUntil = areOver ? row.textsUntil : ends.textsUntil;
  if (row.expiresAt === ends.expiresAt && row.textsUntil === textsUntil) return areOver ? 0 : filesOf(row).length;
  // Files first: while the row says otherwise, the next invocation does them again.
  const kept = areOver ? [] : await allDone(filesOf(row).map(({ key }) => keepFileFor(key, retention.transcripts)));
  // One that is erased meanwhile has no texts any more; it follows among those
  const isCall = { exists: true, absent: ["erasedAt"] };
  await ctx.platform.note(update<CallRow>(keys.call(row.callKey), { set: { expiresAt: ends.expiresAt, textsUntil } }, isCall));
  return kept.filter(Boolean).length;
};

/** A call whose content was erased: its row alone is left. */
const keepErasedCall = async (ctx: RetainContext, row: CallRow, retention: Retention): Promise<number> => {
  await stamp(ctx, keys.call(row.callKey), row, endsOf(row, retention).expiresAt);
  return 0;
};
