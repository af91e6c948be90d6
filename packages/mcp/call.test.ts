import { holdSecret } from "@vitaline/core";
import { keys } from "@vitaline/store";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { callOfGrant, createHandle, newCallId, readHandle, resolveCall } from "./call.ts";

beforeAll(() => holdSecret("tokens", ["a token secret of these tests"]));

const now = new Date("2026-03-02T10:00:00Z");
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

test("a handle names its call to whom it was given, for a quarter of an hour", () => {
  const callId = newCallId();
  const handle = createHandle("tenant-1/key-1", callId, now);
  expect(readHandle("tenant-1/key-1", handle, now)).toBe(callId);
  expect(readHandle("tenant-1/key-1", ` ${handle}\n`, later(14))).toBe(callId);
  expect(readHandle("tenant-1/key-1", handle, later(16))).toBeUndefined();
  expect(readHandle("tenant-1/key-2", handle, now)).toBeUndefined();
  expect(readHandle("tenant-2/key-1", handle, now)).toBeUndefined();
});

test("only a handle of ours is accepted", () => {
  const handle = createHandle("tenant-1/key-1", newCallId(), now);
  fc.assert(
    fc.property(fc.nat(handle.length - 1), fc.constantFrom(..."0aZ-_."), (at, sign) => {
      const altered = handle.slice(0, at) + sign + handle.slice(at + 1);
      expect(readHandle("tenant-1/key-1", altered, now) === undefined).toBe(altered !== handle);
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => readHandle("tenant-1/key-1", text, now) === undefined));
});

const asked = (headers: Record<string, string>, meta?: unknown, handle?: unknown) =>
  resolveCall({ header: (name) => headers[name], meta, handle, holder: "tenant-1/key-1", now });

const call = (platform: string, callId: string) => ({ platform, callId, callKey: keys.callKeyOf(platform, callId) });

test("the platform's own word for the call counts first, then a handle of ours, and without either it is a new call", () => {
  const handle = createHandle("tenant-1/key-1", newCallId(), now);
  expect(asked({ "x-call-id": "v1" }, { callId: "m1" }, handle)).toEqual(call("vapi", "v1"));
  expect(asked({ "x-conversation-id": "e1" })).toEqual(call("elevenlabs", "e1"));
  expect(asked({ "x-retell-call-id": "r1" })).toEqual(call("retellai", "r1"));
  for (const key of ["vitaline/call-id", "callId", "call_id"]) expect(asked({}, { [key]: "m1" }, handle)).toEqual(call("mcp", "m1"));
  const known = asked({}, undefined, handle);
  expect(known.own).toBe(readHandle("tenant-1/key-1", handle, now));
  expect(asked({}, { "vitaline/call-handle": handle })).toEqual(known);
  // One session of a client may serve many calls.
  for (const name of ["mcp-session-id", "x-session-id"]) expect(asked({ [name]: handle }).callKey).not.toBe(known.callKey);
  expect(asked({}, undefined, "made-up").callKey).not.toBe(asked({}, undefined, "made-up").callKey);
});

test("a header or a key of _meta that was never filled in names no call: the next caller under it is another", () => {
  const unfilled = [
    "{{call_id}}",
    "{{ system__conversation_id }}",
    "system__conversation_id",
    "id: {{call_id}}",
    "None",
    "null",
    "undefined",
    " ",
  ];
  for (const name of unfilled)
    for (const given of ["x-call-id", "x-conversation-id", "x-retell-call-id", "x-chat-id", "vitaline/call-id", "callId", "call_id"]) {
      const ask = () => (given.startsWith("x-") ? asked({ [given]: name }) : asked({}, { [given]: name }));
      const [first, second] = [ask(), ask()];
      expect([name, given, first.platform, first.own]).toEqual([name, given, "mcp", first.callId]);
      expect(second.callKey).not.toBe(first.callKey);
    }
});

test("agent, caller and called number are read from headers next to the call id; an unfilled template is ignored", () => {
  const participants = { "x-agent-id": "agent_1", "x-caller-id": " +16175550142", "x-called-number": "+16175550100" };
  const known = { agentId: "agent_1", callerNumber: "+16175550142", calledNumber: "+16175550100" };
  expect(asked({ "x-conversation-id": "e1", ...participants })).toEqual({ ...call("elevenlabs", "e1"), ...known });
  expect(asked(participants, { callId: "m1" })).toEqual({ ...call("mcp", "m1"), ...known });
  const none = { "x-agent-id": "{{system__agent_id}}", "x-caller-id": "None", "x-called-number": "system__called_number" };
  expect(asked({ "x-conversation-id": "e1", ...none })).toStrictEqual(call("elevenlabs", "e1"));
});

test("the language of a call is read from a header; another language and an unfilled template are none", () => {
  const languageOf = (language: string) => asked({ "x-call-id": "v1", "x-language": language }).language;
  expect(["es-MX", "English", "vi", "{{language}}"].map(languageOf)).toEqual(["es", "en", undefined, undefined]);
});

test("with a call token only the token names the participants", () => {
  const granted = { platform: "openai", callId: "rtc_1", agentId: "gpt-realtime", callerMark: "mark" } as const;
  expect(callOfGrant(granted)).toEqual({ ...call("openai", "rtc_1"), agentId: "gpt-realtime", callerMark: "mark" });
});

test("an expired handle cannot name its call", () => {
  const handle = createHandle("tenant-1/key-1", newCallId(), now);
  const { own = "", callKey } = asked({}, undefined, handle);
  for (const name of [own, handle, callKey, `own/${own}`, `tenant-1/key-1/${own}`])
    for (const platform of ["x-call-id", "x-conversation-id", "x-retell-call-id", "x-chat-id", "meta"])
      expect(asked(platform === "meta" ? {} : { [platform]: name }, { callId: name }).callKey).not.toBe(callKey);
});

test("a text chat of Vapi's is its session, or itself, as in Vapi's other messages", () => {
  expect(asked({ "x-chat-id": "c1", "x-session-id": "s1" })).toEqual(call("vapi", "chat:s1"));
  expect(asked({ "x-chat-id": "c1" })).toEqual(call("vapi", "chat:c1"));
  expect(asked({ "x-call-id": "v1", "x-chat-id": "c1" })).toEqual(call("vapi", "v1"));
});
