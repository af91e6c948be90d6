import type { Ehr, PrefetchedEhr } from "@vitaline/fhir-providers";
import { allowLoopback } from "@vitaline/outbound";
import type { TenantContext, TenantRow } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import { inTenant, type Invocation } from "./platform-context.ts";

export type EhrContext = TenantContext & {
  /** Prefetches the rows that `openEhr` will probably need, in parallel with other reads. Never fails. */
  prefetchEhr(asked: { cacheKey: string; scopes: readonly string[] }): Promise<void>;
  openEhr(tenant: TenantRow, asked: { officeId?: string | undefined; scopes: readonly string[] }): Promise<Ehr>;
};

/** Loaded for the first request that needs a record system. */
const ehrAccess = () => import("./ehr-access.ts");

/** Restricts the context to the rows of one tenant and its EHR. */
export const withEhr = (ctx: EhrRegistryContext, tenantId: string): EhrContext => {
  let prefetched: PrefetchedEhr | undefined;
  return {
    ...inTenant(ctx, tenantId),
    async prefetchEhr(asked) {
      const { prefetchEhr } = await ehrAccess();
      prefetched = await prefetchEhr(ctx, tenantId, asked).catch(() => undefined);
    },
    openEhr: async (tenant, asked) => (await ehrAccess()).openEhr(ctx, tenant, { ...asked, prefetched }),
  };
};

/** Wraps a handler that calls addresses entered by users: the outbound guard reads from the function's ARN whether loopback is allowed. */
export const withOutboundLoopbackRule =
  <Event, Answer>(handler: (event: Event, invocation: Invocation) => Promise<Answer>) =>
  (event: Event, invocation: Invocation): Promise<Answer> => {
    allowLoopback(invocation.invokedFunctionArn);
    return handler(event, invocation);
  };
