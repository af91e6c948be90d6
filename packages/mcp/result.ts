import type { CallToolResult } from "@modelcontextprotocol/server";
import { modelAnswer, type ToolAnswer } from "@vitaline/tools";

/** For the model, as short as on other platforms. */
export function modelText(answer: ToolAnswer, callHandle?: string): string {
  const { ok, code } = answer;
  const outcome = { ok, ...(code ? { code } : {}) };
  const handle = callHandle ? { callHandle } : {};
  return JSON.stringify({ ...outcome, ...modelAnswer(answer, { ...outcome, ...handle }), ...handle });
}

/** The text is for the model; clients read the structured content. */
export function resultOf(answer: ToolAnswer, callHandle?: string): CallToolResult {
  const { ok, code, speech, output, fields } = answer;
  const structuredContent = {
    ok,
    ...(code ? { code } : {}),
    speech,
    ...(output === undefined ? {} : { data: output }),
    ...(fields ? { fields } : {}),
    ...(callHandle ? { callHandle } : {}),
  };
  return { content: [{ type: "text", text: modelText(answer, callHandle) }], structuredContent, ...(ok ? {} : { isError: true }) };
}
