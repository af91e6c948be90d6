import { openEhr, type Ehr } from "@vitaline/fhir-providers";
import { allowLoopback } from "@vitaline/outbound";
import type { TenantContext, TenantRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { inTenant } from "./context.ts";
import type { Invocation } from "./event.ts";

export type EhrContext = TenantContext & { openEhr(tenant: TenantRow, officeId?: string): Promise<Ehr> };

/** One tenant's rows and the way to its record system, and nothing else of the platform. */
export const withEhr = (ctx: PlatformContext, tenantId: string): EhrContext => ({
  ...inTenant(ctx, tenantId),
  openEhr: (tenant, officeId) => openEhr(ctx, tenant, officeId),
});

/** A function that calls addresses which somebody typed: the guard learns, from Lambda itself, where it runs. */
export const reachingOut =
  <Event, Answer>(handler: (event: Event, invocation: Invocation) => Promise<Answer>) =>
  (event: Event, invocation: Invocation): Promise<Answer> => {
    allowLoopback(invocation.invokedFunctionArn);
    return handler(event, invocation);
  };
