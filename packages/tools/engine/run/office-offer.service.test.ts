import type { BusinessHours } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import { create, keys, type OfficeRow, type TenantRow, update } from "@vitaline/store";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runTool } from "../../index.ts";
import { phrasingIn } from "../../test/sentences.fixture.ts";
import { startTools, type Tools, type Which } from "../../test/tools.fixture.ts";
import { errorSentence } from "../../speech/sentences.ts";

let t: Tools;
beforeAll(async () => {
  t = await startTools();
}, 60_000);
afterAll(() => t.close());

const configured = { category: "configuration_change", action: "office.update", resourceType: "Office" } as const;
const always: BusinessHours = { start: "00:00", end: "23:59", timezone: "America/New_York" };
const days = { monday: null, tuesday: null, wednesday: null, thursday: null, friday: null, saturday: null, sunday: null };
const never: BusinessHours = { ...always, days };
const staff = { label: "Nurse on call", phone: "+16175550114", hours: always };

const officeWith = async (which: Which, set: Partial<OfficeRow>): Promise<string> => {
  const id = newId();
  const row: OfficeRow = { id, name: "Night office", isActive: true, createdAt: new Date().toISOString(), ...set };
  await t.context(which).store.commit([create(keys.office(id), row)], configured);
  return id;
};
/** The answer to a change of name, which the office must make. */
const refusedAt = async (which: Which, officeId?: string) => {
  const caller = await t.verified(which, 0, 2);
  const call = { ...caller.call("updatePatientFhir", { firstName: "Other" }), ...(officeId ? { officeId } : {}) };
  return (await runTool(t.context(which), call)).speech;
};

const offered = /I can connect you with the office\.$/;
const noOne = /No one at the office can take your call right now, but I can take a message\.$/;
const closed = /The office is closed right now, but I can take a message\.$/;

it("the office is offered while someone there can take the call, else a message, by each tenant's own hours and numbers", async () => {
  const unstaffed = await officeWith(0, { businessHours: always });
  const atDesk = await officeWith(0, { businessHours: always, staffRouting: [{ ...staff, hours: always, reasons: ["front desk"] }] });
  const billingOnly = await officeWith(0, { businessHours: always, staffRouting: [{ ...staff, reasons: ["billing"] }] });
  const isClosed = await officeWith(0, { businessHours: never });
  const onDuty = await officeWith(0, { businessHours: never, staffRouting: [{ ...staff, reasons: [] }] });
  const forBilling = await officeWith(0, { businessHours: never, staffRouting: [{ ...staff, reasons: ["billing"] }] });
  expect(await refusedAt(0)).toMatch(offered);
  expect(await refusedAt(0, unstaffed)).toMatch(noOne);
  expect(await refusedAt(0, atDesk)).toMatch(offered);
  expect(await refusedAt(0, billingOnly)).toMatch(noOne);
  expect(await refusedAt(0, isClosed)).toMatch(closed);
  expect(await refusedAt(0, onDuty)).toMatch(offered);
  expect(await refusedAt(0, forBilling)).toMatch(closed);

  const { contactPreferences } = (await t.context(1).store.get<TenantRow>(keys.tenantConfig()))!;
  const set = (businessHours: BusinessHours) =>
    t
      .context(1)
      .store.commit(
        [update<TenantRow>(keys.tenantConfig(), { set: { contactPreferences: { ...contactPreferences!, businessHours } } })],
        configured,
      );
  await set(never);
  expect(await refusedAt(1)).toMatch(closed);
  await set(always);
  expect(await refusedAt(1)).toMatch(offered);
  const withoutNumber = update<TenantRow>(keys.tenantConfig(), { remove: ["contactPhone"] });
  await t.context(1).store.commit([withoutNumber], configured);
  expect(await refusedAt(1)).toMatch(noOne);
});

it("the tenant's only office is offered as the call is routed, also where the call names none", async () => {
  const answers = async (which: Which) => {
    const routed = await t.phone(which).use("logRoutingEvent", { reason: "a person", outcome: "transferred" });
    return [(routed.output as { destinations: object[] }).destinations.length, await refusedAt(which)];
  };
  const withoutNumber = update<TenantRow>(keys.tenantConfig(), { remove: ["contactPhone"] });
  await t.context(1).store.commit([withoutNumber], configured);
  const only = await officeWith(1, { businessHours: always, staffRouting: [{ ...staff, reasons: [] }] });
  expect(await answers(1)).toEqual([1, expect.stringMatching(offered)]);
  await officeWith(1, { businessHours: always, staffRouting: [{ ...staff, reasons: [] }] });
  expect(await answers(1)).toEqual([0, expect.stringMatching(noOne)]);
  expect(await refusedAt(1, only)).toMatch(offered);
  await t.context(1).store.commit([update<TenantRow>(keys.tenantConfig(), { set: { contactPhone: "617-555-0100" } })], configured);
});

it("an error is said with the same offer, and after the last try only a code is offered to a verified caller", async () => {
  const officeId = await officeWith(0, { businessHours: never });
  const caller = await t.verified(0, 1);
  await t.fault(0, { kind: "down" });
  const info = { ...caller.call("getPatientInfo", {}), officeId };
  expect((await runTool(t.context(0, { deadlineMs: 3000 }), info)).speech).toBe(
    errorSentence("ehr_unavailable", phrasingIn("en", "closed")),
  );
  await t.heal();
  for (const zipCode of ["00001", "00002", "00003"]) await caller.use("verifyPatientIdentity", { zipCode });
  const { code, speech } = await caller.use("getPatientClinicalData");
  expect([code, speech]).toEqual(["identity_required", "For that I need one more proof that it's you. Shall I text or email you a code?"]);
});
