import * as z from "zod/mini";
import { Id } from "../http/fields.ts";
import { flag } from "../http/query.ts";
import { routes } from "../http/route.ts";
import { VoiceProviderType } from "./voice-providers.ts";

/** Complete configuration to paste into a voice platform, with this platform's addresses. */
export const Snippet = z.object({
  /** Constant; for a voice provider's own snippet it ends with the provider's id. */
  id: z.string(),
  platform: z.enum([...VoiceProviderType.options, "mcp"]),
  title: z.string(),
  /** Where to paste it. */
  about: z.string(),
  language: z.enum(["json", "sh"]),
  text: z.string(),
});
export type Snippet = z.infer<typeof Snippet>;

/** With the office's own address, if it has one. */
const OfOffice = z.object({ officeId: z.optional(Id) });

/** Placeholder for a key that was not requested. */
export const keyPlaceholder = "YOUR_API_KEY";

export const snippets = routes({
  snippets: {
    method: "GET",
    path: "/api/tenant/snippets",
    auth: "tenant_admin",
    summary:
      "What to paste into each voice platform, with the tenant's API key; the look at the key is audited. withKey=false: with YOUR_API_KEY in its place",
    noStore: true,
    query: z.extend(OfOffice, { withKey: flag }),
    response: z.array(Snippet),
  },
  snippetsOfTenant: {
    method: "GET",
    path: "/api/admin/tenants/{tenantId}/snippets",
    auth: "system_admin",
    summary: "The same for any tenant, with YOUR_API_KEY in place of the key",
    params: z.object({ tenantId: Id }),
    query: OfOffice,
    response: z.array(Snippet),
  },
});
