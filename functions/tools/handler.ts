import { revealApiKey } from "@vitaline/api-keys";
import { contract, keyPlaceholder, Call, type ModelText } from "@vitaline/contract";
import { listTools, tryTool, type ToolAnswer } from "@vitaline/tools";
import { tenantSnippets, voicePlatforms } from "@vitaline/voice-providers";
import { serve } from "../lib/api/serve.ts";
import { sessionAuth } from "../lib/auth/session.ts";
import { withEhr, withLoopbackRule } from "../lib/context/ehr-context.ts";
import { inTenant, withScopes } from "../lib/context/platform-context.ts";
import { createHandle, modelText, newCallId } from "@vitaline/mcp";

/** Made as the answer to each platform is. Over MCP it is that of a client that does not name its call, which gets a handle. */
const modelTexts = (answer: ToolAnswer, holder: string, now: Date): ModelText[] => {
  const handle = createHandle(holder, newCallId(), now);
  return Call.shape.platform.options.map((platform) => ({
    platform,
    text: platform === "mcp" ? modelText(answer, handle) : (voicePlatforms[platform].modelText?.(answer) ?? modelText(answer)),
  }));
};

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
