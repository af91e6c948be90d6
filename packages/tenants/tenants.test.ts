import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/fixtures/aws.ts";
import { createOffice } from "@vitaline/offices";
import { keys } from "@vitaline/store";
import { createTenant, listTenants, tenantInfo } from "./index.ts";

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

test("the list holds every tenant once, its offices not among them, and no key", async () => {
  const tenant = await clinic("With offices");
  await createOffice(it.inTenant(tenant.id), { name: "Main", isActive: true, address: undefined, phone: undefined, email: undefined });
  const listed = await listTenants(it.platform());
  expect(listed.filter(({ id }) => id === tenant.id)).toHaveLength(1);
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
  expect(JSON.stringify(listed)).not.toContain("vtl_live_");
});

test("creating a tenant is in its own audit log, with who did it and without the key", async () => {
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
