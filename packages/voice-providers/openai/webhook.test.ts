import { createHmac } from "node:crypto";
import { isAppError } from "@vitaline/core";
import fc from "fast-check";
import OpenAI from "openai";
import type { Webhooks } from "openai/resources/webhooks/webhooks";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openAi } from "./adapter.ts";
import { hasValidSignature, sipNumber } from "./webhook.ts";

const now = new Date("2026-03-02T10:00:00.400Z");
const nowSeconds = Math.floor(now.getTime() / 1000);
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now }));
afterAll(() => void vi.useRealTimers());

type Request = { id: string; timestamp: string; signature: string; body: Buffer; secret: string };

const keyOf = (secret: string): Buffer => (secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret));
const signed = (id: string, timestamp: string, body: Buffer, secret: string): Request => ({
  id,
  timestamp,
  body,
  secret,
  signature: `v1,${createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest("base64")}`,
});
const headersOf = ({ id, timestamp, signature }: Request) => ({
  "webhook-id": id,
  "webhook-timestamp": timestamp,
  "webhook-signature": signature,
});
const ours = (request: Request): boolean => {
  const headers: Record<string, string> = headersOf(request);
  return hasValidSignature({ header: (name) => headers[name], rawBody: request.body, secret: request.secret, now });
};
const client = new OpenAI({ apiKey: "unused" });
const theirs = (request: Request): Promise<boolean> =>
  client.webhooks.verifySignature(request.body.toString(), headersOf(request), request.secret).then(
    () => true,
    () => false,
  );

