import { createHmac } from "node:crypto";
import { Vapi } from "@vapi-ai/server-sdk";
import { keys } from "@vitaline/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { vapi } from "./adapter.ts";

const answerTo = (type: string) => vapi.acknowledge({ message: { type, call: { id: "call-a" } } });

const noTransfer: Vapi.ServerMessageResponseTransferDestinationRequest = { error: "I can't put you through at the moment." };
const noHandoff: Vapi.ServerMessageResponseHandoffDestinationRequest = { destination: {}, error: "I can't put you through at the moment." };
const noDocuments: Vapi.ServerMessageResponseKnowledgeBaseRequest = { documents: [] };
const usualPause: Vapi.ServerMessageResponseCallEndpointingRequest = { timeoutSeconds: 0.5 };
const noDialling: Vapi.ServerMessageResponseCampaignPredial = { eligible: false };

describe("Vapi's messages that ask for no tool", () => {
  it.each<[string, object]>([
    ["transfer-destination-request", noTransfer],
    ["handoff-destination-request", noHandoff],
    ["knowledge-base-request", noDocuments],
    ["call.endpointing.request", usualPause],
    ["campaign.predial", noDialling],
  ])("that want an answer get one that leaves the call unharmed: %s", (type, answer) => {
    expect(answerTo(type)).toEqual(answer);
  });

  it.each([
    ...Object.values(Vapi.AssistantServerMessagesItem).filter(
      (type) => !["tool-calls", "function-call", "transfer-destination-request", "handoff-destination-request"].includes(type),
    ),
    "voice-request",
    "user-interrupted",
    "call.artifact.upload",
    "invented-next-year",
    "__proto__",
    "constructor",
    "",
  ])("that want none get an empty one: %s", (type) => {
    expect(answerTo(type)).toEqual({});
  });

  it("of any shape are answered", () => {
    fc.assert(fc.property(fc.jsonValue(), (body) => void expect(vapi.acknowledge(body)).toEqual({})));
  });
});

const secret = "hook-secret-0815";
const now = new Date("2026-11-20T10:00:00Z");
const rawBody = Buffer.from('{"message":{"type":"hang"}}');
const signed = (headers: Record<string, string>, more: { rawBody?: Buffer; secret?: string; now?: Date } = {}) =>
  vapi.hasValidSignature({ header: (name) => headers[name], rawBody, secret, now, ...more });
const mac = (timestamp: number | string, encoding: "hex" | "base64" = "hex", body = rawBody, key = secret) =>
  createHmac("sha256", key).update(`${timestamp}.`).update(body).digest(encoding);
const headers = (timestamp: number | string, signature = mac(timestamp)) => ({
  "x-signature": signature,
  "x-timestamp": String(timestamp),
});
const seconds = now.getTime() / 1000;

describe("Vapi's HMAC credential", () => {
  it("is taken in hex and base64, with and without its prefix, and with its time in seconds and milliseconds", () => {
    for (const timestamp of [seconds, now.getTime()])
      for (const encoding of ["hex", "base64"] as const)
        for (const prefix of ["", "sha256=", "SHA256="]) expect(signed(headers(timestamp, prefix + mac(timestamp, encoding)))).toBe(true);
    expect(signed(headers(seconds, mac(seconds).toUpperCase()))).toBe(true);
  });

  it("counts for five minutes in either direction", () => {
    for (const [apart, isIn] of [
      [-300, true],
      [300, true],
      [-301, false],
      [301, false],
      [-86_400, false],
    ] as const)
      for (const timestamp of [seconds + apart, (seconds + apart) * 1000])
        expect([apart, signed(headers(timestamp))]).toEqual([apart, isIn]);
  });

  it("is refused for other bytes, another time, another secret, or without either header", () => {
    expect(signed(headers(seconds), { rawBody: Buffer.from('{"message":{"type":"hanG"}}') })).toBe(false);
    expect(signed(headers(seconds + 1, mac(seconds)))).toBe(false);
    expect(signed(headers(seconds), { secret: "hook-secret-0816" })).toBe(false);
    expect(signed({ "x-signature": mac(seconds) })).toBe(false);
    expect(signed({ "x-timestamp": String(seconds) })).toBe(false);
    for (const signature of ["", "sha256=", mac(seconds).slice(2), `${mac(seconds)}00`, "zz".repeat(32), "="])
      expect(signed(headers(seconds, signature))).toBe(false);
    for (const timestamp of ["", " ", "now", "1e9", "-1", "Infinity", "9".repeat(16), `${seconds}.0`])
      expect(signed(headers(timestamp))).toBe(false);
  });

  it("is not helped by the secret beside a signature that is wrong", () => {
    expect(signed({ ...headers(seconds, mac(0)), "x-vapi-secret": secret, authorization: `Bearer ${secret}` })).toBe(false);
  });

  it("covers the received bytes, also if they are no text", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(), (bytes, at) => {
        const body = Buffer.from(bytes);
        const good = headers(seconds, mac(seconds, "hex", body));
        expect(signed(good, { rawBody: body })).toBe(true);
        if (body.length === 0) return;
        const altered = Buffer.from(body);
        altered[at % body.length]! ^= 1;
        expect(signed(good, { rawBody: altered })).toBe(false);
      }),
    );
  });
});

describe("Vapi's bearer credential", () => {
  it("is the secret itself, as a token or as X-Vapi-Secret", () => {
    expect(signed({ "x-vapi-secret": secret })).toBe(true);
    expect(signed({ authorization: `Bearer ${secret}` })).toBe(true);
    expect(signed({ authorization: `bearer  ${secret} `, "x-vapi-secret": secret })).toBe(true);
  });

  it("is refused when it is absent, wrong, in another form, or one of two is wrong", () => {
    for (const wrong of [
      {},
      { "x-vapi-secret": "" },
      { "x-vapi-secret": "hook-secret-0816" },
      { "x-vapi-secret": `${secret} ` },
      { authorization: secret },
      { authorization: `Basic ${secret}` },
      { authorization: "Bearer" },
      { authorization: "Bearer other", "x-vapi-secret": secret },
      { authorization: `Basic ${secret}`, "x-vapi-secret": secret },
      { authorization: `Bearer ${secret}`, "x-vapi-secret": "other" },
    ] as Record<string, string>[])
      expect([wrong, signed(wrong)]).toEqual([wrong, false]);
  });
});

describe("Vapi's change of language", () => {
  const told = (language: string, more: object = {}) => {
    const detected: Partial<Vapi.ServerMessageLanguageChangeDetected> = { type: "language-change-detected", language };
    return vapi.decodeLanguage({ message: { call: { id: "call-a" }, ...detected, ...more } });
  };

  it("is read for its call; another language, message or one without a call tells nothing", () => {
    expect(told("es")).toEqual({ callKey: keys.callKeyOf("vapi", "call-a"), language: "es" });
    expect(told("en-US")).toMatchObject({ language: "en" });
    for (const other of [told("vi"), told("es", { call: {} }), told("es", { type: "status-update" }), vapi.decodeLanguage("es")])
      expect(other).toBeUndefined();
  });
});
