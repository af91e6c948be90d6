import { isAppError, newId } from "@vitaline/core";
import { create, keys, type OfficeRow, type TenantRow } from "@vitaline/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Platform, providerInput, startPlatform } from "../fhir-providers.fixture.ts";
import {
  assignFhirProvider,
  assignOfficeFhirProvider,
  createFhirProvider,
  createOwnFhirProvider,
  prefetchEhr,
  type PrefetchedEhr,
  listFhirAssignments,
  listOwnFhirProviders,
  listTenantFhirProviders,
  openEhr,
  updateFhirProvider,
  updateOwnFhirProvider,
} from "../index.ts";

let platform: Platform;
beforeEach(async () => {
  platform = await startPlatform();
}, 60_000);
afterEach(() => platform.close());

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: unknown) => (isAppError(error) ? error.code : String(error)),
  );
const add = (more: object = {}) => createFhirProvider(platform.ctx, providerInput(platform.sandboxes[0], more));
const addOffice = async (tenantId: string, more: Partial<OfficeRow> = {}): Promise<string> => {
  const row: OfficeRow = { id: newId(), name: "Riverside", isActive: true, createdAt: new Date().toISOString(), ...more };
  await platform.ctx.platform.inTenant(tenantId).commit([create(keys.office(row.id), row), create(keys.officeDirectory(row.id), row)], {
    category: "configuration_change",
    action: "office.create",
    resourceType: "Office",
  });
  return row.id;
};
let [one, two]: [TenantRow, TenantRow] = [undefined as never, undefined as never];
let laterMs = 0;
/** Each test is an hour after the previous one, so that caches have expired. */
const now = () => platform.at({ laterMs });
beforeEach(async () => {
  laterMs += 3_600_000;
  for (const { id } of platform.tenants) await assignFhirProvider(platform.ctx, id, null);
  [one, two] = platform.tenants;
});
const providerOf = async (tenant: TenantRow, officeId?: string) => {
  laterMs += 60_000;
  const fresh = await platform.readTenant(tenant.id);
  return openEhr(now(), fresh, { officeId }).then(
    ({ providerId }) => providerId,
    (error: unknown) => (isAppError(error) ? error.code : String(error)),
  );
};

describe("the record system of an office", () => {
  it("is its own, else its tenant's, else none", async () => {
    const [first, second] = [await add(), await add()];
    const [office, other] = [await addOffice(one.id), await addOffice(one.id)];
    expect(await providerOf(one, office)).toBe("ehr_not_configured");
    await assignOfficeFhirProvider(platform.ctx, one.id, office, second.id);
    expect([await providerOf(one, office), await providerOf(one, other), await providerOf(one)]).toEqual([
      second.id,
      "ehr_not_configured",
      "ehr_not_configured",
    ]);
    await assignFhirProvider(platform.ctx, one.id, first.id);
    expect([await providerOf(one, office), await providerOf(one, other), await providerOf(one)]).toEqual([second.id, first.id, first.id]);
    await assignOfficeFhirProvider(platform.ctx, one.id, office, null);
    expect(await providerOf(one, office)).toBe(first.id);
    expect(await providerOf(one, newId())).toBe(first.id);
    expect(await providerOf(two, office)).toBe("ehr_not_configured");
  });

  it("is the tenant's if the office is inactive, and none if the provider is inactive", async () => {
    const [first, second] = [await add(), await add({ isActive: false })];
    await assignFhirProvider(platform.ctx, one.id, first.id);
    const [closed, open] = [await addOffice(one.id, { isActive: false }), await addOffice(one.id)];
    for (const office of [closed, open]) await assignOfficeFhirProvider(platform.ctx, one.id, office, second.id);
    expect([await providerOf(one, closed), await providerOf(one, open)]).toEqual([first.id, "ehr_not_configured"]);
    const { name, baseUrl, clientId, scopes } = first;
    await updateFhirProvider(platform.ctx, first.id, { name, baseUrl, clientId, scopes, isActive: false });
    expect(await providerOf(one)).toBe("ehr_not_configured");
  });

  it("costs one more read only with its own provider, and none when prefetched", async () => {
    const [first, second] = [await add(), await add()];
    await assignFhirProvider(platform.ctx, one.id, first.id);
    const [plain, special] = [await addOffice(one.id), await addOffice(one.id)];
    await assignOfficeFhirProvider(platform.ctx, one.id, special, second.id);
    const tenant = await platform.readTenant(one.id);
    const reads = async (officeId: string, prefetched?: PrefetchedEhr) => {
      platform.aws.resetUsage();
      await openEhr(now(), tenant, { officeId, prefetched });
      return platform.aws
        .usage()
        .map(({ operation }) => operation)
        .toSorted();
    };
    expect(await reads(plain)).toEqual(["BatchGetItem", "GetItem"]);
    expect(await reads(special)).toEqual(["BatchGetItem", "BatchGetItem", "GetItem"]);
    for (const officeId of [plain, special]) {
      const prefetched = await prefetchEhr(now(), one.id, { cacheKey: officeId });
      expect(await reads(officeId, prefetched)).toEqual([]);
    }
  });
});

