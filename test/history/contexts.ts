import { type Actor, newId } from "@vitaline/core";
import type { TenantContext } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { type EhrContext, withEhr } from "../../functions/lib/context/ehr-context.ts";
import { asActor, contextFor, type FunctionReach, inTenant } from "../../functions/lib/context/platform-context.ts";
import type { DemoClock } from "./clock.ts";
import type { Job } from "./job.ts";

export const anonymous: Actor = { kind: "nobody", id: "anonymous" };
/** Between two looks at the clock. */
const workSeconds = 0.006;

/** By the demo's clock, which work moves a little. */
const contextBy = <R extends FunctionReach>({ origin }: Job, clock: DemoClock, actor: Actor, reach: readonly R[]) => {
  const moved = (): Date => {
    clock.pass(workSeconds);
    return new Date();
  };
  const request = { requestId: newId(), remainingMs: 3_600_000, clientAddress: "203.0.113.20", origin };
  return { ...contextFor(request, actor, reach), log: () => {}, clock: moved };
};

export const actingAs = (job: Job, actor: Actor, clock: DemoClock) => {
  const ctx = asActor(contextBy(job, clock, anonymous, ["directory", "ehr"]), actor);
  return { platform: ctx, tenant: tenantBy(job, clock, ctx) };
};

/** The connection to the record system, with its keys and tokens, lives in real time. */
const tenantBy = ({ clinic }: Job, clock: DemoClock, ctx: Parameters<typeof withEhr>[0]): EhrContext => {
  const { openEhr, prefetchEhr } = withEhr({ ...ctx, clock: clock.real }, clinic.id);
  return { ...inTenant(ctx, clinic.id), openEhr, prefetchEhr };
};

/** A context of the clinic's administrator. */
export const asAdmin = (job: Job, clock: DemoClock): TenantContext =>
  actingAs(job, { kind: "user", id: job.clinic.adminId, role: "tenant_admin", tenantId: job.clinic.id }, clock).tenant;

/** The contexts of a function that a schedule starts. */
export function asSchedule(job: Job, clock: DemoClock, name: string): { platform: PlatformContext; tenant: EhrContext } {
  const actor: Actor = { kind: "system", id: name };
  return { platform: contextBy(job, clock, actor, ["platform"]), tenant: actingAs(job, actor, clock).tenant };
}
