import { verifyApiKey } from "@vitaline/api-keys";
import { contract, type TenantChange } from "@vitaline/contract";
import { createOffice } from "@vitaline/offices";
import { keys } from "@vitaline/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import {
  createTenant,
  listTenants,
  settingsOf,
  tenantDetail,
  tenantInfo,
  updateContactPreferences,
  updateTenant,
  updateTenantSettings,
  withTenantNames,
} from "./index.ts";

let it: TestAws;
const clinic = (name: string) =>
  createTenant(it.platform(), { name, organizationType: "clinic", contactEmail: "front@desk.example", contactPhone: "555 0100" });

beforeAll(async () => {
  it = await startTestAws();
});
afterAll(() => it.close());

test("a tenant starts active, with a key that only its own administrator's view shows again", async () => {
  const [one, two] = await Promise.all([clinic("One"), clinic("Two")]);
  expect(one).toMatchObject({ name: "One", isActive: true, contactPhone: "555 0100", address: null });
  for (const tenant of [one, two]) {
    const ctx = it.inTenant(tenant.id);
    const row = await ctx.store.get(keys.tenantConfig());
    expect(row && (await tenantInfo(ctx, row))).toEqual({
      tenantId: tenant.id,
      organizationName: tenant.name,
      apiKey: tenant.apiKey,
      isActive: true,
      createdAt: tenant.createdAt,
    });
  }
  expect(one.apiKey).not.toBe(two.apiKey);
});

test("a reading of the key is audited, with its purpose where it is not to be shown", async () => {
  const { id } = await clinic("Reader");
  const ctx = it.inTenant(id);
  const row = await ctx.store.get(keys.tenantConfig());
  await tenantInfo(ctx, row!);
  await tenantInfo(ctx, row!, { purpose: "test_call" });
  const revealed = (await auditOf(id)).filter(({ action }) => action === "apiKey.reveal");
  expect(revealed.map(({ detail }) => detail?.["purpose"]).toSorted()).toEqual(["test_call", undefined]);
});

test("the list holds every tenant once, its offices not among them, and no key", async () => {
  const tenant = await clinic("With offices");
  await createOffice(it.inTenant(tenant.id), { name: "Main", isActive: true, address: undefined, phone: undefined, email: undefined });
  const { rows: listed } = await listTenants(it.platform());
  expect(listed.filter(({ id }) => id === tenant.id)).toHaveLength(1);
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
  expect(JSON.stringify(listed)).not.toContain("vtl_live_");
});

test("creating a tenant is in its own audit log with the actor and without the key", async () => {
  const tenant = await createTenant(it.platform({ kind: "user", id: "root", role: "system_admin" }), {
    name: "Audited",
    organizationType: "hospital",
    contactEmail: "a@b.example",
  });
  const { rows } = await it
    .inTenant(tenant.id)
    .store.query(keys.tenantPartitions.audit(tenant.id, new Date().toISOString().slice(0, 7), "configuration_change"));
  expect(rows).toMatchObject([{ action: "tenant.create", actorId: "root", resourceId: tenant.id, success: true }]);
  expect(JSON.stringify(rows)).not.toContain(tenant.apiKey);
});

const rowOf = async (id: string) => {
  const row = await it.inTenant(id).store.get(keys.tenantConfig());
  if (!row) throw new Error("no such tenant");
  return row;
};
const form = (change: Partial<TenantChange> = {}): TenantChange => ({
  name: "Clinic",
  organizationType: "clinic",
  contactEmail: "front@desk.example",
  contactPhone: "555 0100",
  address: undefined,
  description: undefined,
  isActive: true,
  ...change,
});
const auditOf = async (id: string) => {
  const { audit } = keys.tenantPartitions;
  return (
    await it
      .inTenant(id)
      .store.query<{ action: string; detail?: Record<string, unknown> }>(
        audit(id, new Date().toISOString().slice(0, 7), "configuration_change"),
      )
  ).rows;
};

