import { revealApiKey } from "@vitaline/api-keys";
import type { snippets } from "@vitaline/contract";
import { tenantSnippets } from "@vitaline/voice-providers";
import { inTenant } from "../lib/context.ts";
import type { Handlers } from "../lib/serve.ts";

/** Whoever configures for a tenant, or only reads, takes its key from where a look at it is audited. */
const placeholder = "YOUR_API_KEY";

export const snippetVerbs: Handlers<typeof snippets> = {
  snippets: (ctx, { query: { officeId, withKey = true } }) =>
    tenantSnippets(ctx, { officeId, apiKey: () => (withKey ? revealApiKey(ctx, ctx.session.tenant) : placeholder) }),
  snippetsOfTenant: (ctx, { params, query }) => tenantSnippets(inTenant(ctx, params.tenantId), { ...query, apiKey: () => placeholder }),
};
