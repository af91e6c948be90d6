import { dayMs, holdSecret, isAppError, newId, secretValues, utcDate } from "@vitaline/core";
import { keys, type AuditRow, type TenantContext } from "@vitaline/store";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { byClock, startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { addTenantRow } from "../../test/kit/store/tenant-row.ts";
import {
  approveProxy,
  changeProxy,
  chartHash,
  chartHashesOf,
  findProxies,
  hasProxies,
  isOver,
  listProxies,
  readProxy,
  revokeProxy,
} from "./index.ts";

let it: TestAws;
let one: TenantContext;
let two: TenantContext;
beforeAll(async () => void (it = await startTestAws()));
beforeEach(() => {
  const tenant = (id: string) => it.inTenant(id, { kind: "user", id: "admin", role: "tenant_admin", tenantId: id });
  [one, two] = [tenant(newId()), tenant(newId())];
});
afterAll(() => it.close());

const dayIn = (days: number): string => utcDate(Date.now() + days * dayMs);
const people = {
  ...{ name: "Nora Sample", phone: "617 555 0181", patientFirstName: "Robin", patientLastName: "Sample" },
  ...{ patientBirthDate: "2017-03-04", medicalRecordNumber: "MRN 4-711" },
};
const approve = (ctx: TenantContext, change: object = {}) =>
  approveProxy(ctx, { people, relationship: "parent", scope: "all", validUntil: dayIn(90), ...change });
const auditsOf = async ({ store, tenantId }: TenantContext) =>
  (await store.query<AuditRow>(keys.tenantPartitions.audit(tenantId, new Date().toISOString().slice(0, 7), "patient_access"))).rows;
const is = (code: "not_found" | "stale_version" | "not_doable" | "invalid_request") => (error: unknown) => isAppError(error, code);

test("a proxy is listed without names and read with them, by its own tenant only, and all is audited without names", async () => {
  const made = await approve(one);
  expect(made).toMatchObject({ approvedBy: "admin", relationship: "parent", scope: "all", onHold: false, version: 1 });
  expect((await listProxies(one, {})).rows).toEqual([made]);
  expect(await readProxy(one, made.id)).toEqual({ ...made, people });
  await expect(readProxy(two, made.id)).rejects.toSatisfy(is("not_found"));
  await expect(changeProxy(two, made.id, { scope: "all" })).rejects.toSatisfy(is("not_found"));
  await expect(revokeProxy(two, made.id)).rejects.toSatisfy(is("not_found"));
  expect([await hasProxies(one), await hasProxies(two)]).toEqual([true, false]);
  expect(await changeProxy(one, made.id, { scope: "appointments", onHold: true }, 1)).toMatchObject({
    scope: "appointments",
    onHold: true,
  });
  await expect(changeProxy(one, made.id, { onHold: false }, 1)).rejects.toSatisfy(is("stale_version"));
  await revokeProxy(one, made.id);
  await expect(readProxy(one, made.id)).rejects.toSatisfy(is("not_found"));
  expect(await hasProxies(one)).toBe(false);
  const audits = await auditsOf(one);
  expect(audits.map(({ action, resourceId }) => [action, resourceId])).toEqual(
    ["approve", "read", "change", "revoke"].map((verb) => [`proxy.${verb}`, made.id]),
  );
  expect(JSON.stringify(audits)).not.toMatch(/Nora|Robin|0181|4-711/);
});

test("rows have no names and no medical record number, and both of them expire after the last day", async () => {
  const { id } = await approve(one);
  const row = await one.store.get(keys.proxy(id));
  const list = await one.store.get(keys.proxiesOfPatient(row!.patientHash));
  expect(JSON.stringify([row, [...list!.ids]])).not.toMatch(/Nora|Robin|0181|4711|4-711/);
  const lastDay = Date.parse(dayIn(90)) / 1000;
  expect(row!.expiresAt).toBeGreaterThan(lastDay);
  expect(list!.expiresAt).toBe(row!.expiresAt);
  await changeProxy(one, id, { validUntil: dayIn(200) });
  expect((await one.store.get(keys.proxiesOfPatient(row!.patientHash)))!.expiresAt).toBeGreaterThan(Date.parse(dayIn(200)) / 1000);
});

test("the proxies of a patient are found by the medical record number, however it is written, and not by another tenant", async () => {
  const [first, second] = [await approve(one), await approve(one, { relationship: "guardian" })];
  await approve(one, { people: { ...people, medicalRecordNumber: "4712" } });
  await approve(two, { people: { ...people, medicalRecordNumber: "X" } });
  const found = await findProxies(one, ["mrn4711", "unknown"]);
  expect(found.map(({ id }) => id).toSorted()).toEqual([first.id, second.id]);
  expect(found[0]!.people).toEqual(people);
  expect(await findProxies(two, ["MRN4711"])).toEqual([]);
  expect(await findProxies(one, [])).toEqual([]);
  await revokeProxy(one, first.id);
  expect((await findProxies(one, ["MRN4711"])).map(({ id }) => id)).toEqual([second.id]);
  await revokeProxy(one, second.id);
  expect(await findProxies(one, ["MRN4711"])).toEqual([]);
});

test("the last day is a day of the organization, whose today is the first one allowed and whose midnight ends it", async () => {
  const at = Date.parse("2026-12-01T11:30:00Z");
  for (const [ctx, timeZone, yesterday, today] of [
    [one, "Pacific/Auckland", "2026-12-01", "2026-12-02"],
    [two, "Pacific/Honolulu", "2026-11-30", "2026-12-01"],
  ] as const) {
    await addTenantRow(it.platform(), ctx.tenantId, "Clinic", { timeZone });
    const then = byClock(ctx, () => new Date(at));
    await expect(approve(then, { validUntil: yesterday })).rejects.toSatisfy(is("invalid_request"));
    const { id } = await approve(then, { validUntil: today });
    await expect(changeProxy(then, id, { validUntil: yesterday, onHold: true })).rejects.toSatisfy(is("invalid_request"));
    expect([isOver(today, timeZone, new Date(at)), isOver(yesterday, timeZone, new Date(at))]).toEqual([false, true]);
  }
  const midnight = Date.parse("2026-12-02T10:00:00Z");
  expect([midnight - 1, midnight].map((ms) => isOver("2026-12-01", "Pacific/Honolulu", new Date(ms)))).toEqual([false, true]);
  expect([midnight - 1, midnight].map((ms) => isOver("2026-12-02", "Pacific/Auckland", new Date(ms)))).toEqual([false, false]);
});

test("the last day is from today on and at most five years ahead, and a patient has at most twenty", async () => {
  for (const validUntil of [dayIn(-3), dayIn(2000)]) {
    await expect(approve(one, { validUntil })).rejects.toSatisfy(is("invalid_request"));
    const { id } = await approve(two);
    await expect(changeProxy(two, id, { validUntil })).rejects.toSatisfy(is("invalid_request"));
  }
  const made = [];
  for (let count = 0; count < 20; count++) made.push(await approve(one));
  await expect(approve(one)).rejects.toSatisfy(is("not_doable"));
  await revokeProxy(one, made[7]!.id);
  await approve(one);
});

test("A05: a proxy that was approved under a former key of hashes is found, named in the audit, changed and revoked", async () => {
  const values = secretValues("hashes");
  const { id } = await approve(one);
  const charted = chartHash(one.tenantId, people.medicalRecordNumber, people.patientBirthDate);
  holdSecret("hashes", ["a value that replaces the one before", ...values]);
  try {
    const second = await approve(one);
    expect((await findProxies(one, ["4711"])).map((found) => found.id).toSorted()).toEqual([id, second.id].toSorted());
    expect(await findProxies(two, ["4711"])).toEqual([]);
    expect(await chartHashesOf(one.tenantId, (await one.store.get(keys.proxy(id)))!)).toContain(charted);
    await changeProxy(one, id, { onHold: true });
    await revokeProxy(one, id);
    expect((await findProxies(one, ["4711"])).map((found) => found.id)).toEqual([second.id]);
  } finally {
    holdSecret("hashes", values);
  }
});