describe("the list of tenants", () => {
  test("comes in pages of one read that contain every tenant once, independent of the number of offices", async () => {
    const made = await Promise.all(["a", "b", "c", "d", "e"].map(clinic));
    for (const { id } of made.slice(0, 2))
      for (let n = 0; n < 15; n++)
        await createOffice(it.inTenant(id), {
          name: `Office ${n}`,
          isActive: true,
          address: undefined,
          phone: undefined,
          email: undefined,
        });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      it.resetUsage();
      const page = await listTenants(it.platform(), { limit: 2, cursor });
      expect(it.usage().map(({ operation }) => operation)).toEqual(["Query"]);
      expect(page.rows.length).toBeLessThanOrEqual(2);
      seen.push(...page.rows.map(({ id }) => id));
      cursor = page.next;
    } while (cursor);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
    expect(seen).toEqual((await listTenants(it.platform())).rows.map(({ id }) => id));
  });

  test("takes no page link that was altered", async () => {
    const { next = "" } = await listTenants(it.platform(), { limit: 1 });
    const altered = (next.startsWith("A") ? "B" : "A") + next.slice(1);
    await expect(listTenants(it.platform(), { cursor: altered })).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("a change of a tenant", () => {
  test("updates row, list and version; blank text and null remove a field, omitted fields stay", async () => {
    const { id } = await clinic("Before");
    const plan = { name: "Core", monthlyPrice: 1899, bundledMinutes: 3600 };
    const first = await updateTenant(it.platform(), id, form({ name: "After", address: "1 Main St", plan, hourlyWage: 25.5 }));
    expect(first).toMatchObject({
      name: "After",
      address: "1 Main St",
      contactPhone: "555 0100",
      plan,
      hourlyWage: 25.5,
      averageVisitValue: null,
      version: 2,
    });
    const second = await updateTenant(it.platform(), id, form({ name: "After", contactPhone: null, plan: null }));
    expect(second).toMatchObject({ address: "1 Main St", contactPhone: null, plan: null, hourlyWage: 25.5, version: 3 });
    const listed = (await listTenants(it.platform())).rows.find((tenant) => tenant.id === id);
    expect(listed).toMatchObject({ name: "After", address: "1 Main St", contactPhone: null, version: 3 });
    expect(await tenantDetail(it.platform(), id)).toMatchObject({ ...second, defaultFhirProvider: null });
  });

  test("over the API keeps omitted fields and removes blank ones", async () => {
    const { id } = await clinic("Sparing");
    const basics = { name: "Sparing", organizationType: "clinic", contactEmail: "front@desk.example", isActive: true };
    const put = (body: object) => updateTenant(it.platform(), id, contract.admin.updateTenant.body.parse({ ...basics, ...body }));
    await put({ address: "1 Main St", description: "Ours" });
    expect(await put({})).toMatchObject({ contactPhone: "555 0100", address: "1 Main St", description: "Ours", version: 2 });
    expect(await put({ contactPhone: " ", address: null })).toMatchObject({ contactPhone: null, address: null, description: "Ours" });
  });

  test("audits the names of changed fields, never their values", async () => {
    const { id } = await clinic("Quiet");
    await updateTenant(it.platform(), id, form({ name: "Loud", hourlyWage: 31 }));
    const row = (await auditOf(id)).find(({ action }) => action === "tenant.update");
    expect(String(row?.detail?.["changed"]).split(",").sort()).toEqual(["hourlyWage", "name"]);
    expect(Object.keys(row?.detail ?? {})).toEqual(["changed"]);
  });

  test("of facts and preferences audits which of them changed, never their values", async () => {
    const { id } = await clinic("Festive");
    await updateTenantSettings(it.inTenant(id), { facts: { holidays: [{ date: "2026-12-25", name: "Christmas" }], parking: "Lot B" } });
    await updateContactPreferences(it.inTenant(id), { smsEnabled: false, businessHours: { start: "08:00" } });
    const rows = (await auditOf(id)).filter(({ detail }) => detail?.["changed"] !== undefined);
    expect(rows.map(({ action, detail }) => [action, String(detail?.["changed"]).split(",").sort()]).sort()).toEqual([
      ["tenant.contactPreferences", ["contactPreferences.businessHours.start", "contactPreferences.smsEnabled"]],
      ["tenant.settings", ["facts.holidays", "facts.parking"]],
    ]);
  });

  test("of the usual language keeps it out of the list of all tenants, and null removes it", async () => {
    const { id } = await clinic("Bilingual");
    expect(await updateTenant(it.platform(), id, form({ name: "Bilingual", language: "es" }))).toMatchObject({ language: "es" });
    expect(await it.inTenant(id).store.get(keys.tenantDirectory())).not.toHaveProperty("language");
    expect(await updateTenantSettings(it.inTenant(id), {})).toMatchObject({ language: "es" });
    expect(await updateTenantSettings(it.inTenant(id), { language: null })).toMatchObject({ language: null });
    expect(await rowOf(id)).not.toHaveProperty("language");
  });

  test("of the offices' common facts keeps them out of the list of all tenants, and null removes them", async () => {
    const { id } = await clinic("Factual");
    const facts = { parking: "In the lot", insurance: ["Aetna"] };
    expect(await updateTenant(it.platform(), id, form({ name: "Factual", facts }))).toMatchObject({
      facts: { ...facts, telehealth: null },
    });
    expect(await it.inTenant(id).store.get(keys.tenantDirectory())).not.toHaveProperty("facts");
    expect(await updateTenantSettings(it.inTenant(id), { facts: null })).toMatchObject({ facts: { parking: null, insurance: [] } });
    expect(await rowOf(id)).not.toHaveProperty("facts");
  });

  test("that changes nothing writes nothing", async () => {
    const { id } = await clinic("Same");
    it.resetUsage();
    expect(await updateTenant(it.platform(), id, form({ name: "Same" }))).toMatchObject({ version: 1 });
    expect(it.usage().every(({ writeUnits }) => writeUnits === 0)).toBe(true);
  });

  test("with an older version is refused; concurrent ones without a version all succeed", async () => {
    const { id } = await clinic("Raced");
    await updateTenant(it.platform(), id, form({ name: "Raced", hourlyWage: 1 }), 1);
    await expect(updateTenant(it.platform(), id, form({ name: "Late" }), 1)).rejects.toMatchObject({ code: "stale_version" });
    await Promise.all([
      updateTenantSettings(it.inTenant(id), { hourlyWage: 2 }),
      updateTenantSettings(it.inTenant(id), { averageVisitValue: 90 }),
      updateTenantSettings(it.inTenant(id), {
        messageTemplates: { appointmentConfirmation: undefined, appointmentReminder: undefined, followUp: "Bye" },
      }),
    ]);
    expect(settingsOf(await rowOf(id))).toMatchObject({
      hourlyWage: 2,
      averageVisitValue: 90,
      messageTemplates: { followUp: "Bye", appointmentReminder: null },
      version: 5,
    });
  });

  const required = { name: "Keeps", contactEmail: "a@b.example", organizationType: "clinic", isActive: true };

  test("A08: that sets the tool runs a minute changes this tenant's limit alone; others have the platform's", async () => {
    const [one, two] = [await clinic("Runs many"), await clinic("Runs few")];
    const parse = (toolRunsPerMinute: unknown) =>
      contract.admin.updateTenant.body.safeParse({ ...required, name: "Runs many", policies: { toolRunsPerMinute } });
    for (const wrong of [0, 59, 100_001, 60.5, "3000"]) expect(parse(wrong).success).toBe(false);
    await updateTenant(it.platform(), one.id, parse(9000).data!);
    const limits = await Promise.all([one, two].map(async ({ id }) => (await tenantDetail(it.platform(), id)).policies.toolRunsPerMinute));
    expect(limits).toEqual([9000, 3000]);
  });

  test("C06: that names one period of retention leaves the others as they are, and all are told, set or not", async () => {
    const { id } = await clinic("Keeps");
    const put = (retention: object) =>
      updateTenant(it.platform(), id, contract.admin.updateTenant.body.parse({ ...required, policies: { retention } }));
    const row = await it.inTenant(id).store.get(keys.tenantConfig());
    expect(row && settingsOf(row).policies.retention).toEqual({ calls: 2557, transcripts: 365, leads: 365, messages: 90 });
    await put({ leads: 30 });
    expect((await put({ transcripts: 180 })).policies.retention).toEqual({ calls: 2557, transcripts: 180, leads: 30, messages: 90 });
    expect((await tenantDetail(it.platform(), id)).policies.retention).toMatchObject({ transcripts: 180, leads: 30 });
  });

  test("C06: is refused if transcripts would be kept longer than calls, or if a period is invalid", async () => {
    const { id } = await clinic("Keeps on");
    const parse = (retention: object) => contract.admin.updateTenant.body.safeParse({ ...required, policies: { retention } });
    const put = (retention: object) => updateTenant(it.platform(), id, parse(retention).data!);
    const refusal = {
      code: "invalid_request",
      fields: { "policies.retention.transcripts": "Must not be longer than the call itself is kept" },
    };
    await expect(put({ calls: 90 })).rejects.toMatchObject(refusal);
    await expect(put({ transcripts: 3653 })).rejects.toMatchObject(refusal);
    expect((await put({ calls: 90, transcripts: 90 })).policies.retention).toMatchObject({ calls: 90, transcripts: 90 });
    for (const days of [0, 31, 90.5, "90", 100_000]) expect(parse({ calls: days }).success).toBe(false);
    expect(parse({ recordings: 90 }).success).toBe(false);
  });

  test("that names one policy leaves the other as it is", async () => {
    const { id } = await clinic("Policies");
    const { address: _a, description: _d, ...rest } = form({ name: "Policies" });
    const put = (policies: object) => updateTenant(it.platform(), id, contract.admin.updateTenant.body.parse({ ...rest, policies }));
    const first = (await put({ requireTotp: true })).policies;
    expect(first).toMatchObject({ requireTotp: true, ownFhirProviders: false, toolLevels: {} });
    expect((await put({ ownFhirProviders: true })).policies).toEqual({ ...first, ownFhirProviders: true });
    expect((await put({})).policies).toEqual({ ...first, ownFhirProviders: true });
    expect((await put({ requireTotp: false })).policies).toEqual({ ...first, requireTotp: false, ownFhirProviders: true });
  });

  test("raises the level of the tools that it names, of no others, and not of the one that verifies", async () => {
    const { id } = await clinic("Levels");
    const { address: _a, description: _d, ...rest } = form({ name: "Levels" });
    const parse = (toolLevels: object) => contract.admin.updateTenant.body.safeParse({ ...rest, policies: { toolLevels } });
    const put = async (toolLevels: object) => (await updateTenant(it.platform(), id, parse(toolLevels).data!)).policies.toolLevels;
    expect(await put({ getPatientInfo: 2, scheduleAppointment: 2 })).toEqual({ getPatientInfo: 2, scheduleAppointment: 2 });
    expect(await put({ sendSMS: 2 })).toEqual({ sendSMS: 2 });
    expect(await put({})).toEqual({});
    const { error } = parse({ getPatientClinicalData: 1, getPatientInfo: 1 });
    expect(error?.issues).toMatchObject([
      { path: ["policies", "toolLevels", "getPatientClinicalData"], message: expect.stringMatching(/^Can only be raised/) as string },
    ]);
    for (const wrong of [{ verifyPatientIdentity: 2 }, { getPatientInfo: 0 }, { getPatientInfo: 3 }, { nothing: 1 }])
      expect(parse(wrong).success, JSON.stringify(wrong)).toBe(false);
  });

  test("of an unknown tenant finds nothing and writes nothing", async () => {
    const unknownTenant = "0".repeat(26);
    await expect(updateTenant(it.platform(), unknownTenant, form())).rejects.toMatchObject({ code: "not_found" });
    await expect(tenantDetail(it.platform(), unknownTenant)).rejects.toMatchObject({ code: "not_found" });
    expect((await it.inTenant(unknownTenant).store.query(keys.tenantPartitions.config(unknownTenant))).rows).toEqual([]);
  });

  test("of its name reads and writes nothing of its users", async () => {
    const { id } = await clinic("Old name");
    it.resetUsage();
    await updateTenant(it.platform(), id, form({ name: "New name" }));
    expect(it.usage().map(({ operation }) => operation)).toEqual(["GetItem", "TransactWriteItems"]);
  });
});

describe("the names of tenants on a list", () => {
  test("are those of now, read once each, a hundred at a time; a row of no tenant has none", async () => {
    const [one, two] = await Promise.all([clinic("First"), clinic("Second")]);
    await Promise.allSettled(["A", "B", "C"].map((name) => updateTenant(it.platform(), two.id, form({ name }))));
    const { name } = await rowOf(two.id);
    const rows = [{ tenantId: two.id, tenantName: "Long ago" }, { tenantId: one.id }, {}, { tenantId: two.id }];
    it.resetUsage();
    const named = await withTenantNames<{ tenantId?: string }>(it.platform(), rows);
    expect(named.map(({ tenantName }) => tenantName)).toEqual([name, "First", "", name]);
    expect(it.usage().map(({ operation }) => operation)).toEqual(["BatchGetItem"]);
    const many = Array.from({ length: 250 }, (_, n) => ({ tenantId: n === 249 ? one.id : String(n).padStart(26, "0") }));
    it.resetUsage();
    expect((await withTenantNames(it.platform(), many)).at(-1)).toEqual({ tenantId: one.id, tenantName: "First" });
    expect(it.usage().map(({ operation }) => operation)).toEqual(Array.from({ length: 3 }, () => "BatchGetItem"));
    it.resetUsage();
    expect(await withTenantNames(it.platform(), [{}])).toEqual([{ tenantName: "" }]);
    expect(it.usage()).toEqual([]);
  });
});

describe("contact preferences", () => {
  test("are the usual ones until the tenant saves its own; their zone is the one that agents speak of", async () => {
    const { id } = await clinic("Preferring");
    const usual = {
      defaultMethod: "email",
      emailEnabled: true,
      smsEnabled: true,
      phoneEnabled: true,
      businessHours: { start: "09:00", end: "17:00", timezone: "America/New_York" },
    } as const;
    expect(settingsOf(await rowOf(id)).contactPreferences).toEqual(usual);
    const own = {
      ...usual,
      defaultMethod: "sms" as const,
      businessHours: { start: "08:00", end: "18:00", timezone: "America/Denver", days: { sunday: null } },
    };
    expect(await updateContactPreferences(it.inTenant(id), own)).toMatchObject({
      contactPreferences: own,
      timeZone: "America/Denver",
      version: 2,
    });
    await updateTenant(it.platform(), id, form({ name: "Preferring", timeZone: "America/Chicago" }));
    expect(settingsOf(await rowOf(id))).toMatchObject({
      timeZone: "America/Chicago",
      contactPreferences: { businessHours: { start: "08:00", timezone: "America/Chicago", days: { sunday: null } } },
    });
  });
});

describe("a change of contact preferences", () => {
  const { body } = contract.tenant.updateContactPreferences;
  const put = async (id: string, change: object) =>
    (await updateContactPreferences(it.inTenant(id), body.parse(change))).contactPreferences;

  test("keeps omitted fields, above all the time zone", async () => {
    const { id } = await clinic("In part");
    await updateTenant(it.platform(), id, form({ name: "In part", timeZone: "America/Denver" }));
    const first = await put(id, { smsEnabled: false });
    expect(first).toMatchObject({ smsEnabled: false, emailEnabled: true, businessHours: { timezone: "America/Denver" } });
    expect(await put(id, { businessHours: { start: "08:00", end: "12:00", days: { sunday: null } } })).toEqual({
      ...first,
      businessHours: { start: "08:00", end: "12:00", timezone: "America/Denver", days: { sunday: null } },
    });
    expect(await put(id, { defaultMethod: "phone", businessHours: { end: "13:00" } })).toEqual({
      ...first,
      defaultMethod: "phone",
      businessHours: { start: "08:00", end: "13:00", timezone: "America/Denver", days: { sunday: null } },
    });
    const { businessHours } = await put(id, { businessHours: { days: null } });
    expect(businessHours).toEqual({ start: "08:00", end: "13:00", timezone: "America/Denver" });
    expect(settingsOf(await rowOf(id)).timeZone).toBe("America/Denver");
    it.resetUsage();
    await put(id, {});
    expect(it.usage().every(({ writeUnits }) => writeUnits === 0)).toBe(true);
  });

  test("is refused if it contradicts a kept value", async () => {
    const { id } = await clinic("Contrary");
    await expect(put(id, { emailEnabled: false })).rejects.toMatchObject({
      code: "invalid_request",
      fields: { defaultMethod: "Must be a method that is enabled" },
    });
    await expect(put(id, { businessHours: { start: "18:00" } })).rejects.toMatchObject({
      code: "invalid_request",
      fields: { "businessHours.end": "Must be after the start" },
    });
    for (const wrong of [{ businessHours: { start: "12:00", end: "11:00" } }, { businessHours: null }, { fax: true }])
      expect(body.safeParse(wrong).success).toBe(false);
    expect(await put(id, { defaultMethod: "sms", emailEnabled: false })).toMatchObject({ defaultMethod: "sms", emailEnabled: false });
  });
});

describe("an inactive tenant", () => {
  const switchTo = (id: string, isActive: boolean) => updateTenant(it.platform(), id, form({ isActive }));

  test("has no working key and no session from before, and the other tenant keeps both", async () => {
    const [one, two] = await Promise.all([clinic("One"), clinic("Two")]);
    const { epoch } = await rowOf(one.id);
    await switchTo(one.id, false);
    await expect(verifyApiKey(it.platform(), [one.apiKey])).rejects.toMatchObject({ code: "tenant_inactive" });
    expect(await verifyApiKey(it.platform(), [two.apiKey])).toMatchObject({ tenantId: two.id });
    expect(await rowOf(one.id)).toMatchObject({ isActive: false, epoch: epoch + 1 });
    await switchTo(one.id, true);
    expect(await verifyApiKey(it.platform(), [one.apiKey])).toMatchObject({ tenantId: one.id });
    expect(await rowOf(one.id)).toMatchObject({ isActive: true, epoch: epoch + 1 });
  });
});
