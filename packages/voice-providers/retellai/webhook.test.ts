import { createHmac } from "node:crypto";
import fc from "fast-check";
import Retell from "retell-sdk";
import { symmetric } from "retell-sdk/lib/webhook_auth";
import { describe, expect, it } from "vitest";
import { retellAi } from "./adapter.ts";

const now = new Date("2026-03-01T10:00:00.000Z");
const windowMs = 5 * 60 * 1000;
const secret = "key_0123456789abcdef";
const otherTenants = "key_fedcba9876543210";

const accepts = (signature: string | undefined, rawBody: string | Buffer, by = secret, at = now) =>
  retellAi.hasValidSignature({
    header: (name) => (name === "x-retell-signature" ? signature : undefined),
    rawBody: Buffer.from(rawBody),
    secret: by,
    now: at,
  });

const body = '{"event":"call_ended","call":{"call_id":"call-a"}}';

describe("Retell's signature", () => {
  it("is accepted as Retell's own SDK makes it, over any body", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.string({ minLength: 1 }), async (text, key) => {
        expect(accepts(await Retell.sign(text, key), text, key, new Date())).toBe(true);
      }),
    );
  });

  it("is judged as Retell's own SDK judges it, for any header, body and time", async () => {
    const shift = fc.oneof(fc.constantFrom(0, 1, windowMs - 1, windowMs, windowMs + 1), fc.integer({ min: 0, max: 2 * windowMs }));
    const altered = fc.constantFrom<(signature: string, text: string) => string>(
      (signature) => signature,
      (signature) => signature.toUpperCase().replace("V=", "v=").replace("D=", "d="),
      (signature) => signature.toUpperCase(),
      (signature) => signature.replace("v=", "v=0"),
      (signature) => signature.slice(0, -1),
      (signature) => `${signature}0`,
      (signature) => ` ${signature}`,
      (signature) => `${signature},${signature}`,
      (signature) => signature.replace(/d=./, (start) => (start === "d=0" ? "d=1" : "d=0")),
      (signature) => signature.replace(/v=\d+/, "v="),
      (_signature, text) => text,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme" }),
        shift,
        fc.boolean(),
        altered,
        fc.boolean(),
        async (text, ms, isLate, alter, isOther) => {
          const signature = alter(await symmetric.sign(text, secret, now.getTime() + (isLate ? ms : -ms)), text);
          const by = isOther ? otherTenants : secret;
          expect(accepts(signature, text, by)).toBe(await symmetric.verify(text, by, signature, { timestamp: now.getTime() }));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("is refused for a body that is altered by one byte, anywhere", async () => {
    const signature = await symmetric.sign(body, secret, now.getTime());
    expect(accepts(signature, body)).toBe(true);
    const bytes = Buffer.from(body);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = bytes[at]! ^ 1;
      expect(accepts(signature, changed)).toBe(false);
    }
    for (const other of [`${body} `, body.slice(0, -1), "", JSON.stringify(JSON.parse(body), null, 1)])
      expect(accepts(signature, other)).toBe(false);
  });

  it("is refused where it is old, of the future, another tenant's, or missing", async () => {
    const at = (ms: number) => symmetric.sign(body, secret, now.getTime() + ms);
    for (const ms of [-windowMs, windowMs]) expect(accepts(await at(ms), body)).toBe(true);
    for (const ms of [-windowMs - 1, windowMs + 1, -Date.parse("2026-03-01T10:00:00.000Z")])
      expect(accepts(await at(ms), body)).toBe(false);
    expect(accepts(await symmetric.sign(body, otherTenants, now.getTime()), body)).toBe(false);
    for (const none of [
      undefined,
      "",
      "v=,d=",
      `v=${now.getTime()},d=`,
      `v=${now.getTime()},d=${"0".repeat(64)}`,
      `v=${"9".repeat(400)},d=${"0".repeat(64)}`,
    ])
      expect(accepts(none, body)).toBe(false);
  });

  it("covers the bytes as they came, not the text that they may be read as", () => {
    const signed = Buffer.from([0x7b, 0xff, 0x7d]);
    const digest = createHmac("sha256", secret).update(signed).update(String(now.getTime())).digest("hex");
    const signature = `v=${now.getTime()},d=${digest}`;
    expect(accepts(signature, signed)).toBe(true);
    expect(accepts(signature, Buffer.from([0x7b, 0xfe, 0x7d]))).toBe(false);
  });

  it("of a header of any length is judged at once", () => {
    fc.assert(fc.property(fc.string({ maxLength: 5000 }), (header) => void expect(accepts(header, body)).toBe(false)));
  });
});
