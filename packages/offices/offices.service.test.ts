import { contract, type OfficeChange } from "@vitaline/contract";
import { create, keys, update, type FhirProviderRow, type OfficeRow, type TenantRow, type VoiceAgentRow } from "@vitaline/store";
import { createTenant, updateContactPreferences, updateTenantSettings } from "@vitaline/tenants";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { createOffice, listOffices, officeCards, officeDetail, updateOffice } from "./index.ts";

let it: TestAws;
let one: string;
let two: string;
const office = (name: string) => ({ name, isActive: true, address: undefined, phone: "555 0199", email: undefined });

beforeAll(async () => {
  it = await startTestAws();
  const made = await Promise.all(
    ["One", "Two"].map((name) => createTenant(it.platform(), { name, organizationType: "clinic", contactEmail: "x@y.example" })),
  );
  [one, two] = made.map(({ id }) => id) as [string, string];
});
afterAll(() => it.close());

test("an office belongs to its tenant, and its id points back to it", async () => {
  const made = await createOffice(it.inTenant(one), office("Downtown"));
  expect(made).toMatchObject({ name: "Downtown", phone: "555 0199", address: null });
  expect(await it.inTenant(one).store.get(keys.office(made.id))).toBeDefined();
  expect(await it.inTenant(two).store.get(keys.office(made.id))).toBeUndefined();
  expect(await it.inTenant(one).store.get(keys.ref(made.id))).toMatchObject({ tenantId: one, kind: "office" });
});

test("a name is taken once in a tenant, in any case, and stays free in the other tenant", async () => {
  const tries = await Promise.allSettled(["Uptown", "UPTOWN", "uptown"].map((name) => createOffice(it.inTenant(one), office(name))));
  expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  await expect(createOffice(it.inTenant(one), office("uptown"))).rejects.toMatchObject({
    code: "duplicate",
    fields: { name: "An office with this name already exists" },
  });
  await createOffice(it.inTenant(two), office("Uptown"));
});

test("names that look the same are the same name, and are kept as they were meant", async () => {
  const make = (name: string) => createOffice(it.inTenant(one), contract.tenant.createOwnOffice.body.parse({ name }));
  expect(await make(" Caf\u00e9 \u00a0 1 ")).toMatchObject({ name: "Caf\u00e9 1" });
  for (const same of ["Caf\u00e9  1", "Caf\u00e9\u00a01", "Cafe\u0301 1", "CAF\u00c9 \uff11"])
    await expect(make(same)).rejects.toMatchObject({ code: "duplicate" });
  const { id } = await make("Caf\u00e9 2");
  expect(await updateOffice(it.inTenant(one), id, form("Cafe\u0301 2"))).toMatchObject({ name: "Cafe\u0301 2" });
  await expect(updateOffice(it.inTenant(one), id, form("cafe\u0301\u00a01"))).rejects.toMatchObject({ code: "duplicate" });
});

test("a tenant that does not exist gets no office: the answer is 'not found' and nothing is written", async () => {
  const unknownTenant = it.inTenant("0".repeat(26));
  await expect(createOffice(unknownTenant, office("Ghost"))).rejects.toMatchObject({ code: "not_found" });
  expect((await unknownTenant.store.query(keys.tenantPartitions.config(unknownTenant.tenantId))).rows).toEqual([]);
});

const form = (name: string, change: Partial<OfficeChange> = {}): OfficeChange => ({
  name,
  address: undefined,
  phone: "555 0199",
  email: undefined,
  ...change,
});
const hours = { start: "10:00", end: "14:00", timezone: "America/Chicago" };
const audited = { category: "configuration_change", action: "test", resourceType: "Test" } as const;
const settled = async (tries: Promise<unknown>[]) => (await Promise.allSettled(tries)).map(({ status }) => status).sort();

