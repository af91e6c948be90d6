import { bearerOf, mcpAddress, type SnippetPlace } from "./place.ts";

/** POSIX shells take everything between single quotes as it is; a quote itself stands outside them. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const post = (address: string, headers: Record<string, string>, body: unknown): string =>
  [
    `curl --fail-with-body ${quoted(address)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    `--data ${quoted(JSON.stringify(body))}`,
  ].join(" \\\n  ");

/** One call of the one tool that changes nothing and asks for nobody's identity. */
export const toolCommand = (place: SnippetPlace): string =>
  post(
    mcpAddress(place),
    { Authorization: bearerOf(place), "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "getFhirProviders", arguments: {} } },
  );

/** One call's report, with an example of each thing that is usually said. */
export const reportCommand = (place: SnippetPlace): string =>
  post(
    `${place.origin}/api/calls`,
    { Authorization: bearerOf(place), "Content-Type": "application/json" },
    {
      platform: "openai",
      callId: "YOUR_CALL_ID",
      status: "completed",
      durationSeconds: 120,
      summary: "What the caller wanted, and what came of it",
      ...(place.officeId === undefined ? {} : { officeId: place.officeId }),
    },
  );
