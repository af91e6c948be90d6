import { createHmac } from "node:crypto";
import fc from "fast-check";
import OpenAI from "openai";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isSigned } from "./is-signed.ts";

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
  return isSigned({ header: (name) => headers[name], rawBody: request.body, secret: request.secret, now });
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

test("what any Standard Webhooks library signs is believed for five minutes, in both directions", () => {
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
