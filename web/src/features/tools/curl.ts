import { keyPlaceholder } from "@vitaline/contract";

/** Within single quotes a POSIX shell takes everything as it is but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export type CurlCall = { origin: string; callId: string; toolCallId: string; name: string; values: Record<string, unknown> };

/** The command by which a voice platform's request can be made by hand. Source of the body's shape: Vapi server SDK 2.0.1, "tool-calls". */
export const curlOf = ({ origin, callId, toolCallId, name, values }: CurlCall, apiKey: string = keyPlaceholder): string => {
  const toolCall = { id: toolCallId, type: "function", function: { name, arguments: values } };
  const body = { message: { type: "tool-calls", call: { id: callId }, toolCallList: [toolCall] } };
  return [
    `curl -X POST ${quoted(`${origin}/api/vapi/tool-call`)}`,
    `  -H ${quoted(`Authorization: Bearer ${apiKey}`)}`,
    `  -H ${quoted("Content-Type: application/json")}`,
    `  -d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join(" \\\n");
};
