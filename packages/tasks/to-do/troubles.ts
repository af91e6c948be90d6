import { expiresAfter, keys, schedule, type TenantContext, type Write } from "@vitaline/store";
import { projectState, stateOfConnection, type Trouble } from "./source-state.ts";

const troubles: readonly Trouble[] = ["no_record_system", "tools_fail"];

/**
 * Puts trouble on the list when it begins, and marks it as done when it has ended. What someone has marked as done stays so while the
 * trouble lasts.
 */
export async function projectTroubles(ctx: TenantContext, found: Readonly<Record<Trouble, boolean>>): Promise<void> {
  const at = ctx.clock().toISOString();
  for (const topic of troubles) {
    const isInTrouble = found[topic];
    const state = stateOfConnection({ topic, connectionId: topic, at, isWell: !isInTrouble });
    const row = await ctx.store.get(keys.toDo(state.id));
    if (isInTrouble === (row?.isInTrouble ?? false)) continue;
    await projectState(ctx.store, { ...state, isInTrouble, doneAt: isInTrouble ? undefined : (row?.doneAt ?? at) });
  }
}

const stepMs = 5 * 60_000;
const checkDays = 7;

/** The write that has `events/retry` look for trouble of the tenant at `dueAt`. */
export const troubleCheck = (tenantId: string, dueAt: string): Write =>
  schedule({ kind: "trouble", tenantId, id: tenantId, dueAt, expiresAt: expiresAfter(dueAt, checkDays) });

/** One queue serves all tenants and all due work. */
const checksApartMs = 1000;

/** The due time of the check of the `position`-th of many tenants that are checked from `dueAt` on. */
export const spreadCheck = (dueAt: string, position: number): string =>
  new Date(Date.parse(dueAt) + position * checksApartMs).toISOString();

/**
 * In five to ten minutes: runs of then are counted, and an organization that was just created has its record system. The same for
 * everything within five minutes, so that many failures are one check.
 */
export const checkAfter = (at: string): string => new Date((Math.floor(Date.parse(at) / stepMs) + 2) * stepMs).toISOString();
