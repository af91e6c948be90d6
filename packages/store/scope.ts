import type { Context } from "@vitaline/core";
import type { Author } from "./audit.ts";
import type { TenantKey } from "./keys.ts";
import { storeIn, type Store } from "./store.ts";

/** A store that cannot leave its tenant: keys carry no tenant, the handle puts its own in. */
export type TenantStore = Store<TenantKey<unknown>> & { readonly tenantId: string };

export type TenantContext = Context & { tenantId: string; store: TenantStore };

export const tenantStore = (author: Author, tenantId: string): TenantStore => ({
  ...storeIn<TenantKey<unknown>>({ author, tenantId, platform: false }, (partition) => partition.startsWith(`TENANT#${tenantId}#`)),
  tenantId,
});
