import type { CallToolResult } from "@modelcontextprotocol/server";
import { modelAnswer, type ToolAnswer } from "@vitaline/tools";

/** The text is for the model, as short as on other platforms; clients read the structured content. */
export function resultOf(answer: ToolAnswer, callHandle?: string): CallToolResult {
  const { ok, code, speech, output, fields } = answer;
  const outcome = { ok, ...(code ? { code } : {}) };
  const handle = callHandle ? { callHandle } : {};
  const text = JSON.stringify({ ...outcome, ...modelAnswer(answer, { ...outcome, ...handle }), ...handle });
  const structuredContent = {
    ...outcome,
    speech,
    ...(output === undefined ? {} : { data: output }),
    ...(fields ? { fields } : {}),
    ...handle,
  };
  return { content: [{ type: "text", text }], structuredContent, ...(ok ? {} : { isError: true }) };
}
