import { createHmac } from "node:crypto";
import { ElevenLabsClient } from "@elevenlabs/elevenlabs-js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { elevenLabs } from "./adapter.ts";

const secret = "wsec_0123456789";
const now = new Date("2026-11-20T10:00:00Z");
const nowSeconds = now.getTime() / 1000;
const body = JSON.stringify({ type: "post_call_transcription", data: { conversation_id: "conv_ä" } });
const hash = (seconds: number | string, raw: string | Buffer, key = secret) =>
  createHmac("sha256", key).update(`${seconds}.`).update(raw).digest("hex");
const signature = (seconds: number = nowSeconds, raw: string | Buffer = body, key = secret) => `t=${seconds},v0=${hash(seconds, raw, key)}`;
const hasValidSignature = (header: string | undefined, rawBody: string | Buffer = body, more: { secret?: string; now?: Date } = {}) =>
  elevenLabs.hasValidSignature({
    header: (name) => (name === "elevenlabs-signature" ? header : undefined),
    rawBody: Buffer.from(rawBody),
    secret,
    now,
    ...more,
  });

describe("ElevenLabs' signature", () => {
  it("is that over the time and the very bytes of the body", () => {
    expect(hasValidSignature(signature())).toBe(true);
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x7b]);
    expect(hasValidSignature(signature(nowSeconds, bytes), bytes)).toBe(true);
  });

  it("is accepted by the platform's own SDK", async () => {
    const { webhooks } = new ElevenLabsClient({ apiKey: "none" });
    const seconds = Math.floor(Date.now() / 1000);
    const theirs = (header: string, raw: string) =>
      webhooks.constructEvent(raw, header, secret).then(
        () => true,
        () => false,
      );
    for (const [header, raw] of [
      [signature(seconds), body],
      [signature(seconds, body, "other"), body],
      [signature(seconds), `${body} `],
      [signature(seconds - 1700), body],
      [signature(seconds - 1900), body],
      ["", body],
      [`t=${seconds}`, body],
    ] as const)
      expect([header, hasValidSignature(header, raw, { now: new Date(seconds * 1000) })]).toEqual([header, await theirs(header, raw)]);
  });

  it("holds for half an hour and allows for a clock that is five minutes ahead", () => {
    for (const [ageSeconds, valid] of [
      [0, true],
      [1800, true],
      [1801, false],
      [-300, true],
      [-301, false],
      [86_400 * 365, false],
    ] as const)
      expect([ageSeconds, hasValidSignature(signature(nowSeconds - ageSeconds))]).toEqual([ageSeconds, valid]);
  });

  it("may be one of several, while the secret is being replaced", () => {
    const [old, fresh] = [hash(nowSeconds, body, "old"), hash(nowSeconds, body)];
    expect(hasValidSignature(`t=${nowSeconds},v0=${old},v0=${fresh}`)).toBe(true);
    expect(hasValidSignature(`v0=${fresh}, t=${nowSeconds}`)).toBe(true);
    expect(hasValidSignature(`t=${nowSeconds},v0=${old},v0=${old}`)).toBe(false);
    expect(hasValidSignature(`t=${nowSeconds},${Array.from({ length: 50 }, () => `v0=${fresh}`).join(",")}`)).toBe(false);
  });

  it("is none without a header, a secret, one time or a whole hash", () => {
    const fresh = hash(nowSeconds, body);
    for (const header of [
      undefined,
      "",
      fresh,
      `v0=${fresh}`,
      `t=,v0=${hash("", body)}`,
      `t=${nowSeconds}`,
      `t=${nowSeconds},v1=${fresh}`,
      `t=${nowSeconds},v0=`,
      `t=${nowSeconds},v0=${fresh.slice(0, 62)}`,
      `t=${nowSeconds},v0=${fresh}00`,
      `t=${nowSeconds},t=${nowSeconds},v0=${fresh}`,
      `t=${nowSeconds}.0,v0=${hash(`${nowSeconds}.0`, body)}`,
      `t=-1,v0=${hash("-1", body)}`,
      `t=NaN,v0=${hash("NaN", body)}`,
    ])
      expect([header, hasValidSignature(header)]).toEqual([header, false]);
    expect(hasValidSignature(`t=${nowSeconds},v0=${hash(nowSeconds, body, "")}`, body, { secret: "" })).toBe(false);
  });

  it("is not of a body, a time or a secret that differs in one sign", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, at, flip) => {
        const changed = Buffer.from(bytes);
        changed[at % bytes.length]! ^= flip;
        expect(hasValidSignature(signature(nowSeconds, Buffer.from(bytes)), Buffer.from(bytes))).toBe(true);
        expect(hasValidSignature(signature(nowSeconds, Buffer.from(bytes)), changed)).toBe(false);
      }),
    );
    expect(hasValidSignature(signature().replace(`t=${nowSeconds}`, `t=${nowSeconds + 1}`))).toBe(false);
    expect(hasValidSignature(signature(), body, { secret: `${secret}0` })).toBe(false);
  });

  it("of any header never throws", () => {
    const part = fc.oneof(fc.string(), fc.constantFrom("t=", "v0=", `t=${nowSeconds}`, "v0=ü", `v0=${"0".repeat(64)}`));
    const header = fc.array(part).map((parts) => parts.join(","));
    fc.assert(fc.property(header, (given) => void expect(hasValidSignature(given)).toBe(false)));
  });
});
