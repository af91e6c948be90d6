import { deadlineIn, log, logWith, type Actor, type Context, pause } from "@vitaline/core";
import { tenantStore, type TenantContext } from "@vitaline/store";
import { platformStore, type PlatformContext } from "@vitaline/store/platform.ts";
import type { Invocation } from "./event.ts";

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
    pause,
  };
  return { ...ctx, platform: platformStore(ctx) };
};

/** What a function gets that AWS starts by itself: nobody asks, so nobody's address is known; `id` says which function acts. */
export const eventContext = (invocation: Pick<Invocation, "awsRequestId" | "getRemainingTimeInMillis">, id: string): PlatformContext =>
  platformContext(
    { requestId: invocation.awsRequestId, remainingMs: invocation.getRemainingTimeInMillis(), clientAddress: "", origin: "" },
    { kind: "system", id },
  );

/** The same request, by whoever turned out to make it. */
export const asActor = (ctx: PlatformContext, actor: Actor): PlatformContext => ({ ...ctx, actor, platform: ctx.platform.as(actor) });

/**
 * A tenant's request with the rows in reach, too, that belong to no tenant, as those of record systems: for verbs that the
 * tenant's own row bounds. What they do stands in the tenant's log.
 */
export const withPlatform = <Ctx extends TenantContext>(ctx: Ctx): Ctx & PlatformContext => ({
  ...ctx,
  platform: platformStore(ctx, ctx.tenantId),
});

/** The same request with one tenant's rows in reach and no others. */
export const inTenant = ({ platform: _unscoped, ...ctx }: PlatformContext, tenantId: string): TenantContext => ({
  ...ctx,
  tenantId,
  store: tenantStore(ctx, tenantId),
});
