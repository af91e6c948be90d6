import { deadlineIn, log, logWith, type Actor, type Context } from "@vitaline/core";
import { tenantStore, type TenantContext } from "@vitaline/store";
import { platformStore, type PlatformContext } from "@vitaline/store/platform.ts";

/** Time that is kept back so that the answer still leaves before Lambda ends the invocation. */
const reserveMs = 500;

export type Request = { requestId: string; remainingMs: number; clientAddress: string; origin: string };

/** The composition root: what every verb gets, made anew for each invocation. */
export const platformContext = (request: Request, actor: Actor): PlatformContext => {
  const ctx: Context = {
    requestId: request.requestId,
    actor,
    clientAddress: request.clientAddress,
    origin: request.origin,
    clock: () => new Date(),
    log: logWith(log, { requestId: request.requestId }),
    deadline: deadlineIn(Math.max(0, request.remainingMs - reserveMs)),
  };
  return { ...ctx, platform: platformStore(ctx) };
};

/** The same request, by whoever turned out to make it. */
export const asActor = (ctx: PlatformContext, actor: Actor): PlatformContext => ({ ...ctx, actor, platform: ctx.platform.as(actor) });

/** The same request with one tenant's rows in reach and no others. */
export const inTenant = ({ platform: _unscoped, ...ctx }: PlatformContext, tenantId: string): TenantContext => ({
  ...ctx,
  tenantId,
  store: tenantStore(ctx, tenantId),
});
