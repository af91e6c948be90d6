import { revealApiKey } from "@vitaline/api-keys";
import { keyPlaceholder, type snippets } from "@vitaline/contract";
import { tenantSnippets } from "@vitaline/voice-providers";
import { inTenant } from "../lib/context.ts";
import type { Handlers } from "../lib/serve.ts";

/** A key stands only in what a tenant's own administrator asks for with it, and that look is audited. */
export const snippetVerbs: Handlers<typeof snippets> = {
  snippets: (ctx, { query: { officeId, withKey = true } }) =>
    tenantSnippets(ctx, { officeId, apiKey: () => (withKey ? revealApiKey(ctx, ctx.session.tenant) : keyPlaceholder) }),
  snippetsOfTenant: (ctx, { params, query }) => tenantSnippets(inTenant(ctx, params.tenantId), { ...query, apiKey: () => keyPlaceholder }),
};
