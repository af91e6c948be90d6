import { Call, type ModelText, type TestedTool } from "@vitaline/contract";
import { createHandle, modelText, newCallId } from "@vitaline/mcp";
import { tryTool, type ToolAnswer, type ToolContext, type ToolTest } from "@vitaline/tools";
import { loadVoicePlatform } from "@vitaline/voice-providers";

/** Made as the answer to each platform is. Over MCP it is that of a client that does not name its call, which gets a handle. */
const modelTexts = (answer: ToolAnswer, holder: string, now: Date): Promise<ModelText[]> => {
  const handle = createHandle(holder, newCallId(), now);
  return Promise.all(
    Call.shape.platform.options.map(async (platform) => ({
      platform,
      text: platform === "mcp" ? modelText(answer, handle) : ((await loadVoicePlatform(platform)).modelText?.(answer) ?? modelText(answer)),
    })),
  );
};

export async function testTool(ctx: ToolContext, test: ToolTest): Promise<TestedTool> {
  const { answer, ...tested } = await tryTool(ctx, test);
  return { ...tested, modelTexts: await modelTexts(answer, `${ctx.tenantId}/${ctx.actor.id}`, ctx.clock()) };
}