describe("a change of an office", () => {
  test("of its facts replaces them all, and null or nothing but blanks inherit them again; hours that are its own take no holidays over", async () => {
    const parse = (facts: object | null) => contract.tenant.updateOwnOffice.body.parse({ name: "Facts", facts });
    await updateTenantSettings(it.inTenant(one), {
      facts: { languages: ["English"], holidays: [{ date: "2026-12-25", name: "Christmas" }] },
    });
    const { id } = await createOffice(
      it.inTenant(one),
      contract.tenant.createOwnOffice.body.parse({ name: "Facts", facts: { parking: "  In the lot ", insurance: [] } }),
    );
    const ctx = { ...it.inTenant(one), platform: it.platform().platform };
    expect(await officeDetail(ctx, id)).toMatchObject({
      facts: { parking: "In the lot", insurance: [], languages: [], holidays: [] },
      effective: { facts: { parking: "In the lot", languages: ["English"], holidays: [{ name: "Christmas" }] } },
    });
    expect(await it.inTenant(one).store.get(keys.officeDirectory(id))).not.toHaveProperty("facts");
    const change = await updateOffice(it.inTenant(one), id, { ...parse({ insurance: ["Aetna"] }), businessHours: { start: "10:00" } });
    expect(change).toMatchObject({ facts: { parking: null, insurance: ["Aetna"] }, businessHours: { start: "10:00" } });
    expect(change.businessHours).not.toHaveProperty("holidays");
    for (const none of [null, {}, { parking: " ", insurance: [] }]) {
      await updateOffice(it.inTenant(one), id, parse({ parking: "Here" }));
      expect(await updateOffice(it.inTenant(one), id, parse(none))).toMatchObject({ facts: { parking: null, insurance: [] } });
      expect(await it.inTenant(one).store.get(keys.office(id))).not.toHaveProperty("facts");
    }
    await updateTenantSettings(it.inTenant(one), { facts: null });
  });

  test("updates row, list over all tenants and version; omitted fields stay, null removes a field", async () => {
    const { id } = await createOffice(it.inTenant(one), {
      ...office("Features"),
      address: "1 Main St",
      staffCount: 7,
      businessHours: hours,
    });
    const first = await updateOffice(
      it.inTenant(one),
      id,
      form("Features", { email: "o@x.example", staffRouting: [{ label: "Desk", phone: "555 1", reasons: [] }] }),
    );
    expect(first).toMatchObject({
      address: "1 Main St",
      email: "o@x.example",
      staffCount: 7,
      businessHours: hours,
      staffRouting: [{ label: "Desk" }],
      isActive: true,
      version: 2,
    });
    const second = await updateOffice(it.inTenant(one), id, form("Features", { businessHours: null, staffRouting: null, isActive: false }));
    expect(second).toMatchObject({
      email: "o@x.example",
      businessHours: null,
      staffRouting: [],
      staffCount: 7,
      isActive: false,
      version: 3,
    });
    const listed = await it.inTenant(one).store.get(keys.officeDirectory(id));
    expect(listed).toMatchObject({ name: "Features", isActive: false, version: 3 });
    expect(listed).not.toHaveProperty("staffCount");
    expect(await it.inTenant(one).store.get(keys.office(id))).not.toHaveProperty("businessHours");
  });

  test("of its Spanish texts and its language leaves the English texts and the other tenant's office, and is not in the list over all tenants", async () => {
    const messageTemplates = { followUp: "Thanks" };
    const [ours, theirs] = await Promise.all(
      [one, two].map((id) => createOffice(it.inTenant(id), { ...office("Bilingual"), messageTemplates })),
    );
    const spanishMessageTemplates = { followUp: "Gracias" };
    const changed = await updateOffice(it.inTenant(one), ours!.id, form("Bilingual", { language: "es", spanishMessageTemplates }));
    expect(changed).toMatchObject({ language: "es", messageTemplates, spanishMessageTemplates });
    const others = await listOffices(it.inTenant(two));
    expect(others.find(({ id }) => id === theirs!.id)).toMatchObject({
      ...{ language: null, messageTemplates, spanishMessageTemplates: { followUp: null } },
    });
    const listed = await it.inTenant(one).store.get(keys.officeDirectory(ours!.id));
    expect(listed).not.toHaveProperty("language");
    expect(listed).not.toHaveProperty("spanishMessageTemplates");
  });

  test("over the API keeps an omitted address and phone and removes blank ones", async () => {
    const [ours, theirs] = await Promise.all(
      [one, two].map((id) => createOffice(it.inTenant(id), { ...office("Sparing"), address: "1 Main St", email: "o@x.example" })),
    );
    const put = (body: object) =>
      updateOffice(it.inTenant(one), ours!.id, contract.tenant.updateOwnOffice.body.parse({ name: "Sparing", ...body }));
    const staffRouting = [{ label: "Desk", phone: "617-555-0145" }];
    expect(await put({ staffRouting })).toMatchObject({ address: "1 Main St", phone: "555 0199", email: "o@x.example" });
    expect(await put({ address: "", phone: null })).toMatchObject({ address: null, phone: null, email: "o@x.example" });
    expect(await it.inTenant(one).store.get(keys.officeDirectory(ours!.id))).not.toHaveProperty("address");
    expect(await it.inTenant(two).store.get(keys.office(theirs!.id))).toMatchObject({ address: "1 Main St", phone: "555 0199" });
  });

  test("frees the old name and takes the new one in the same moment; one way to write a name more keeps it", async () => {
    const made = await createOffice(it.inTenant(one), office("Harbour"));
    await updateOffice(it.inTenant(one), made.id, form("HARBOUR"));
    await updateOffice(it.inTenant(one), made.id, form("Seaside"));
    await createOffice(it.inTenant(one), office("harbour"));
    await expect(createOffice(it.inTenant(one), office("seaside"))).rejects.toMatchObject({ code: "duplicate" });
    await expect(updateOffice(it.inTenant(one), made.id, form("Harbour"))).rejects.toMatchObject({
      code: "duplicate",
      fields: { name: "An office with this name already exists" },
    });
    expect(await it.inTenant(one).store.get(keys.office(made.id))).toMatchObject({ name: "Seaside" });
  });

  test("to a name that several want at once is made for one of them", async () => {
    const made = await Promise.all(["R1", "R2", "R3"].map((name) => createOffice(it.inTenant(one), office(name))));
    const tries = [
      ...made.map(({ id }) => updateOffice(it.inTenant(one), id, form("Wanted"))),
      createOffice(it.inTenant(one), office("wanted")),
    ];
    expect(await settled(tries)).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
    const named = (await listOffices(it.inTenant(one))).filter(({ name }) => name.toLowerCase() === "wanted");
    expect(named).toHaveLength(1);
    expect(await it.inTenant(one).store.get(keys.officeName("wanted"))).toEqual({ id: named[0]?.id });
  });

  test("with an older version is refused; concurrent ones without a version all succeed", async () => {
    const { id } = await createOffice(it.inTenant(one), office("Busy"));
    await updateOffice(it.inTenant(one), id, form("Busy", { staffCount: 1 }), 1);
    await expect(updateOffice(it.inTenant(one), id, form("Busy", { staffCount: 2 }), 1)).rejects.toMatchObject({ code: "stale_version" });
    await Promise.all([
      updateOffice(it.inTenant(one), id, form("Busy", { staffCount: 3 })),
      updateOffice(it.inTenant(one), id, form("Busy", { businessHours: hours })),
    ]);
    expect(await it.inTenant(one).store.get(keys.office(id))).toMatchObject({ staffCount: 3, businessHours: hours, version: 4 });
    it.resetUsage();
    expect(await updateOffice(it.inTenant(one), id, form("Busy"))).toMatchObject({ version: 4 });
    expect(it.usage().every(({ writeUnits }) => writeUnits === 0)).toBe(true);
  });

  test("of another tenant's office is 'not found', and so is its detail", async () => {
    const { id } = await createOffice(it.inTenant(one), office("Ours"));
    const foreign = it.inTenant(two);
    await expect(updateOffice(foreign, id, form("Theirs"))).rejects.toMatchObject({ code: "not_found" });
    await expect(officeDetail({ ...foreign, platform: it.platform().platform }, id)).rejects.toMatchObject({ code: "not_found" });
    expect((await listOffices(foreign)).map((each) => each.id)).not.toContain(id);
    await expect(listOffices(it.inTenant("0".repeat(26)))).rejects.toMatchObject({ code: "not_found" });
  });

  test("audits the names of changed fields, never their values", async () => {
    const { id } = await createOffice(it.inTenant(one), office("Told"));
    await updateOffice(it.inTenant(one), id, form("Told again", { staffCount: 4 }));
    const { rows } = await it
      .inTenant(one)
      .store.query<{ resourceId: string; action: string; detail: object }>(
        keys.tenantPartitions.audit(one, new Date().toISOString().slice(0, 7), "configuration_change"),
      );
    expect(rows.find(({ resourceId, action }) => resourceId === id && action === "office.update")?.detail).toEqual({
      changed: "name,staffCount",
    });
  });
});

