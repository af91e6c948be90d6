import { Call, type ModelText } from "@vitaline/contract";
import { createHandle, modelText, newCallId } from "@vitaline/mcp";
import type { ToolAnswer } from "@vitaline/tools";
import { voicePlatforms } from "@vitaline/voice-providers";

/** Made as the answer to each platform is. Over MCP it is that of a client that does not name its call, which gets a handle. */
export const modelTexts = (answer: ToolAnswer, holder: string, now: Date): ModelText[] => {
  const handle = createHandle(holder, newCallId(), now);
  return Call.shape.platform.options.map((platform) => ({
    platform,
    text: platform === "mcp" ? modelText(answer, handle) : (voicePlatforms[platform].modelText?.(answer) ?? modelText(answer)),
  }));
};
