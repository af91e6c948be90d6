import { revealApiKey } from "@vitaline/api-keys";
import { endTestCall, startTestCall } from "@vitaline/calls";
import { keyPlaceholder, toolsFunction } from "@vitaline/contract";
import { serve } from "../lib/api/serve.ts";
import { sessionAuth } from "../lib/auth/session.ts";
import { withEhr, withOutboundLoopbackRule } from "../lib/context/ehr-context.ts";
import { inTenant, withScopes } from "../lib/context/platform-context.ts";

const allTools = () => import("./all-tools.ts");

export const handler = withOutboundLoopbackRule(
  serve(toolsFunction, sessionAuth, ["accounts"])({
    listTools: async () => (await allTools()).listTools(),
    // Only the tenant's own administrator gets the key, and the read is audited.
    snippets: async (ctx, { query: { officeId, withKey = true } }) =>
      (await allTools()).tenantSnippets(ctx, {
        officeId,
        apiKey: () => (withKey ? revealApiKey(ctx, ctx.session.tenant) : keyPlaceholder),
      }),
    snippetsOfTenant: async (ctx, { params, query }) =>
      (await allTools()).tenantSnippets(inTenant(ctx, params.tenantId), { ...query, apiKey: () => keyPlaceholder }),
    startTestCall: (ctx, { body }) => startTestCall(ctx, body.platform),
    endTestCall: (ctx, { body }) => endTestCall(ctx, body),
    testTool: async (ctx, { params, body }) => {
      const { testTool } = await import("./test-tool.ts");
      return testTool(withEhr(withScopes(ctx, "ehr"), ctx.tenantId), { ...params, ...body });
    },
  }),
);