const secrets = fc.oneof(
  fc.uint8Array({ minLength: 24, maxLength: 64 }).map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`),
  fc.string({ minLength: 8, unit: "grapheme-ascii" }).filter((text) => !text.startsWith("whsec_")),
);
const requests = fc
  .tuple(
    fc.stringMatching(/^[\w-]{1,40}$/),
    fc.oneof(fc.integer({ min: -320, max: 320 }), fc.constantFrom(-301, -300, 300, 301)),
    fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))),
    secrets,
  )
  .map(([id, ageSeconds, body, secret]) => signed(id, String(nowSeconds - ageSeconds), body, secret));

const garbage = fc.constantFrom("v1,", "v1,AAAA", "v2,x", "v1a,b", ",", "v1,!!!!", `v1,${"A".repeat(43)}=`);
const changes: fc.Arbitrary<(request: Request) => Request> = fc.oneof(
  fc.constant((request: Request) => request),
  fc.constant((request: Request) => ({ ...request, id: `${request.id}x` })),
  fc.constant((request: Request) => ({ ...request, timestamp: String(Number(request.timestamp) + 1) })),
  fc.constant((request: Request) => ({ ...request, secret: `${request.secret}MTIz` })),
  fc.nat().map((at) => (request: Request) => {
    const body = Buffer.from(request.body);
    body[at % body.length] = (body[at % body.length] ?? 0) ^ 1;
    return { ...request, body };
  }),
  fc.tuple(fc.array(garbage, { maxLength: 3 }), fc.boolean()).map(([others, isLast]) => (request: Request) => ({
    ...request,
    signature: (isLast ? [...others, request.signature] : [request.signature, ...others]).join(" "),
  })),
  garbage.map((signature) => (request: Request) => ({ ...request, signature })),
);

test("a webhook is believed exactly when OpenAI's own SDK believes it: altered, old, from the future, or with several signatures", async () => {
  await fc.assert(
    fc.asyncProperty(requests, changes, async (request, change) => {
      const sent = change(request);
      expect(ours(sent)).toBe(await theirs(sent));
    }),
    { numRuns: 500 },
  );
});

test("a signature of any Standard Webhooks library is accepted for five minutes in both directions", () => {
  const secret = `whsec_${Buffer.from("a secret of twenty-four+ bytes").toString("base64")}`;
  const body = Buffer.from('{"type":"realtime.call.incoming"}');
  for (const [ageSeconds, isBelieved] of [
    [0, true],
    [300, true],
    [-300, true],
    [301, false],
    [-301, false],
  ] as const) {
    const at = new Date((nowSeconds - ageSeconds) * 1000);
    const signature = new Webhook(secret).sign("wh_1", at, body.toString());
    const request = { id: "wh_1", timestamp: String(at.getTime() / 1000), signature, body, secret };
    expect([ageSeconds, ours(request)]).toEqual([ageSeconds, isBelieved]);
  }
});

test("bytes that are no text are signed as they are: one of them altered is another body", () => {
  const request = signed("wh_1", String(nowSeconds), Buffer.from([0x22, 0xff, 0x22]), "whsec_c2VjcmV0IHNlY3JldA==");
  expect(ours(request)).toBe(true);
  expect(ours({ ...request, body: Buffer.from([0x22, 0xfe, 0x22]) })).toBe(false);
});

test("nothing is believed without a header, with a time that is no number, or without a secret", () => {
  const request = signed("wh_1", String(nowSeconds), Buffer.from("{}"), "whsec_c2VjcmV0IHNlY3JldA==");
  const without: Partial<Request>[] = [{ id: "" }, { timestamp: "" }, { signature: "" }, { timestamp: `${nowSeconds}abc` }];
  for (const each of without) expect([each, ours({ ...request, ...each })]).toEqual([each, false]);
  for (const empty of ["", "whsec_"]) expect(ours(signed("wh_1", String(nowSeconds), Buffer.from("{}"), empty))).toBe(false);
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (id, timestamp, signature) => {
      expect(ours({ ...request, id, timestamp, signature })).toBe(false);
    }),
  );
});

const incoming = (headers: [string, string][], callId = "rtc_1"): Webhooks.RealtimeCallIncomingWebhookEvent => ({
  id: "evt_1",
  object: "event",
  created_at: 1_772_445_600,
  type: "realtime.call.incoming",
  data: { call_id: callId, sip_headers: headers.map(([name, value]) => ({ name, value })), sip_media_security: "srtp" },
});

test("an incoming call is read with its id, caller and called number; the first of duplicate headers counts", () => {
  const event = incoming([
    ["From", '"Ann, <sip:+1@evil>" <sip:+16175550123@carrier.example;user=phone>;tag=ab'],
    ["To", "sip:+1-415-555-0100@sip.api.openai.com"],
    ["to", "sip:+14155550199@sip.api.openai.com"],
    ["Call-ID", "03782086"],
  ]);
  expect(openAi.decodeIncoming(event)).toEqual({
    platform: "openai",
    callId: "rtc_1",
    callerNumber: "+16175550123",
    calledNumber: "+14155550100",
  });
});

test.each([
  ["sip:+16175550123@host", "+16175550123"],
  ["<sips:6175550123@host>", "6175550123"],
  ["<tel:+1-(617)-555.0123;phone-context=x>", "+16175550123"],
  ["SIP:%2B16175550123@host", "+16175550123"],
  ["sip:+16175550123;npdi@host", "+16175550123"],
  ["sip:proj_abc@sip.api.openai.com", undefined],
  ["<sip:anonymous@anonymous.invalid>", undefined],
  ['"+16175550123" <sip:anonymous@anonymous.invalid>', undefined],
  ["sip:%E0%A4%A@host", undefined],
  ["+16175550123", undefined],
  ["", undefined],
])("the address %s names %s", (header, number) => expect(sipNumber(header)).toBe(number));

test("a number in any formatting is the same number", () => {
  const separators = fc.constantFrom("", "-", ".", " ", "(", ")", "%20");
  fc.assert(
    fc.property(fc.stringMatching(/^[1-9]\d{6,14}$/), fc.array(separators, { minLength: 15, maxLength: 15 }), (digits, between) => {
      const readable = [...digits].map((digit, at) => digit + (between[at] ?? "")).join("");
      expect(sipNumber(`<sip:+${readable}@host;x=y>;tag=z`)).toBe(`+${digits}`);
    }),
  );
});

test("other events, and a call without an id, ask for no answer; odd headers cost themselves alone", () => {
  for (const body of [{ ...incoming([]), type: "live.transport.incoming" }, { type: "realtime.call.incoming" }, { data: {} }, "text", null])
    expect(openAi.decodeIncoming(body)).toBeUndefined();
  const odd = {
    ...incoming([]),
    data: { call_id: "rtc_1", sip_headers: [null, 7, { name: "From" }, { name: "To", value: "sip:+14155550100@x" }] },
  };
  expect(openAi.decodeIncoming(odd)).toEqual({ platform: "openai", callId: "rtc_1", calledNumber: "+14155550100" });
});

test("for any body nothing but invalid_request is thrown", () => {
  const events = fc.record(
    {
      type: fc.constant("realtime.call.incoming"),
      data: fc.oneof(fc.anything(), fc.record({ call_id: fc.anything(), sip_headers: fc.anything() })),
    },
    { requiredKeys: ["type"] },
  );
  const header = (_name: string) => undefined;
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.jsonValue(), events), (body) => {
      try {
        openAi.decodeIncoming(body);
        openAi.decodeToolCalls(body, { header });
        openAi.decodeCallEvent(body);
        openAi.acknowledge(body);
      } catch (error) {
        expect(isAppError(error, "invalid_request")).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});
