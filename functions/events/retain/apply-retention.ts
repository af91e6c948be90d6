import { isAppError } from "@vitaline/core";
import { keys, pagesOf, retentionOf, update, type RetainedPart, type RetentionRunRow } from "@vitaline/store";
import { targetsOf, type ExpiringRow, type RetainContext, type RetentionTarget } from "./targets.ts";

/** Reserved for releasing the run, which functions/events/retry then continues. */
const reserveMs = 30_000;
const perPage = 100;

const superseded = new Error("Another invocation or a newer request has taken over");
const outOfTime = new Error("The next invocation continues");

/**
 * Applies the tenant's current retention periods to its rows and to the files of its calls. It saves its progress after each page,
 * resumes there, and skips rows that are already right. Audited once, at the end. Does nothing if `id` is not the
 * tenant's last request, or is done.
 */
export async function applyRetention(ctx: RetainContext, id: string): Promise<void> {
  try {
    const run = await begin(ctx, id);
    // Read after taking over, so the periods are at least as new as the request.
    const retention = retentionOf(await ctx.store.get(keys.tenantConfig()));
    const targets = targetsOf(ctx, retention);
    const reached = targets.findIndex(({ name }) => name === run.part);
    let { rows = 0, files = 0 } = run;
    // From the start if another release knows the part by another name.
    let after = reached === -1 ? undefined : run.after;
    for (const target of targets.slice(Math.max(0, reached))) {
      for await (const page of applyPages(ctx, target, after)) {
        rows += page.rows;
        files += page.files;
        await save(ctx, id, { part: target.name, after: page.last, rows, files });
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

type Page = { rows: number; files: number; last: string };

/** Applies the target page by page, starting after a sort key. */
async function* applyPages(ctx: RetainContext, { partition, index, sortKeyOf, apply }: RetentionTarget, after: string | undefined) {
  // The smallest sort key after `after`.
  const range = { limit: perPage, ...(index && { index }), ...(after !== undefined && { from: `${after}\u0000` }) };
  for await (const rows of pagesOf<ExpiringRow>(ctx.store, partition, range)) {
    if (ctx.deadline.remainingMs() < reserveMs) throw outOfTime;
    const last = rows.at(-1);
    if (!last) continue;
    const { files, runs } = await apply(rows);
    yield { rows: rows.length + runs, files, last: sortKeyOf(last) } satisfies Page;
  }
}

/** Takes ownership of the run, also from an invocation that died. */
const begin = async (ctx: RetainContext, id: string): Promise<RetentionRunRow> => {
  const run = await updateRun(ctx, { owner: ctx.requestId }, { equals: { id }, absent: ["doneAt"] });
  if (!run) throw superseded;
  return run;
};

type Progress = { part: RetainedPart; after: string; rows: number; files: number };
const save = async (ctx: RetainContext, id: string, progress: Progress): Promise<void> => {
  if (!(await updateRun(ctx, progress, { equals: { id, owner: ctx.requestId } }))) throw superseded;
};

const updateRun = (ctx: RetainContext, set: Partial<RetentionRunRow>, when: Parameters<typeof update>[2]) =>
  ctx.store.writeUnaudited<RetentionRunRow>(
    update<RetentionRunRow>(keys.retentionRun(), { set: { ...set, heartbeatAt: ctx.clock().toISOString() } }, when),
  );

/** Removes the heartbeat, so functions/events/retry continues at once. */
const release = (ctx: RetainContext, id: string) =>
  ctx.store.writeUnaudited(
    update<RetentionRunRow>(keys.retentionRun(), { remove: ["heartbeatAt"] }, { equals: { id, owner: ctx.requestId } }),
  );

const finish = async (ctx: RetainContext, id: string, detail: Record<string, number>): Promise<void> => {
  const { rows = 0, files = 0 } = detail;
  const change = {
    set: { doneAt: ctx.clock().toISOString(), rows, files },
    remove: ["heartbeatAt" as const, "part" as const, "after" as const],
  };
  const isOwn = { equals: { id, owner: ctx.requestId }, absent: ["doneAt"] };
  try {
    await ctx.store.commit([update<RetentionRunRow>(keys.retentionRun(), change, isOwn)], {
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
