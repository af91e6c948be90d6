import { expect, test } from "vitest";
import { elevenLabs } from "./elevenlabs/adapter.ts";
import { retellAi } from "./retellai/adapter.ts";
import { vapi } from "./vapi/adapter.ts";
import type { ToolRequest } from "./voice-platform.ts";

const line = "If this is an emergency, please hang up and call 911 right now.";
const args = { service: "chest pain" };
const metadata = { toolName: "scheduleAppointment", header: () => undefined };

test("V01: a tool call that belongs to no known call is refused with the line of an emergency if it tells of one", () => {
  const vapiMessage = {
    message: { type: "tool-calls", toolCallList: [{ id: "t1", function: { name: "scheduleAppointment", arguments: args } }] },
  };
  const requests: (ToolRequest | undefined)[] = [
    vapi.decodeToolCalls(vapiMessage),
    elevenLabs.decodeToolCalls(args, metadata),
    retellAi.decodeToolCalls(args, metadata),
  ];
  for (const request of requests) expect(request).toMatchObject({ calls: [], refused: [{ speech: line }] });
});