describe("assignments", () => {
  it("of another tenant's office or provider do not exist", async () => {
    const provider = await add();
    const office = await addOffice(one.id);
    expect(await codeOf(assignOfficeFhirProvider(platform.ctx, two.id, office, provider.id))).toBe("not_found");
    expect(await codeOf(assignOfficeFhirProvider(platform.ctx, one.id, newId(), provider.id))).toBe("not_found");
    expect(await codeOf(assignOfficeFhirProvider(platform.ctx, one.id, office, newId()))).toBe("not_found");
    const own = await createFhirProvider(platform.ctx, providerInput(platform.sandboxes[1], { clientSecret: "s" }), two.id);
    expect(await codeOf(assignFhirProvider(platform.ctx, one.id, own.id))).toBe("not_found");
    expect(await codeOf(assignOfficeFhirProvider(platform.ctx, one.id, office, own.id))).toBe("not_found");
    expect(await codeOf(assignFhirProvider(platform.ctx, two.id, own.id))).toBe("done");
  });

  it("of an office raise its version everywhere, and a stale version is refused", async () => {
    const [first, second] = [await add(), await add()];
    const office = await addOffice(one.id);
    const assign = (id: string | null, ifMatch?: number) => assignOfficeFhirProvider(platform.ctx, one.id, office, id, ifMatch);
    expect(await assign(first.id, 1)).toEqual({ fhirProviderId: first.id, version: 2 });
    for (const id of [second.id, first.id, null]) expect(await codeOf(assign(id, 1))).toBe("stale_version");
    const raced = await Promise.all([assign(second.id, 2), assign(null, 2)].map(codeOf));
    expect(raced.toSorted()).toEqual(["done", "stale_version"]);
    const store = platform.ctx.platform.inTenant(one.id);
    const rows = await Promise.all([store.get(keys.office(office)), store.get(keys.officeDirectory(office))]);
    expect(rows.map((row) => row?.version)).toEqual([3, 3]);
  });

  it("that are made at the same time end in one, the same in all rows", async () => {
    const office = await addOffice(one.id);
    const providers = await Promise.all([add(), add(), add()]);
    await Promise.all(providers.map(({ id }) => codeOf(assignOfficeFhirProvider(platform.ctx, one.id, office, id))));
    const store = platform.ctx.platform.inTenant(one.id);
    const [row, listed, ...used] = await Promise.all([
      store.get(keys.office(office)),
      store.get(keys.officeDirectory(office)),
      ...providers.map(({ id }) => store.get(keys.fhirUsedBy(id, one.id, office))),
    ]);
    expect(listed?.fhirProviderId).toBe(row?.fhirProviderId);
    expect(providers.filter((_, index) => used[index]).map(({ id }) => id)).toEqual([row?.fhirProviderId]);
  });

  it("are listed by tenant with all offices on one page, in two queries", async () => {
    const [first, second] = [await add({ name: "First" }), await add({ name: "Second" })];
    await assignFhirProvider(platform.ctx, one.id, first.id);
    await addOffice(one.id, { name: "Its clinic's EHR" });
    const office = await addOffice(one.id, { name: "Own EHR" });
    await assignOfficeFhirProvider(platform.ctx, one.id, office, second.id);
    platform.aws.resetUsage();
    const { rows, next } = await listFhirAssignments(platform.ctx, {});
    expect(platform.aws.usage().map(({ operation }) => operation)).toEqual(["Query", "Query"]);
    expect(next).toBeUndefined();
    const found = rows.find(({ tenantId }) => tenantId === one.id);
    expect(found).toMatchObject({ name: one.name, organizationType: "clinic", defaultFhirProvider: { id: first.id, name: "First" } });
    expect(found?.offices.at(-1)).toEqual({
      id: office,
      name: "Own EHR",
      isActive: true,
      fhirProvider: { id: second.id, name: "Second" },
      version: 2,
    });
    expect(found?.offices.some(({ fhirProvider }) => fhirProvider === null)).toBe(true);

    for (const limit of [1, 2, 3]) {
      const paged: typeof rows = [];
      for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
        const page = await listFhirAssignments(platform.ctx, { limit, cursor });
        paged.push(...page.rows);
        cursor = page.next;
      }
      expect(paged).toEqual(rows);
    }
  });
});

