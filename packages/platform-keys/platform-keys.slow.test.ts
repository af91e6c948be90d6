import { createPublicKey, verify } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/fixtures/aws.ts";
import { KeySet } from "@vitaline/contract";
import { platformStore, type PlatformContext } from "@vitaline/store/platform.ts";
import { generatePlatformKey, jwksMaxAgeSeconds, keySet, signWithPlatformKey } from "./index.ts";

let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
});
afterAll(() => it.close());

const inSeconds = (seconds: number): PlatformContext => {
  const ctx = { ...it.platform(), clock: () => new Date(Date.now() + seconds * 1000) };
  return { ...ctx, platform: platformStore(ctx) };
};

test("before a first key nothing is signed, and the key set is empty", async () => {
  expect(await keySet(it.platform())).toEqual({ keys: [] });
  await expect(signWithPlatformKey(it.platform(), "RS384", (kid) => kid)).rejects.toMatchObject({ code: "ehr_auth" });
});

test("the first key signs at once; what it signs verifies against the published key set under RS256 and RS384", async () => {
  const { kid, state } = await generatePlatformKey(it.platform());
  expect(state).toBe("active");
  const published = KeySet.parse(await keySet(it.platform()));
  expect(published.keys[0]?.kid).toBe(kid);
  for (const [algorithm, hash] of [
    ["RS256", "sha256"],
    ["RS384", "sha384"],
  ] as const) {
    const { input, signature } = await signWithPlatformKey(it.platform(), algorithm, (named) => `header of ${named}`);
    const jwk = published.keys.find(({ alg }) => alg === algorithm);
    expect(input).toBe(`header of ${jwk?.kid}`);
    expect(verify(hash, Buffer.from(input), createPublicKey({ key: { kty: "RSA", n: jwk?.n, e: jwk?.e }, format: "jwk" }), signature)).toBe(
      true,
    );
  }
});

test("a later key is published at once and signs only when every peer has had time to fetch it", async () => {
  const first = (await keySet(it.platform())).keys[0]?.kid;
  const { kid, state } = await generatePlatformKey(it.platform());
  expect(state).toBe("pending");
  expect((await keySet(it.platform())).keys.map((key) => key.kid)).toContain(kid);
  const signer = async (ctx: PlatformContext) => (await signWithPlatformKey(ctx, "RS256", (named) => named)).input;
  expect(await signer(it.platform())).toBe(first);
  expect(await signer(inSeconds(2 * jwksMaxAgeSeconds + 61))).toBe(kid);
  expect((await keySet(inSeconds(2 * jwksMaxAgeSeconds + 61))).keys[0]?.kid).toBe(kid);
});

test("a key that was replaced stays published until what it signed has run out, and then makes room for another", async () => {
  const first = (await keySet(it.platform())).keys[0]?.kid;
  const published = async (ctx: PlatformContext) => (await keySet(ctx)).keys.map(({ kid }) => kid);
  expect(await published(inSeconds(3 * jwksMaxAgeSeconds))).toContain(first);
  expect(await published(inSeconds(4 * jwksMaxAgeSeconds + 60))).not.toContain(first);
});

test("of two keys made at once one is refused, and no more than four live at once", async () => {
  const tries = await Promise.allSettled([generatePlatformKey(it.platform()), generatePlatformKey(it.platform())]);
  expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await generatePlatformKey(it.platform());
  await expect(generatePlatformKey(it.platform())).rejects.toMatchObject({ code: "not_doable" });
  await expect(generatePlatformKey(inSeconds(5 * jwksMaxAgeSeconds))).resolves.toMatchObject({ state: "pending" });
});
