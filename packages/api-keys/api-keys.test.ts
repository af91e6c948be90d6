import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/fixtures/aws.ts";
import { keys } from "@vitaline/store";
import { createTenant } from "@vitaline/tenants";
import { isWellFormed, newApiKey } from "./format.ts";
import { revealApiKey, rotateApiKey, verifyApiKey } from "./index.ts";

let it: TestAws;
let one: { id: string; apiKey: string };
let two: { id: string; apiKey: string };

beforeAll(async () => {
  it = await startTestAws();
  const make = (name: string) => createTenant(it.platform(), { name, organizationType: "clinic", contactEmail: "x@y.example" });
  [one, two] = await Promise.all([make("One"), make("Two")]);
});
afterAll(() => it.close());

const tenantRow = async (id: string) => {
  const row = await it.inTenant(id).store.get(keys.tenantConfig());
  if (!row) throw new Error("no such tenant");
  return row;
};

test("a new key is well formed, and no key with one sign changed is", () => {
  fc.assert(
    fc.property(fc.nat({ max: 35 }), fc.constantFrom(..."0aZ9"), (position, sign) => {
      const key = newApiKey();
      expect(isWellFormed(key)).toBe(true);
      const at = 9 + position;
      if (key[at] !== sign) expect(isWellFormed(key.slice(0, at) + sign + key.slice(at + 1))).toBe(false);
    }),
  );
});

test("a key belongs to its tenant alone, found by one strong read", async () => {
  it.resetUsage();
  expect(await verifyApiKey(it.platform(), [one.apiKey])).toMatchObject({ tenantId: one.id });
  expect(it.usage()).toMatchObject([{ operation: "GetItem", readUnits: 1, writeUnits: 0 }]);
  expect(await verifyApiKey(it.platform(), [two.apiKey, two.apiKey])).toMatchObject({ tenantId: two.id });
});

test("a missing, malformed, unknown or doubled key gets one answer, and a malformed one no I/O", async () => {
  it.resetUsage();
  const refusals = await Promise.all(
    [[], [""], ["vtl_live_x"], [`${one.apiKey}x`], [one.apiKey, two.apiKey]].map((presented) =>
      verifyApiKey(it.platform(), presented).catch(String),
    ),
  );
  expect(it.usage()).toEqual([]);
  refusals.push(await verifyApiKey(it.platform(), [newApiKey()]).catch(String));
  expect(new Set(refusals).size).toBe(1);
});

test("the key can be shown again, and neither it nor its hash stands in the table in the clear", async () => {
  expect(await revealApiKey(it.inTenant(one.id), await tenantRow(one.id))).toBe(one.apiKey);
  expect(await revealApiKey(it.inTenant(two.id), await tenantRow(two.id))).toBe(two.apiKey);
  const rows = await it.inTenant(one.id).store.query(keys.tenantPartitions.config(one.id));
  expect(JSON.stringify(rows)).not.toContain(one.apiKey.slice(9, 30));
});

test("a rotated key is refused by the next request, the new one accepted, the other tenant's untouched", async () => {
  const fresh = await rotateApiKey(it.inTenant(one.id));
  await expect(verifyApiKey(it.platform(), [one.apiKey])).rejects.toMatchObject({ code: "unauthenticated" });
  expect(await verifyApiKey(it.platform(), [fresh])).toMatchObject({ tenantId: one.id });
  expect(await verifyApiKey(it.platform(), [two.apiKey])).toMatchObject({ tenantId: two.id });
  expect(await revealApiKey(it.inTenant(one.id), await tenantRow(one.id))).toBe(fresh);
  one = { ...one, apiKey: fresh };
});

test("with an overlap the old key works beside the new one until its end", async () => {
  const fresh = await rotateApiKey(it.inTenant(two.id), 60);
  expect(await verifyApiKey(it.platform(), [two.apiKey])).toMatchObject({ tenantId: two.id });
  await expect(verifyApiKey({ ...it.platform(), clock: () => new Date(Date.now() + 61_000) }, [two.apiKey])).rejects.toMatchObject({
    code: "unauthenticated",
  });
  expect(await verifyApiKey({ ...it.platform(), clock: () => new Date(Date.now() + 61_000) }, [fresh])).toMatchObject({ tenantId: two.id });
});

test("a rotation without overlap leaves no older key alive, and one with it at most the last", async () => {
  const [k1, k2] = [await rotateApiKey(it.inTenant(two.id), 600), await rotateApiKey(it.inTenant(two.id), 600)];
  const accepted = async (key: string) => (await verifyApiKey(it.platform(), [key]).catch(() => undefined)) !== undefined;
  expect([await accepted(two.apiKey), await accepted(k1), await accepted(k2)]).toEqual([false, true, true]);
  const k3 = await rotateApiKey(it.inTenant(two.id));
  expect([await accepted(k1), await accepted(k2), await accepted(k3)]).toEqual([false, false, true]);
});

test("of two rotations at once one wins and one is told to reload; the key on record works", async () => {
  const results = await Promise.allSettled([rotateApiKey(it.inTenant(one.id)), rotateApiKey(it.inTenant(one.id))]);
  const won = results.filter((result) => result.status === "fulfilled");
  expect(won).toHaveLength(1);
  expect(results.find((result) => result.status === "rejected")?.reason).toMatchObject({ code: "stale_version" });
  const shown = await revealApiKey(it.inTenant(one.id), await tenantRow(one.id));
  expect(shown).toBe(won[0]?.value);
  expect(await verifyApiKey(it.platform(), [shown])).toMatchObject({ tenantId: one.id });
});
