import { create, keys, update, type HookRow } from "@vitaline/store";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { callerMark, isCallToken, newCallToken, verifyCallToken, type CallGrant } from "./index.ts";

let it: TestAws;
const [mine, theirs] = ["0".repeat(25) + "a", "0".repeat(25) + "b"];
const audit = { category: "configuration_change", action: "voiceProvider.create", resourceType: "VoiceProvider" } as const;
beforeAll(async () => {
  it = await startTestAws();
  for (const [at, id] of [mine, theirs].entries()) {
    const tenantId = it.tenants[at as 0 | 1];
    const hook: HookRow = { tenantId, providerType: "openai", isActive: true };
    await it.inTenant(tenantId).store.commit([create(keys.hook(id), hook)], { ...audit, resourceId: id });
  }
});
afterAll(() => it.close());

const grant = (more: Partial<CallGrant> = {}): CallGrant => ({
  tenantId: it.tenants[0],
  voiceProviderId: mine,
  platform: "openai",
  callId: "rtc_1",
  ...more,
});
const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const verify = (token: string, minutes = 0) => verifyCallToken({ ...it.platform(), clock: () => at(minutes) }, [token]);
const refused = { code: "unauthenticated" };

test("a token says for two hours which call it was given for, at the price of one read", async () => {
  const given = grant({ officeId: "o1", agentId: "gpt-realtime", callerMark: "123456789012345" });
  const token = newCallToken(given, new Date());
  expect(isCallToken(token)).toBe(true);
  it.resetUsage();
  expect(await verify(token)).toEqual(given);
  expect(it.usage().map(({ operation }) => operation)).toEqual(["GetItem"]);
  expect(await verify(token, 119)).toEqual(given);
  await expect(verify(token, 121)).rejects.toMatchObject(refused);
});

test("no sign of a token can be another one, and none can be left out; it costs no read to say so", async () => {
  const token = newCallToken(grant(), new Date());
  it.resetUsage();
  await fc.assert(
    fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(..."0aZ-_."), async (place, sign) => {
      const altered = token.slice(0, place) + sign + token.slice(place + 1);
      if (altered !== token) await expect(verify(altered)).rejects.toMatchObject(refused);
      await expect(verify(token.slice(0, place))).rejects.toMatchObject(refused);
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.string(), async (text) => void (await expect(verify(`vtl_call_${text}`)).rejects.toMatchObject(refused))),
  );
  expect(it.usage()).toEqual([]);
});

test("a token whose voice provider is another tenant's, or none, is refused", async () => {
  for (const voiceProviderId of [theirs, "0".repeat(26)])
    await expect(verify(newCallToken(grant({ voiceProviderId }), new Date()))).rejects.toMatchObject(refused);
});

test("it ends at once with its voice provider or its tenant, and two credentials are none", async () => {
  const token = newCallToken(grant(), new Date());
  const { store } = it.inTenant(it.tenants[0]);
  const change = async (fields: Partial<HookRow>) =>
    store.commit([update<HookRow>(keys.hook(mine), { set: fields })], { ...audit, resourceId: mine });
  await change({ isActive: false });
  await expect(verify(token)).rejects.toMatchObject(refused);
  await change({ suspended: true });
  await expect(verify(token)).rejects.toMatchObject(refused);
  await change({ isActive: true });
  await expect(verify(token)).rejects.toMatchObject({ code: "tenant_inactive" });
  await expect(verify(`${token.slice(0, -4)}AAAA`)).rejects.toMatchObject(refused);
  await store.commit([update<HookRow>(keys.hook(mine), { remove: ["suspended"] })], { ...audit, resourceId: mine });
  expect(await verify(token)).toEqual(grant());
  await expect(verifyCallToken(it.platform(), [token, "vtl_live_other"])).rejects.toMatchObject(refused);
});

test("a caller's mark is always the same, another for another caller or in another tenant, and does not hold the number", () => {
  const [one, two] = it.tenants;
  const mark = callerMark(one, "16175550123");
  expect(mark).toMatch(/^\d{15}$/);
  expect(callerMark(one, "16175550123")).toBe(mark);
  expect(new Set([mark, callerMark(one, "16175550124"), callerMark(two, "16175550123")]).size).toBe(3);
  expect(mark).not.toContain("5550123");
});