describe("hours that are given in part", () => {
  const { createOwnOffice, updateOwnOffice } = contract.tenant;
  const inDenver = async () => {
    const made = await createTenant(it.platform(), { name: "Denver", organizationType: "clinic", contactEmail: "x@y.example" });
    const ctx = it.inTenant(made.id);
    await updateContactPreferences(ctx, {
      businessHours: { start: "08:00", end: "16:00", timezone: "America/Denver", days: { sunday: null } },
    });
    const make = (body: object) => createOffice(ctx, createOwnOffice.body.parse({ name: `Office ${++count}`, ...body }));
    const change = async (id: string, name: string, body: object) => updateOffice(ctx, id, updateOwnOffice.body.parse({ name, ...body }));
    return { make, change };
  };
  let count = 0;

  test("are for the rest the tenant's, its clock above all; another's days say nothing of one's own range", async () => {
    const { make } = await inDenver();
    const hoursFor = async (businessHours: object) => (await make({ businessHours })).businessHours;
    expect(await hoursFor({ start: "10:00", end: "14:00" })).toEqual({ start: "10:00", end: "14:00", timezone: "America/Denver" });
    expect(await hoursFor({ start: "10:00" })).toEqual({ start: "10:00", end: "16:00", timezone: "America/Denver" });
    expect(await hoursFor({ timezone: "America/Chicago" })).toEqual({
      start: "08:00",
      end: "16:00",
      timezone: "America/Chicago",
      days: { sunday: null },
    });
    await expect(hoursFor({ start: "17:00" })).rejects.toMatchObject({
      code: "invalid_request",
      fields: { "businessHours.end": "Must be after the start" },
    });
  });

  test("are for the rest the office's own where it has some", async () => {
    const { make, change } = await inDenver();
    const { id, name } = await make({ businessHours: { ...hours, days: { friday: null } } });
    expect(await change(id, name, { businessHours: { end: "15:00" } })).toMatchObject({
      businessHours: { ...hours, end: "15:00", days: { friday: null } },
    });
    const { version } = await change(id, name, { businessHours: { days: null } });
    expect(await change(id, name, {})).toMatchObject({ businessHours: { ...hours, end: "15:00" }, version });
    await change(id, name, { businessHours: null });
    expect((await change(id, name, { businessHours: { end: "17:00" } })).businessHours).toEqual({
      start: "08:00",
      end: "17:00",
      timezone: "America/Denver",
    });
  });

  test("keep their breaks; the organization's are inherited with its range alone, and a range without room for kept ones is refused", async () => {
    const { make, change } = await inDenver();
    const breaks = [{ start: "12:00", end: "12:30" }];
    const made = await make({ businessHours: { ...hours, breaks } });
    const staffRouting = [
      { label: "As the office", phone: "555 1", hours: { timezone: "America/Denver" } },
      { label: "All day", phone: "555 2", hours: { start: "07:00", end: "19:00" } },
    ];
    const changed = await change(made.id, made.name, { businessHours: { end: "15:00" }, staffRouting });
    expect(changed.businessHours).toEqual({ ...hours, end: "15:00", breaks });
    expect(changed.staffRouting.map((one) => one.hours?.breaks)).toEqual([breaks, undefined]);
    await expect(change(made.id, made.name, { businessHours: { start: "12:10" } })).rejects.toMatchObject({
      code: "invalid_request",
      fields: { "businessHours.breaks.0.start": "Must be after the office opens: to open later, change that" },
    });
    const without = await change(made.id, made.name, { businessHours: { breaks: null } });
    expect(without.businessHours).toEqual({ ...hours, end: "15:00" });
  });

  test("of a destination are for the rest the office's, as they are after the change", async () => {
    const { make, change } = await inDenver();
    const staffRouting = [
      { label: "Desk", phone: "555 1", hours: { start: "18:00", end: "22:00" } },
      { label: "Any time", phone: "555 2" },
    ];
    const made = await make({ staffRouting });
    expect(made.staffRouting[0]?.hours).toEqual({ start: "18:00", end: "22:00", timezone: "America/Denver" });
    expect(made.staffRouting[1]).toEqual({ label: "Any time", phone: "555 2", reasons: [] });
    const moved = await change(made.id, made.name, { businessHours: { timezone: "America/Chicago" }, staffRouting });
    expect(moved.staffRouting[0]?.hours?.timezone).toBe("America/Chicago");
    await expect(
      change(made.id, made.name, { staffRouting: [{ label: "Desk", phone: "555 1", hours: { start: "17:00" } }] }),
    ).rejects.toMatchObject({ fields: { "staffRouting.0.hours.end": "Must be after the start" } });
  });
});

