import { deadlineIn, holdOwnCursorSecret, log, logWith, pause, type Actor, type Context } from "@vitaline/core";
import { tenantStore, type TenantContext } from "@vitaline/store";
import { platformStore, type PlatformContext } from "@vitaline/store/platform.ts";
import { storeOf, type StoreScope, type ScopedContext } from "@vitaline/store/scoped.ts";

export type Invocation = { awsRequestId: string; functionName: string; invokedFunctionArn: string; getRemainingTimeInMillis(): number };
export type EventInvocation = Pick<Invocation, "awsRequestId" | "getRemainingTimeInMillis">;

/** Reserved for sending the answer before Lambda ends the invocation. */
const reserveMs = 500;

export type Request = { requestId: string; remainingMs: number; clientAddress: string; origin: string };

/** The composition root: a new context for each invocation. */
const newContext = (request: Request, actor: Actor): Context => ({
  requestId: request.requestId,
  actor,
  clientAddress: request.clientAddress,
  origin: request.origin,
  clock: () => new Date(),
  log: logWith(log, { requestId: request.requestId }),
  deadline: deadlineIn(Math.max(0, request.remainingMs - reserveMs)),
  pause,
});

/** The rows outside the tenants that a function reaches: those of some scopes, or all with the platform handle. */
export type FunctionReach = StoreScope | "platform";
export type ContextFor<R extends FunctionReach> = [R] extends [StoreScope] ? ScopedContext<R> : PlatformContext;

export const contextFor = <R extends FunctionReach>(request: Request, actor: Actor, reach: readonly R[]): ContextFor<R> => {
  const ctx = newContext(request, actor);
  const platform = reach.some((scope) => scope === "platform") ? platformStore(ctx) : storeOf(ctx, reach as readonly StoreScope[]);
  return { ...ctx, platform } as unknown as ContextFor<R>;
};

export const platformContext = (request: Request, actor: Actor): PlatformContext => contextFor(request, actor, ["platform"]);

/** The context of a function that AWS starts, without a client; `id` names the function as the actor. */
export const eventContextFor = <R extends FunctionReach>(invocation: EventInvocation, id: string, reach: readonly R[]): ContextFor<R> => {
  holdOwnCursorSecret();
  return contextFor(
    { requestId: invocation.awsRequestId, remainingMs: invocation.getRemainingTimeInMillis(), clientAddress: "", origin: "" },
    { kind: "system", id },
    reach,
  );
};
export const eventContext = (invocation: EventInvocation, id: string): PlatformContext => eventContextFor(invocation, id, ["platform"]);

export const asActor = <S extends StoreScope>(ctx: ScopedContext<S>, actor: Actor): ScopedContext<S> => ({
  ...ctx,
  actor,
  platform: ctx.platform.as(actor),
});

/**
 * Adds access to rows outside the tenant, such as FHIR providers, for functions that restrict themselves by the tenant's row.
 * Their changes are audited in the tenant's log.
 */
export const withScopes = <Ctx extends TenantContext, const S extends StoreScope>(ctx: Ctx, ...scopes: S[]): Ctx & ScopedContext<S> => ({
  ...ctx,
  platform: storeOf(ctx, scopes, ctx.tenantId),
});

/** Restricts the context to the rows of one tenant. */
export const inTenant = ({ platform: _outside, ...ctx }: Context & { platform: unknown }, tenantId: string): TenantContext => ({
  ...ctx,
  tenantId,
  store: tenantStore(ctx, tenantId),
});
