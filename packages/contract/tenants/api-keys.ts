import * as z from "zod/mini";
import { Id, Instant } from "../http/fields.ts";
import { routes } from "../http/route.ts";

/** An API key without its secret. `retiring` is valid until `notAfter`; a revoked key is listed for 30 days. */
export const ApiKey = z.object({
  id: Id,
  last4: z.string(),
  status: z.enum(["active", "retiring", "revoked"]),
  createdAt: Instant,
  /** Id of the user who created it. */
  createdBy: z.string(),
  notAfter: z.nullable(Instant),
  /** At most a minute late. */
  lastUsedAt: z.nullable(Instant),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyId = z.object({ keyId: Id });

export const apiKeys = routes({
  listApiKeys: {
    method: "GET",
    path: "/api/tenant/api-keys",
    auth: "tenant_admin",
    summary: "The tenant's API keys, newest first, without the keys themselves",
    response: z.array(ApiKey),
  },
  revokeApiKey: {
    method: "POST",
    path: "/api/tenant/api-keys/{keyId}/revoke",
    auth: "tenant_admin",
    summary: "Revoke a former API key early",
    params: ApiKeyId,
    response: ApiKey,
  },
});
