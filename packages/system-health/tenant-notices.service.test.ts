import { assignFhirProvider, createFhirProvider } from "@vitaline/fhir-providers";
import { dayIn, newId } from "@vitaline/core";
import { create, keys, put, type OfficeRow, type TenantRow } from "@vitaline/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tenantHealth, tenantNotices } from "./index.ts";
import { startClinics } from "./system-health.fixture.ts";

let it: Awaited<ReturnType<typeof startClinics>>;
beforeEach(async () => {
  it = await startClinics();
  await it.probe();
});
afterEach(() => it.close());

const again = async ({ id }: TenantRow): Promise<TenantRow> => (await it.ctx.platform.inTenant(id).get(keys.tenantConfig()))!;
const noticesOf = async (at: 0 | 1) => tenantNotices(it.ctx, await again(it.tenants[at]));
const overallOf = async (at: 0 | 1) => (await tenantHealth(it.ctx, await again(it.tenants[at]))).overallStatus;
const addOffice = async (tenantId: string, name: string, more: Partial<OfficeRow> = {}): Promise<void> => {
  const id = newId();
  await it.ctx.platform
    .inTenant(tenantId)
    .commit([create(keys.office(id), { id, name, isActive: true, createdAt: new Date().toISOString(), ...more })], {
      category: "configuration_change",
      action: "office.create",
      resourceType: "Office",
    });
};
const count = (tenantId: string, runs: Record<string, [count: number, succeeded: number]>) => {
  const numbers = Object.entries(runs).flatMap(([tool, [all, good]]) => [
    [`tool_${tool}`, all],
    [`toolok_${tool}`, good],
  ]);
  const row = `DAY#${dayIn(it.tenants[0].timeZone, new Date())}`;
  return it.ctx.platform.inTenant(tenantId).writeUnaudited(put(keys.stats(row), { row, ...Object.fromEntries(numbers) }));
};
const none = { runs: null, failedRuns: null };

test("a clinic that works has none, and one whose EHR is gone and whose key is refused has one each, of its own connections", async () => {
  expect(await noticesOf(0)).toEqual([]);
  expect(await noticesOf(1)).toEqual([
    { ...none, kind: "record_system_fails", names: ["EHR of Clinic 2"] },
    { ...none, kind: "key_refused", names: ["Our Vapi"] },
  ]);
});

test("a missing record system counts in the overall status, and names the offices without one", async () => {
  const [mine, others] = it.tenants;
  expect(await overallOf(0)).toBe("healthy");
  await assignFhirProvider(it.ctx, mine.id, null);
  expect(await overallOf(0)).toBe("warning");
  expect(await noticesOf(0)).toEqual([{ ...none, kind: "no_record_system", names: [] }]);
  await addOffice(mine.id, "Uptown");
  await addOffice(mine.id, "Closed", { isActive: false });
  expect(await noticesOf(0)).toEqual([{ ...none, kind: "no_record_system", names: [] }]);
  await addOffice(mine.id, "Downtown", { fhirProviderId: mine.fhirProviderId! });
  expect(await noticesOf(0)).toEqual([{ ...none, kind: "no_record_system", names: ["Uptown"] }]);
  expect((await noticesOf(1)).map(({ kind }) => kind)).not.toContain("no_record_system");
  const { id } = await createFhirProvider(it.ctx, {
    ...{
      name: "Off",
      providerType: "custom",
      fhirVersion: "R4",
      baseUrl: "https://ehr.example/fhir",
      tokenUrl: "https://ehr.example/token",
    },
    ...{ clientId: "client", scopes: "system/Patient.rs", isActive: false },
  });
  await assignFhirProvider(it.ctx, others.id, id);
  expect((await noticesOf(1)).map(({ kind }) => kind)).toEqual(["no_record_system", "key_refused"]);
});

test("tools that fail in half of all runs count in the overall status, a few failures do not, and no other clinic sees them", async () => {
  const [mine] = it.tenants;
  await count(mine.id, { getPatientInfo: [3, 0] });
  expect([await noticesOf(0), await overallOf(0)]).toEqual([[], "healthy"]);
  await count(mine.id, { getPatientInfo: [4, 0], scheduleAppointment: [4, 2], sendSMS: [2, 2] });
  expect(await noticesOf(0)).toEqual([{ kind: "tools_fail", names: ["getPatientInfo", "scheduleAppointment"], runs: 10, failedRuns: 6 }]);
  expect(await overallOf(0)).toBe("warning");
  expect((await noticesOf(1)).map(({ kind }) => kind)).not.toContain("tools_fail");
  await count(mine.id, { getPatientInfo: [4, 0], scheduleAppointment: [4, 4], sendSMS: [2, 2] });
  expect(await noticesOf(0)).toEqual([]);
});

test("what the notices read does not grow with the calls", async () => {
  const reads = async () => {
    it.aws.resetUsage();
    await noticesOf(0);
    return it.aws
      .usage()
      .map(({ operation }) => operation)
      .toSorted();
  };
  const before = await reads();
  await count(it.tenants[0].id, { getPatientInfo: [100_000, 100_000] });
  expect(await reads()).toEqual(before);
  expect(before.length).toBe(10);
});
