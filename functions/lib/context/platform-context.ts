import { deadlineIn, log, logWith, pause, type Actor, type Context } from "@vitaline/core";
import { tenantStore, type TenantContext } from "@vitaline/store";
import { platformStore, type PlatformContext } from "@vitaline/store/platform.ts";

export type Invocation = { awsRequestId: string; functionName: string; invokedFunctionArn: string; getRemainingTimeInMillis(): number };
export type EventInvocation = Pick<Invocation, "awsRequestId" | "getRemainingTimeInMillis">;

/** Reserved for sending the answer before Lambda ends the invocation. */
const reserveMs = 500;

export type Request = { requestId: string; remainingMs: number; clientAddress: string; origin: string };

/** The composition root: a new context for each invocation. */
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

/** The context of a function that AWS starts, without a client; `id` names the function as the actor. */
export const eventContext = (invocation: EventInvocation, id: string): PlatformContext =>
  platformContext(
    { requestId: invocation.awsRequestId, remainingMs: invocation.getRemainingTimeInMillis(), clientAddress: "", origin: "" },
    { kind: "system", id },
  );

export const asActor = (ctx: PlatformContext, actor: Actor): PlatformContext => ({ ...ctx, actor, platform: ctx.platform.as(actor) });

/**
 * Adds access to platform rows, such as FHIR providers, for functions that restrict themselves by the tenant's row.
 * Their changes are audited in the tenant's log.
 */
export const withPlatform = <Ctx extends TenantContext>(ctx: Ctx): Ctx & PlatformContext => ({
  ...ctx,
  platform: platformStore(ctx, ctx.tenantId),
});

/** Restricts the context to the rows of one tenant. */
export const inTenant = ({ platform: _unscoped, ...ctx }: PlatformContext, tenantId: string): TenantContext => ({
  ...ctx,
  tenantId,
  store: tenantStore(ctx, tenantId),
});
