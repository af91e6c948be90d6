import type { Snippet } from "@vitaline/contract";
import { bearerOf, curlPost, hooksAt, jsonSnippet, mcpAddress, type SnippetContext } from "./snippet.ts";

/** Source: openai 7.55.0, RealtimeSessionCreateRequest. */
export const openAiSession = (place: SnippetContext) => ({
  type: "session.update" as const,
  session: {
    type: "realtime" as const,
    tools: [
      {
        type: "mcp" as const,
        server_label: "clinic",
        server_description: "The clinic's patients, appointments and messages",
        server_url: mcpAddress(place),
        authorization: place.apiKey,
        allowed_tools: place.tools.map(({ name }) => name),
        require_approval: "never" as const,
      },
    ],
  },
});

export const openAiWebhook = (url: string) => ({ url, events: ["realtime.call.incoming" as const] });

export function openAiSnippets(place: SnippetContext): Snippet[] {
  const of = { platform: "openai" as const };
  return [
    jsonSnippet(
      {
        ...of,
        id: "openai-session",
        title: "All tools in a Realtime session",
        about: "Send it as the first event of the session, or take its session.tools into the request that makes the session.",
      },
      openAiSession(place),
    ),
    {
      ...of,
      id: "openai-report",
      title: "A call's record",
      about: [
        "OpenAI sends nothing after a call: your own client reports how it went, with the call's id.",
        "A call without a report is closed after two hours as ended for an unknown reason.",
      ].join(" "),
      language: "sh",
      text: reportCommand(place),
    },
    ...hooksAt(place, "openai").map(({ id, providerName, url }) =>
      jsonSnippet(
        {
          ...of,
          id: `openai-webhook-${id}`,
          title: `Incoming calls (${providerName})`,
          about: [
            "Make a webhook with this address and event in the project's settings at platform.openai.com;",
            "for a gpt-live model with live.transport.incoming in its place. Calls are accepted, put through and ended from here:",
            "your carrier's trunk must allow SIP REFER.",
            "Type the secret that it shows into the voice provider here.",
          ].join(" "),
        },
        openAiWebhook(url),
      ),
    ),
  ];
}

const reportCommand = (place: SnippetContext): string =>
  curlPost(
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