describe("a tenant's own providers", () => {
  const allowed = (tenant: TenantRow): TenantRow => ({ ...tenant, policies: { ownFhirProviders: true } });
  const input = () => providerInput(platform.sandboxes[0], { name: "Our EHR", clientSecret: "s" });
  const asChange = ({ name, baseUrl, clientId, scopes } = input()) => ({ name, baseUrl, clientId, scopes });

  it("are created and changed only by tenants that the platform allows to", async () => {
    expect(await codeOf(createOwnFhirProvider(platform.ctx, one, input()))).toBe("forbidden");
    const own = await createOwnFhirProvider(platform.ctx, allowed(one), input());
    expect(own).toMatchObject({ ownerTenantId: one.id, ownerTenantName: one.name });
    expect(await updateOwnFhirProvider(platform.ctx, allowed(one), own.id, asChange(), 1)).toMatchObject({
      version: 2,
      hasClientSecret: true,
    });
    expect(await codeOf(updateOwnFhirProvider(platform.ctx, allowed(one), own.id, asChange(), 1))).toBe("stale_version");
    expect(await codeOf(updateOwnFhirProvider(platform.ctx, one, own.id, asChange(), undefined))).toBe("forbidden");
    expect(await codeOf(updateOwnFhirProvider(platform.ctx, allowed(two), own.id, asChange(), undefined))).toBe("not_found");
    expect((await listOwnFhirProviders(platform.ctx, one)).map(({ id }) => id)).toContain(own.id);
    expect((await listOwnFhirProviders(platform.ctx, two)).map(({ id }) => id)).not.toContain(own.id);
  });

  it("never sign with the platform's key, which other tenants' registrations trust", async () => {
    for (const clientAuth of [undefined, "platform_key"])
      expect(
        await codeOf(createOwnFhirProvider(platform.ctx, allowed(one), { ...input(), clientAuth, clientSecret: undefined } as never)),
      ).toBe("invalid_request");
    const own = await createOwnFhirProvider(platform.ctx, allowed(one), input());
    const remove = { ...asChange(), removeClientSecret: true };
    expect(await codeOf(updateOwnFhirProvider(platform.ctx, allowed(one), own.id, remove, undefined))).toBe("invalid_request");
    expect(await codeOf(updateFhirProvider(platform.ctx, own.id, { ...asChange(), clientAuth: "platform_key" }))).toBe("invalid_request");
    // The sandbox accepts signatures only, so a client with a secret gets no token there.
    await assignFhirProvider(platform.ctx, one.id, own.id);
    const ehr = await openEhr(now(), await platform.readTenant(one.id));
    expect(await codeOf(ehr.search("Slot", {}))).toBe("ehr_auth");
  });

  it("do not include the platform's, which it may not change; those that it does not use do not exist", async () => {
    const [used, unused] = [await add(), await add()];
    const office = await addOffice(one.id);
    await assignOfficeFhirProvider(platform.ctx, one.id, office, used.id);
    expect(await codeOf(updateOwnFhirProvider(platform.ctx, allowed(one), used.id, asChange(), undefined))).toBe("forbidden");
    expect(await codeOf(updateOwnFhirProvider(platform.ctx, allowed(one), unused.id, asChange(), undefined))).toBe("not_found");
    expect(await codeOf(updateOwnFhirProvider(platform.ctx, allowed(two), used.id, asChange(), undefined))).toBe("not_found");
  });

  it("D1.3-010 are listed with those that it uses, and no others", async () => {
    const [byDefault, byOffice, foreign] = [await add(), await add({ clientSecret: "s" }), await add()];
    await assignFhirProvider(platform.ctx, two.id, byDefault.id);
    await assignOfficeFhirProvider(platform.ctx, two.id, await addOffice(two.id), byOffice.id);
    const own = await createOwnFhirProvider(platform.ctx, allowed(two), input());
    const listed = await listTenantFhirProviders(platform.ctx, await platform.readTenant(two.id), [
      { name: "book", scopes: ["system/Appointment.crus", "system/Slot.rs"] },
      { name: "message", scopes: ["system/Communication.c"] },
    ]);
    expect(listed.find(({ id }) => id === byDefault.id)).toEqual({
      id: byDefault.id,
      providerName: "Riverside EHR",
      providerType: "custom",
      fhirVersion: "R4",
      authMethod: "certificate",
      baseUrl: platform.sandboxes[0].r4.baseUrl,
      isActive: true,
      connectionStatus: "unknown",
      isOwn: false,
      isDefault: true,
      operations: ["book"],
      version: 1,
    });
    expect(listed.find(({ id }) => id === byOffice.id)).toMatchObject({ authMethod: "oauth2", isOwn: false, isDefault: false });
    expect(listed.find(({ id }) => id === own.id)).toMatchObject({ isOwn: true, isDefault: false });
    expect(listed.some(({ id }) => id === foreign.id)).toBe(false);
    expect((await listTenantFhirProviders(platform.ctx, one, [])).some(({ id }) => [byDefault.id, byOffice.id, own.id].includes(id))).toBe(
      false,
    );
  });
});