describe("an office's card", () => {
  const fhirProvider = (id: string, isActive: boolean) =>
    it.platform().platform.commit(
      [
        create<FhirProviderRow>(keys.fhirProvider(id), {
          id,
          name: id,
          providerType: "custom",
          fhirVersion: "R4",
          baseUrl: "https://x.example",
          clientId: "c",
          scopes: "s",
          isActive,
          createdAt: new Date().toISOString(),
        }),
      ],
      audited,
    );
  const agent = (tenantId: string, officeId: string, id: string, isActive = true) =>
    it.inTenant(tenantId).store.commit(
      [
        create<VoiceAgentRow>(keys.voiceAgent(officeId, id), {
          id,
          officeId,
          voiceProviderId: "v",
          providerType: "vapi",
          externalAgentId: id,
          agentName: id,
          isActive,
          createdAt: new Date().toISOString(),
        }),
      ],
      audited,
    );

  test("is counted from its own active agents, and tells its own record system before the tenant's, at two reads and one", async () => {
    const { id: tenantId } = await createTenant(it.platform(), { name: "Cards", organizationType: "clinic", contactEmail: "x@y.example" });
    const ctx = it.inTenant(tenantId);
    const withPlatform = { ...ctx, platform: it.platform().platform };
    await Promise.all([fhirProvider("on", true), fhirProvider("off", false)]);
    const [plain, own] = [
      await createOffice(ctx, office("Plain")),
      await createOffice(ctx, { ...office("Own"), businessHours: hours, staffCount: 3 }),
    ];
    await Promise.all([
      agent(tenantId, plain.id, "a1"),
      agent(tenantId, plain.id, "a2"),
      agent(tenantId, plain.id, "a3", false),
      agent(tenantId, own.id, "a4"),
      agent(two, plain.id, "a5"),
    ]);
    const tenantRow = async () => (await ctx.store.get(keys.tenantConfig())) as TenantRow;
    const cards = async () => Object.fromEntries((await officeCards(withPlatform, await tenantRow())).map((card) => [card.name, card]));

    expect(await cards()).toMatchObject({
      Plain: {
        voiceAgentCount: 2,
        fhirEnabled: false,
        phoneNumber: "555 0199",
        staffCount: null,
        businessHours: { start: "09:00", timezone: "America/New_York" },
      },
      Own: { voiceAgentCount: 1, fhirEnabled: false, staffCount: 3, businessHours: hours },
    });
    await ctx.store.commit([update<TenantRow>(keys.tenantConfig(), { set: { fhirProviderId: "on" } })], audited);
    await ctx.store.commit([update<OfficeRow>(keys.office(own.id), { set: { fhirProviderId: "off" } })], audited);
    expect(await cards()).toMatchObject({ Plain: { fhirEnabled: true }, Own: { fhirEnabled: false } });
    const row = await tenantRow();
    it.resetUsage();
    await officeCards(withPlatform, row);
    expect(it.usage().map(({ operation }) => operation)).toEqual(["Query", "Query", "BatchGetItem"]);
    expect(await officeDetail(withPlatform, plain.id)).toMatchObject({
      voiceAgentCount: 2,
      fhirEnabled: true,
      businessHours: null,
      effective: { businessHours: { start: "09:00" } },
    });
  });

  test("is correct for any number of FHIR providers", async () => {
    const { id } = await createTenant(it.platform(), { name: "Many", organizationType: "clinic", contactEmail: "x@y.example" });
    const ctx = { ...it.inTenant(id), platform: it.platform().platform };
    const [row, used] = [await createOffice(it.inTenant(id), office("First")), 120];
    for (let from = 0; from < used; from += 60)
      await ctx.store.commit(
        Array.from({ length: 60 }, (_, n) => {
          const own = `office${String(from + n).padStart(3, "0")}`;
          return create<OfficeRow>(keys.office(own), {
            id: own,
            name: own,
            isActive: true,
            createdAt: row.createdAt,
            fhirProviderId: `ehr-of-${own}`,
          });
        }),
        { category: "configuration_change", action: "office.create", resourceType: "Office" },
      );
    await fhirProvider("ehr-of-office119", true);
    const tenant = (await ctx.store.get(keys.tenantConfig())) as TenantRow;
    const cards = await officeCards(ctx, tenant);
    expect(cards).toHaveLength(used + 1);
    expect(cards.filter(({ fhirEnabled }) => fhirEnabled).map(({ name }) => name)).toEqual(["office119"]);
  });
});
