import { isAppError } from "@vitaline/core";
import { keys, pagesOf, retentionOf, update, type RetainedPart, type RetentionRunRow, type TenantContext } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { partsOf, type Part, type Retained } from "./parts.ts";

export type RetainContext = TenantContext & PlatformContext;

/** What is left of the invocation when it stops, for the probe to have it gone on with. */
const reserveMs = 30_000;
const perPage = 100;

/** Another invocation has taken it over, or another request has taken its place. */
const superseded = new Error("This is applied elsewhere");
const outOfTime = new Error("The rest is for the next invocation");

/**
 * Applies the tenant's present periods to all that is stored of it: each row gets its end, and each file of a call the rule by which
 * the bucket deletes it. Page by page; begun again, it goes on where it was, and what stands right already is left alone. Audited once,
 * when all is done. Ends without a trace where `id` is not the tenant's last request any more, or where it is done.
 */
export async function applyRetention(ctx: RetainContext, id: string): Promise<void> {
  try {
    const run = await begin(ctx, id);
    // Read now: at least as new as the request.
    const retention = retentionOf(await ctx.store.get(keys.tenantConfig()));
    const parts = partsOf(ctx, retention);
    const first = run.part === undefined ? 0 : parts.findIndex(({ name }) => name === run.part);
    let { rows = 0, files = 0, after } = run;
    for (const part of parts.slice(first)) {
      for await (const done of pagesBehind(ctx, part, after)) {
        rows += done.rows;
        files += done.files;
        await save(ctx, id, { part: part.name, after: done.last, rows, files });
      }
      after = undefined;
    }
    await finish(ctx, id, { ...retention, rows, files });
  } catch (error) {
    if (error === outOfTime) return void (await release(ctx, id));
    if (error !== superseded) throw error;
    ctx.log("info", "retention.superseded", { tenantId: ctx.tenantId });
  }
}

type Done = { rows: number; files: number; last: string };

/** Each page of a part behind a sort key, done. */
async function* pagesBehind(ctx: RetainContext, { partition, index, placeOf, apply }: Part, after: string | undefined) {
  // What follows next on a key begins with a zero byte
  const range = { limit: perPage, ...(index && { index }), ...(after !== undefined && { from: `${after}\u0000` }) };
  for await (const rows of pagesOf<Retained>(ctx.store, partition, range)) {
    if (ctx.deadline.remainingMs() < reserveMs) throw outOfTime;
    const last = rows.at(-1);
    if (last) yield { rows: rows.length, files: await apply(rows), last: placeOf(last) } satisfies Done;
  }
}

/** Takes the request over, also from an invocation that has died. */
const begin = async (ctx: RetainContext, id: string): Promise<RetentionRunRow> => {
  const run = await noteOf(ctx, { owner: ctx.requestId }, { equals: { id }, absent: ["doneAt"] });
  if (!run) throw superseded;
  return run;
};

type Progress = { part: RetainedPart; after: string; rows: number; files: number };
const save = async (ctx: RetainContext, id: string, progress: Progress): Promise<void> => {
  if (!(await noteOf(ctx, progress, { equals: { id, owner: ctx.requestId } }))) throw superseded;
};

const noteOf = (ctx: RetainContext, set: Partial<RetentionRunRow>, when: Parameters<typeof update>[2]) =>
  ctx.store.note<RetentionRunRow>(
    update<RetentionRunRow>(keys.retentionRun(), { set: { ...set, heartbeatAt: ctx.clock().toISOString() } }, when),
  );

/** Lets the probe begin it again at once. */
const release = (ctx: RetainContext, id: string) =>
  ctx.store.note(update<RetentionRunRow>(keys.retentionRun(), { remove: ["heartbeatAt"] }, { equals: { id, owner: ctx.requestId } }));

const finish = async (ctx: RetainContext, id: string, detail: Record<string, number>): Promise<void> => {
  const { rows = 0, files = 0 } = detail;
  const change = {
    set: { doneAt: ctx.clock().toISOString(), rows, files },
    remove: ["heartbeatAt" as const, "part" as const, "after" as const],
  };
  const ours = { equals: { id, owner: ctx.requestId }, absent: ["doneAt"] };
  try {
    await ctx.store.commit([update<RetentionRunRow>(keys.retentionRun(), change, ours)], {
      category: "configuration_change",
      action: "retention.apply",
      resourceType: "Tenant",
      resourceId: ctx.tenantId,
      detail,
    });
  } catch (error) {
    throw isAppError(error, "stale_version") ? superseded : error;
  }
};
