import { auditCategories, type AuditCategory, type AuditRow, keys, update } from "@vitaline/store";
import { createTenant } from "@vitaline/tenants";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { approveErasure, readErasure, requestErasure, runErasure } from "./index.ts";

const bucket = "vitaline-test-files";
let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
  await it.aws.s3.ensureBucket({ name: bucket, versioned: true });
});
afterAll(() => it.close());

const as = (id: string) => it.platform({ kind: "user", id, role: "system_admin" });

test("a tenant's copy that was interrupted in the audit has every audit row", async () => {
  const { id: tenantId } = await createTenant(as("maker"), { name: "Clinic", contactEmail: "a@b.example", organizationType: "clinic" });
  const ctx = it.inTenant(tenantId);
  for (const category of auditCategories)
    for (let row = 0; row < 3; row++) await ctx.store.commit([], { category, action: `test.${category}`, resourceType: "Test" });
  await as("maker")
    .platform.inTenant(tenantId)
    .commit([update(keys.tenantConfig(), { set: { isActive: false } as never })], {
      ...{ category: "configuration_change", action: "tenant.update", resourceType: "Tenant" },
    });
  const { id } = await requestErasure(as("anna"), tenantId, { kind: "tenant", confirmName: "Clinic", reason: "contract_ended" });
  await approveErasure(as("ben"), id);
  // Enough to go on with the lease, too little to begin another chunk of the copy: each invocation is interrupted after one.
  const system = it.platform({ kind: "system", id: "erase" });
  const interrupted = { ...system, pause: async () => {}, deadline: { ...system.deadline, remainingMs: () => 59_000 } };
  for (let run = 0; run < 30; run++) {
    await runErasure(interrupted, id);
    if ((await readErasure(as("anna"), id)).status !== "exporting") break;
  }
  const { copyUrls } = await readErasure(as("anna"), id, { withCopy: true });
  const files = await Promise.all((copyUrls ?? []).map(async (url) => (await fetch(url)).text()));
  const lines = files.flatMap((text) => text.trim().split("\n")).map((line) => JSON.parse(line) as { type: string; action?: string });
  const copied = (category: AuditCategory) => lines.filter(({ type, action }) => type === "audit" && action === `test.${category}`).length;
  const month = new Date().toISOString().slice(0, 7);
  for (const category of auditCategories)
    expect((await ctx.store.query<AuditRow>(keys.tenantPartitions.audit(tenantId, month, category))).rows.length).toBeGreaterThanOrEqual(3);
  expect(Object.fromEntries(auditCategories.map((category) => [category, copied(category)]))).toEqual({
    ...{ patient_access: 3, data_query: 3, api_call: 3, configuration_change: 3 },
  });
});
