import { createPublicKey, verify } from "node:crypto";
import { KeySet } from "@vitaline/contract";
import { platformStore, type PlatformContext } from "@vitaline/store/platform.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { jwksMaxAgeSeconds } from "./index.ts";

type PlatformKeys = typeof import("./index.ts");
let generatePlatformKey: PlatformKeys["generatePlatformKey"];
let keySet: PlatformKeys["keySet"];
let listPlatformKeys: PlatformKeys["listPlatformKeys"];
let retirePlatformKey: PlatformKeys["retirePlatformKey"];
let signWithPlatformKey: PlatformKeys["signWithPlatformKey"];
let it: TestAws;
beforeEach(async () => {
  it = await startTestAws();
  // The active key is cached per module.
  vi.resetModules();
  ({ generatePlatformKey, keySet, listPlatformKeys, retirePlatformKey, signWithPlatformKey } = await import("./index.ts"));
});
afterEach(async () => {
  vi.resetModules();
  await it.close();
});
const generate = async (count: number): Promise<void> => {
  for (let made = 0; made < count; made++) await generatePlatformKey(it.platform());
};

const inSeconds = (seconds: number): PlatformContext => {
  const ctx = { ...it.platform(), clock: () => new Date(Date.now() + seconds * 1000) };
  return { ...ctx, platform: platformStore(ctx) };
};

test("before a first key nothing is signed, and the key set is empty", async () => {
  expect(await keySet(it.platform())).toEqual({ keys: [] });
  await expect(signWithPlatformKey(it.platform(), "RS384", (kid) => kid)).rejects.toMatchObject({ code: "ehr_auth" });
});

test("the first key signs at once, and its signatures verify against the published key set under RS256 and RS384", async () => {
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
  await generate(1);
  const first = (await keySet(it.platform())).keys[0]?.kid;
  const { kid, state } = await generatePlatformKey(it.platform());
  expect(state).toBe("pending");
  expect((await keySet(it.platform())).keys.map((key) => key.kid)).toContain(kid);
  const signer = async (ctx: PlatformContext) => (await signWithPlatformKey(ctx, "RS256", (named) => named)).input;
  expect(await signer(it.platform())).toBe(first);
  expect(await signer(inSeconds(2 * jwksMaxAgeSeconds + 61))).toBe(kid);
  expect((await keySet(inSeconds(2 * jwksMaxAgeSeconds + 61))).keys[0]?.kid).toBe(kid);
});

test("a replaced key stays published until its signatures have expired, and then makes room for another", async () => {
  await generate(2);
  const first = (await keySet(it.platform())).keys[0]?.kid;
  const published = async (ctx: PlatformContext) => (await keySet(ctx)).keys.map(({ kid }) => kid);
  expect(await published(inSeconds(3 * jwksMaxAgeSeconds))).toContain(first);
  expect(await published(inSeconds(4 * jwksMaxAgeSeconds + 60))).not.toContain(first);
});

test("of two keys made at once one is refused, and no more than four live at once", async () => {
  await generate(2);
  const tries = await Promise.allSettled([generatePlatformKey(it.platform()), generatePlatformKey(it.platform())]);
  expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await generatePlatformKey(it.platform());
  await expect(generatePlatformKey(it.platform())).rejects.toMatchObject({ code: "not_doable" });
  await expect(generatePlatformKey(inSeconds(5 * jwksMaxAgeSeconds))).resolves.toMatchObject({ state: "pending" });
});

test("every key is listed, newest first, with its state by the clock and when it last signed, and nothing that it is made of", async () => {
  await generate(3);
  await signWithPlatformKey(it.platform(), "RS256", (kid) => kid);
  const now = await listPlatformKeys(it.platform());
  expect(now.map(({ createdAt }) => createdAt)).toEqual(
    now
      .map(({ createdAt }) => createdAt)
      .toSorted()
      .reverse(),
  );
  expect(now.at(-1)).toMatchObject({ state: "active", alg: "RS256", lastSignedAt: expect.any(String) });
  expect(now.slice(0, -1).every(({ state, lastSignedAt }) => state === "pending" || lastSignedAt !== null)).toBe(true);
  expect(JSON.stringify(now)).not.toMatch(/arn:|"n"/);
  const soon = await listPlatformKeys(inSeconds(2 * jwksMaxAgeSeconds + 61));
  expect(soon.at(-1)?.state).toBe("previous");
  expect(soon.filter(({ state }) => state === "active")).toHaveLength(1);
  const muchLater = await listPlatformKeys(inSeconds(30 * jwksMaxAgeSeconds));
  expect(muchLater.map(({ state }) => state)).toEqual(["active", ...Array.from({ length: muchLater.length - 1 }, () => "retired")]);
});

test("a key that signs is noted once a minute, with one unit, beside the keys themselves", async () => {
  await generate(1);
  const ctx = inSeconds(36_000);
  await signWithPlatformKey(ctx, "RS256", (kid) => kid);
  it.resetUsage();
  await signWithPlatformKey(ctx, "RS256", (kid) => kid);
  expect(it.usage()).toEqual([]);
  const later = inSeconds(36_061);
  await signWithPlatformKey(later, "RS256", (kid) => kid);
  expect(it.usage().filter(({ writeUnits }) => writeUnits > 0)).toMatchObject([{ operation: "UpdateItem", writeUnits: 1 }]);
});

test("only a previous key is retired by hand: it leaves the key set, makes room, and stays retired", async () => {
  await generate(2);
  const [pending] = await listPlatformKeys(it.platform());
  const active = (await listPlatformKeys(it.platform())).find(({ state }) => state === "active");
  for (const kid of [pending?.kid ?? "", active?.kid ?? ""])
    await expect(retirePlatformKey(it.platform(), kid)).rejects.toMatchObject({ code: "not_doable" });
  await expect(retirePlatformKey(it.platform(), "no-such-key-0123456789")).rejects.toMatchObject({ code: "not_found" });

  const soon = inSeconds(2 * jwksMaxAgeSeconds + 61);
  const published = async () => (await keySet(soon)).keys.map(({ kid }) => kid);
  const before = await published();
  expect(before).toEqual(expect.arrayContaining([active?.kid, `${active?.kid}-384`]));
  expect(await retirePlatformKey(soon, `${active?.kid}-384`)).toMatchObject({ kid: active?.kid, state: "retired" });
  expect(await retirePlatformKey(soon, active?.kid ?? "")).toMatchObject({ state: "retired" });
  expect(await published()).toEqual(before.filter((kid) => !kid.startsWith(active?.kid ?? "")));
  expect((await listPlatformKeys(soon)).find(({ kid }) => kid === active?.kid)?.state).toBe("retired");
});
