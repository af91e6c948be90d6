import { AppError, errorFields } from "@vitaline/core";
import { abandonedAfterMs, takeQuotaUnit, type QuotaUnit, quotaUnitIn, returnQuotaUnit, confirmQuotaUnit } from "@vitaline/store";
import type { TenantKey } from "@vitaline/store/keys.ts";
import type { Run } from "./run.ts";

/** `lifeMs`: the lifetime of the row after the last unit was taken. */
export type CallQuota = {
  key: TenantKey<unknown>;
  name: string;
  limit: number;
  lifeMs: number;
  closedBy?: string;
  beside?: Record<string, unknown>;
};
export type TakenQuota = Pick<QuotaUnit, "value" | "settled"> & {
  settle(): Promise<void>;
  /** For a request that had no effect. */
  release(): Promise<void>;
};

const ownerOf = (executionKey: string): string => executionKey.slice(0, 20);

/** The unit that a request has taken, in a row that was read. */
export const takenQuotaOf = (row: object | undefined, name: string, executionKey: string): QuotaUnit | undefined =>
  quotaUnitIn(row, { name, owner: ownerOf(executionKey) });

/**
 * Takes one unit of a call's quota for this request; undefined if none is left. AppError `in_progress` while the same request runs
 * elsewhere, `forbidden` after the call has ended. One write unit, and one to settle or release. `value` is stored for a retry.
 */
export async function takeQuota(run: Run, quota: CallQuota, value?: string): Promise<TakenQuota | undefined> {
  const { ctx, executionKey, endedAttemptId } = run;
  const at = { name: quota.name, owner: ownerOf(executionKey) };
  const unit = await takeQuotaUnit(ctx.store, quota.key, {
    ...quota,
    ...at,
    attempt: ctx.requestId,
    endedAttemptId,
    nowMs: ctx.clock().getTime(),
    staleAfterMs: abandonedAfterMs,
    ...(value === undefined ? {} : { value }),
  });
  if (unit === "full") return undefined;
  if (unit === "closed") throw new AppError("forbidden", "The call has ended.");
  if (unit === "busy") throw new AppError("in_progress", "The same request is being worked on.");
  const noted = (write: Promise<void>): Promise<void> =>
    write.catch((error: unknown) => ctx.log("warn", "tool.quota_unit_kept", errorFields(error)));
  return {
    ...unit,
    settle: () => noted(confirmQuotaUnit(ctx.store, quota.key, at, unit)),
    release: () => noted(returnQuotaUnit(ctx.store, quota.key, at, unit)),
  };
}
