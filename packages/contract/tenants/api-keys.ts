import * as z from "zod/mini";
import { Id, Instant } from "../http/fields.ts";
import { routes } from "../http/route.ts";

/** What is known of a tenant's API key, but for the key. `retiring` works until `notAfter`; a revoked one is shown for 30 days. */
export const ApiKey = z.object({
  id: Id,
  last4: z.string(),
  status: z.enum(["active", "retiring", "revoked"]),
  createdAt: Instant,
  /** Id of the user who made it. */
  createdBy: z.string(),
  notAfter: z.nullable(Instant),
  /** At most a minute behind. */
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
    summary: "End a former API key before its time",
    params: ApiKeyId,
    response: ApiKey,
  },
});
