import * as z from "zod/mini";
import { Id } from "../http/fields.ts";
import { flag } from "../http/query.ts";
import { routes } from "../http/route.ts";
import { VoiceProviderType } from "./voice-providers.ts";

/** What somebody pastes into a voice platform's configuration: whole, with this platform's addresses in it. */
export const Snippet = z.object({
  /** The same in every answer; of a voice provider's own, it ends in the provider's id. */
  id: z.string(),
  platform: z.enum([...VoiceProviderType.options, "mcp"]),
  title: z.string(),
  /** Where it is pasted. */
  about: z.string(),
  language: z.enum(["json", "sh"]),
  text: z.string(),
});
export type Snippet = z.infer<typeof Snippet>;

/** Of an office: its own address stands in them, where there is one. */
const OfOffice = z.object({ officeId: z.optional(Id) });

/** Stands where a key belongs that nobody asked for. */
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
    summary: "The same of any tenant, with YOUR_API_KEY in the key's place",
    params: z.object({ tenantId: Id }),
    query: OfOffice,
    response: z.array(Snippet),
  },
});
