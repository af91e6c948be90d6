import { keys, remove, tenantStore, type TenantContext } from "@vitaline/store";
import { createTenant, updateTenant } from "@vitaline/tenants";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { listApiKeys, recordApiKeyUse, revealApiKey, revokeApiKey, rotateApiKey, verifyApiKey } from "./index.ts";
import { isWellFormed, newApiKey } from "./authenticate.ts";

let it: TestAws;
let one: { id: string; apiKey: string };
let two: { id: string; apiKey: string };

beforeEach(async () => {
  it = await startTestAws();
  const make = (name: string) => createTenant(it.platform(), { name, organizationType: "clinic", contactEmail: "x@y.example" });
  [one, two] = await Promise.all([make("One"), make("Two")]);
});
afterEach(() => it.close());

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

const aTenant = (name: string) => createTenant(it.platform(), { name, organizationType: "clinic", contactEmail: "x@y.example" });
const accepted = async (key: string) => (await verifyApiKey(it.platform(), [key]).catch(() => undefined)) !== undefined;
const keysOf = (id: string) => listApiKeys(it.inTenant(id));
const later = <C extends object>(ctx: C, ms: number): C => ({ ...ctx, clock: () => new Date(Date.now() + ms) });

describe("the list of a tenant's keys", () => {
  test("shows the current one and the former ones, newest first, without a key and without the other tenant's", async () => {
    const [mine, theirs] = await Promise.all([aTenant("Mine"), aTenant("Theirs")]);
    const k1 = await rotateApiKey(it.inTenant(mine.id), 3600);
    const k2 = await rotateApiKey(it.inTenant(mine.id), 3600);
    const listed = await keysOf(mine.id);
    expect(listed.map(({ status, last4 }) => [status, last4])).toEqual([
      ["active", k2.slice(-4)],
      ["retiring", k1.slice(-4)],
      ["revoked", mine.apiKey.slice(-4)],
    ]);
    expect(listed[1]?.notAfter).toBeTruthy();
    expect(JSON.stringify(listed)).not.toMatch(/vtl_live_|lookup/);
    expect(await keysOf(theirs.id)).toHaveLength(1);
  });

  test("tells a key whose time has come as over, and forgets it a month later", async () => {
    const { id } = await aTenant("Forgetful");
    await rotateApiKey(it.inTenant(id), 60);
    expect((await listApiKeys(later(it.inTenant(id), 61_000))).map(({ status }) => status)).toEqual(["active", "revoked"]);
    const inAMonth = later(it.inTenant(id), 31 * 86_400_000);
    expect(await listApiKeys({ ...inAMonth, store: tenantStore(inAMonth, id) })).toHaveLength(1);
  });

  test("of an unknown tenant is not found", async () => {
    await expect(keysOf("0".repeat(26))).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("revoking", () => {
  test("ends a former key by the next request, twice as well as once, and is in the audit", async () => {
    const { id, apiKey } = await aTenant("Revoking");
    const fresh = await rotateApiKey(it.inTenant(id), 3600);
    const [, old] = await keysOf(id);
    expect(await revokeApiKey(it.inTenant(id), old?.id ?? "")).toMatchObject({ id: old?.id, status: "revoked" });
    expect([await accepted(apiKey), await accepted(fresh)]).toEqual([false, true]);
    expect(await revokeApiKey(it.inTenant(id), old?.id ?? "")).toMatchObject({ status: "revoked" });
    const { audit } = keys.tenantPartitions;
    const { rows } = await it
      .inTenant(id)
      .store.query<{ action: string }>(audit(id, new Date().toISOString().slice(0, 7), "configuration_change"));
    expect(rows.filter(({ action }) => action === "apiKey.revoke")).toHaveLength(1);
  });

  test("leaves the current key alone, and knows no key of another tenant", async () => {
    const [mine, theirs] = await Promise.all([aTenant("Mine too"), aTenant("Theirs too")]);
    const [current] = await keysOf(mine.id);
    await expect(revokeApiKey(it.inTenant(mine.id), current?.id ?? "")).rejects.toMatchObject({ code: "not_doable" });
    await expect(revokeApiKey(it.inTenant(theirs.id), current?.id ?? "")).rejects.toMatchObject({ code: "not_found" });
    expect([await accepted(mine.apiKey), await accepted(theirs.apiKey)]).toEqual([true, true]);
  });
});

describe("a key that is not the current one any more", () => {
  const sealedOf = async (id: string, keyIds: string[]) => {
    const rows = await it.inTenant(id).store.batchGet(keyIds.map((keyId) => keys.sealedApiKey(keyId)));
    return keyIds.filter((_, index) => rows[index]);
  };

  test("cannot be shown again by anybody, whether it still works, was revoked or was replaced at once", async () => {
    const [{ id, apiKey }, other] = await Promise.all([aTenant("Sealed"), aTenant("Sealed too")]);
    const rotated = [await rotateApiKey(it.inTenant(id), 3600)];
    const [, first] = await keysOf(id);
    expect(
      await sealedOf(
        id,
        (await keysOf(id)).map((key) => key.id),
      ),
    ).toEqual([(await tenantRow(id)).apiKeyId]);
    expect(await accepted(apiKey)).toBe(true);
    await revokeApiKey(it.inTenant(id), first?.id ?? "");
    for (const overlapSeconds of [3600, 3600, 0]) rotated.push(await rotateApiKey(it.inTenant(id), overlapSeconds));
    const all = (await keysOf(id)).map((key) => key.id);
    expect(all).toHaveLength(5);
    expect(await sealedOf(id, all)).toEqual([(await tenantRow(id)).apiKeyId]);
    expect(await revealApiKey(it.inTenant(other.id), await tenantRow(other.id))).toBe(other.apiKey);
  });

  test("is the new one, also for a row read before the rotation", async () => {
    const { id } = await aTenant("Read before");
    const before = await tenantRow(id);
    const fresh = await rotateApiKey(it.inTenant(id));
    expect(await revealApiKey(it.inTenant(id), before)).toBe(fresh);
    await expect(revealApiKey(it.inTenant("0".repeat(26)), before)).rejects.toMatchObject({ code: "not_found" });
  });

  test("is not created again if it expires during another change", async () => {
    const { id } = await aTenant("Forgotten");
    await rotateApiKey(it.inTenant(id), 3600);
    const [, old] = await keysOf(id);
    const key = keys.apiKey(old?.id ?? "");
    const lookup = keys.keyLookup((await it.inTenant(id).store.get(key))?.lookupHash ?? "");
    const { store } = it.inTenant(id);
    const commit: TenantContext["store"]["commit"] = async (...args) => {
      await store.commit([remove(key), remove(lookup)], {
        category: "configuration_change",
        action: "test.expire",
        resourceType: "ApiKey",
      });
      return store.commit(...args);
    };
    const late = { ...it.inTenant(id), store: { ...store, commit } };
    await expect(rotateApiKey(late, 3600)).rejects.toMatchObject({ code: "stale_version" });
    await expect(revokeApiKey(late, old?.id ?? "")).rejects.toMatchObject({ code: "not_found" });
    expect([await store.get(key), await store.get(lookup)]).toEqual([undefined, undefined]);
    expect(await accepted(await rotateApiKey(it.inTenant(id), 3600))).toBe(true);
  });
});

describe("keys of an inactive tenant", () => {
  const switchTo = (id: string, isActive: boolean) =>
    updateTenant(it.platform(), id, {
      name: "N",
      organizationType: "clinic",
      contactEmail: "x@y.example",
      contactPhone: undefined,
      address: undefined,
      description: undefined,
      isActive,
    });

  test("are refused, also former and new ones, and work again after activation; revoked ones stay revoked", async () => {
    const { id, apiKey } = await aTenant("Paused");
    const k1 = await rotateApiKey(it.inTenant(id), 3600);
    await switchTo(id, false);
    expect([await accepted(apiKey), await accepted(k1)]).toEqual([false, false]);
    const k2 = await rotateApiKey(it.inTenant(id), 3600);
    expect(await accepted(k2)).toBe(false);
    const codeOf = (key: string) =>
      verifyApiKey(it.platform(), [key]).then(
        () => "",
        (error: { code: string }) => error.code,
      );
    // Only the holder of a valid key learns that the tenant is inactive.
    expect([await codeOf(k1), await codeOf(k2)]).toEqual(["tenant_inactive", "tenant_inactive"]);
    const wrong = [apiKey, newApiKey(), "vtl_live_x", ""];
    expect(await Promise.all(wrong.map((key) => codeOf(key)))).toEqual(wrong.map(() => "unauthenticated"));
    const ranOut = await verifyApiKey(later(it.platform(), 3_601_000), [k1]).catch((error: { code: string }) => error.code);
    expect(ranOut).toBe("unauthenticated");
    it.resetUsage();
    await Promise.all([k2, newApiKey()].map((key) => codeOf(key)));
    expect(it.usage().map(({ operation, readUnits }) => [operation, readUnits])).toEqual([
      ["GetItem", 1],
      ["GetItem", 1],
    ]);
    await switchTo(id, true);
    expect([await accepted(apiKey), await accepted(k1), await accepted(k2)]).toEqual([false, true, true]);
  });

  test("made at the moment of the switch work exactly when the tenant is active", async () => {
    for (let round = 0; round < 4; round++) {
      const { id } = await aTenant("Both at once");
      const [rotated] = await Promise.allSettled([rotateApiKey(it.inTenant(id), 3600), switchTo(id, false)]);
      const { isActive } = await tenantRow(id);
      const current = await revealApiKey(it.inTenant(id), await tenantRow(id));
      expect(isActive).toBe(false);
      expect(await accepted(current)).toBe(false);
      if (rotated.status === "fulfilled") expect(await accepted(rotated.value)).toBe(false);
    }
  });
});

test("a key's use is noted with one unit at most once a minute, and a failing note fails nothing", async () => {
  const { id } = await aTenant("Used");
  const [key] = await keysOf(id);
  const use = { tenantId: id, keyId: key?.id ?? "" };
  expect(key?.lastUsedAt).toBeNull();
  it.resetUsage();
  await recordApiKeyUse(it.platform(), use);
  await recordApiKeyUse(it.platform(), use);
  expect(it.usage()).toMatchObject([{ operation: "UpdateItem", writeUnits: 1, readUnits: 0 }]);
  const noted = (await keysOf(id))[0]?.lastUsedAt;
  expect(noted).toBeTruthy();
  await recordApiKeyUse(later(it.platform(), 61_000), use);
  expect(Date.parse((await keysOf(id))[0]?.lastUsedAt ?? "") - Date.parse(noted ?? "")).toBeGreaterThanOrEqual(60_000);
  it.fault(() => ({ status: 400, code: "AccessDeniedException", message: "denied" }));
  await recordApiKeyUse(later(it.platform(), 200_000), use);
  it.fault();
});
