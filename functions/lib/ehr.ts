import { foreseeEhr, openEhr, type Ehr, type Foreseen } from "@vitaline/fhir-providers";
import { allowLoopback } from "@vitaline/outbound";
import type { TenantContext, TenantRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { inTenant } from "./context.ts";
import type { Invocation } from "./event.ts";

export type EhrContext = TenantContext & {
  /** Reads ahead what opening the record system will need, beside other reads; a guess that may come to nothing. */
  foreseeEhr(asked: { hint: string; scopes: readonly string[] }): Promise<void>;
  openEhr(tenant: TenantRow, asked: { officeId?: string | undefined; scopes: readonly string[] }): Promise<Ehr>;
};

/** One tenant's rows and the way to its record system, and nothing else of the platform. */
export const withEhr = (ctx: PlatformContext, tenantId: string): EhrContext => {
  let foreseen: Foreseen | undefined;
  return {
    ...inTenant(ctx, tenantId),
    // Whoever opens it reads for themselves what could not be read ahead
    foreseeEhr: async (asked) => void (foreseen = await foreseeEhr(ctx, tenantId, asked).catch(() => undefined)),
    openEhr: (tenant, asked) => openEhr(ctx, tenant, { ...asked, foreseen }),
  };
};

/** A function that calls addresses which somebody typed: the guard learns, from Lambda itself, where it runs. */
export const reachingOut =
  <Event, Answer>(handler: (event: Event, invocation: Invocation) => Promise<Answer>) =>
  (event: Event, invocation: Invocation): Promise<Answer> => {
    allowLoopback(invocation.invokedFunctionArn);
    return handler(event, invocation);
  };
