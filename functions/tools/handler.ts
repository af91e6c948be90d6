import { revealApiKey } from "@vitaline/api-keys";
import { contract, keyPlaceholder } from "@vitaline/contract";
import { listTools, tryTool } from "@vitaline/tools";
import { tenantSnippets } from "@vitaline/voice-providers";
import { serve } from "../lib/api/serve.ts";
import { sessionAuth } from "../lib/auth/session.ts";
import { withEhr, withLoopbackRule } from "../lib/context/ehr-context.ts";
import { inTenant, withScopes } from "../lib/context/platform-context.ts";
import { modelTexts } from "./model-texts.ts";

export const handler = withLoopbackRule(
  serve(contract.tools, sessionAuth, ["accounts"])({
    listTools: async () => listTools(),
    // Only the tenant's own administrator gets the key, and the read is audited.
    snippets: (ctx, { query: { officeId, withKey = true } }) =>
      tenantSnippets(ctx, { officeId, apiKey: () => (withKey ? revealApiKey(ctx, ctx.session.tenant) : keyPlaceholder) }),
    snippetsOfTenant: (ctx, { params, query }) =>
      tenantSnippets(inTenant(ctx, params.tenantId), { ...query, apiKey: () => keyPlaceholder }),
    testTool: async (ctx, { params, body }) => {
      const { answer, ...tested } = await tryTool(withEhr(withScopes(ctx, "ehr"), ctx.tenantId), { ...params, ...body });
      return { ...tested, modelTexts: modelTexts(answer, `${ctx.tenantId}/${ctx.actor.id}`, ctx.clock()) };
    },
  }),
);
