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

test("a tool call that is not run is refused in the language that its arguments or its platform name", () => {
  const spanish = "No puedo identificar esta llamada, así que en este momento no puedo hacer eso.";
  const inSpanish = { action: "list", language: "es" };
  const vapiMessage = (given: object, more: object = {}) => ({
    message: { type: "tool-calls", toolCallList: [{ id: "t1", function: { name: "scheduleAppointment", arguments: given } }], ...more },
  });
  const headers: Record<string, string> = { "x-language": "es" };
  const spanishLine = { toolName: "scheduleAppointment", header: (name: string) => headers[name] };
  const requests: (ToolRequest | undefined)[] = [
    vapi.decodeToolCalls(vapiMessage(inSpanish)),
    vapi.decodeToolCalls(vapiMessage({}, { assistant: { transcriber: { language: "es-MX" } } })),
    elevenLabs.decodeToolCalls(inSpanish, metadata),
    elevenLabs.decodeToolCalls({}, spanishLine),
    retellAi.decodeToolCalls(inSpanish, metadata),
    retellAi.decodeToolCalls({}, spanishLine),
  ];
  for (const request of requests) expect(request).toMatchObject({ calls: [], refused: [{ speech: spanish }] });
});
