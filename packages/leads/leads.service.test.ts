import { isAppError, newId } from "@vitaline/core";
import { cacheRetentionAndZone, create, keys, type AuditRow, type OfficeRow, type TenantContext } from "@vitaline/store";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { exportLeads, handleLead, reserveLead, listLeads, storeLead, readLead } from "./index.ts";

let it: TestAws;
let one: TenantContext;
let two: TenantContext;
const office = newId();
beforeAll(async () => {
  it = await startTestAws();
});
beforeEach(async () => {
  const tenant = (id: string) => it.inTenant(id, { kind: "user", id: "admin", role: "tenant_admin", tenantId: id });
  [one, two] = [tenant(newId()), tenant(newId())];
  const row: OfficeRow = { id: office, name: "Downtown", isActive: true, createdAt: new Date().toISOString() };
  await one.store.commit([create(keys.office(office), row)], {
    category: "configuration_change",
    action: "office.create",
    resourceType: "Office",
  });
});
afterAll(() => it.close());

const contact = { name: "Jane Example", phone: "555 0142", email: undefined, note: "Mornings" };
const auditsOf = async ({ store, tenantId }: TenantContext) =>
  (await store.query<AuditRow>(keys.tenantPartitions.audit(tenantId, new Date().toISOString().slice(0, 7), "patient_access"))).rows;
const is = (code: "not_found" | "stale_version") => (error: unknown) => isAppError(error, code);

test("a lead is listed without a name and read with it, by its own tenant only, and each read is audited", async () => {
  const made = await storeLead(one, { reason: "new_patient", contact, officeId: office, callKey: "c".repeat(40) });
  expect(made).toMatchObject({ reason: "new_patient", callId: "c".repeat(40), officeId: office, handledAt: null, version: 1 });
  const { rows } = await listLeads(one, {});
  expect(rows).toEqual([made]);
  expect(JSON.stringify(await one.store.get(keys.lead(made.id)))).not.toMatch(/Jane|0142|Mornings/);
  expect(await readLead(one, made.id)).toEqual({ ...made, contact: { ...contact, email: null } });
  await expect(readLead(two, made.id)).rejects.toSatisfy(is("not_found"));
  expect((await listLeads(two, {})).rows).toEqual([]);
  const audits = await auditsOf(one);
  expect(audits.map(({ action, resourceId }) => [action, resourceId])).toEqual([
    ["lead.create", made.id],
    ["lead.read", made.id],
  ]);
  expect(JSON.stringify(audits)).not.toMatch(/Jane|0142|Mornings/);
});

test("a lead is handled once for each version, and can be reopened", async () => {
  const { id } = await storeLead(two, { reason: "billing", contact });
  expect(await handleLead(two, id, true, 1)).toMatchObject({ handledAt: expect.any(String), version: 2 });
  await expect(handleLead(two, id, false, 1)).rejects.toSatisfy(is("stale_version"));
  expect((await listLeads(two, { handled: false })).rows).toEqual([]);
  expect((await listLeads(two, { handled: true })).rows.map((lead) => lead.id)).toEqual([id]);
  expect(await handleLead(two, id, false)).toMatchObject({ handledAt: null, version: 3 });
  await expect(handleLead(one, id, true)).rejects.toSatisfy(is("not_found"));
  const raced = await Promise.allSettled([1, 2, 3].map(() => handleLead(two, id, true, 3)));
  expect(raced.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
});

test("leads come newest first, page by page, one read each", async () => {
  const ctx = it.inTenant(newId());
  const made = [];
  for (let count = 0; count < 5; count++) made.push((await storeLead(ctx, { reason: "other", contact })).id);
  const seen: string[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    it.resetUsage();
    const page = await listLeads(ctx, { limit: 2, cursor });
    expect(it.usage().map(({ operation }) => operation)).toEqual(["Query"]);
    seen.push(...page.rows.map(({ id }) => id));
    cursor = page.next;
  }
  expect(seen).toEqual(made.toReversed());
});

test("a lead for another tenant's office is rejected", async () => {
  const before = (await listLeads(two, {})).rows;
  await expect(storeLead(two, { reason: "other", contact, officeId: office })).rejects.toSatisfy(is("not_found"));
  expect((await listLeads(two, {})).rows).toEqual(before);
});

test("a repeated request leaves one lead, in one commit with the caller's audit row", async () => {
  const ctx = it.inTenant(newId());
  const audit = { category: "patient_access", action: "tool.test", resourceType: "Tool" } as const;
  const lead = { reason: "billing", contact, callKey: "d".repeat(40) } as const;
  const asked = async () => {
    it.resetUsage();
    const { leadId, write } = (await reserveLead(ctx, lead, "request1"))!;
    await ctx.store.commit([write], audit);
    return { leadId, writes: it.usage().reduce((sum, { writeUnits }) => sum + writeUnits, 0) };
  };
  const { leadId, writes } = await asked();
  expect(writes).toBe(5);
  await expect(asked()).rejects.toSatisfy((error) => isAppError(error, "duplicate"));
  expect(await readLead(ctx, leadId)).toMatchObject({ reason: "billing", callId: "d".repeat(40), contact: { name: "Jane Example" } });
  expect((await listLeads(ctx, {})).rows.map(({ id }) => id)).toEqual([leadId]);
  expect((await reserveLead(ctx, lead, "request2"))?.leadId).not.toBe(leadId);
});

test("a call leaves at most three leads, even with concurrent requests, and another call has its own limit", async () => {
  const ctx = it.inTenant(newId());
  const ask = (callKey: string, request: string) => reserveLead(ctx, { reason: "billing", contact, callKey }, request);
  const made = await Promise.all(Array.from({ length: 12 }, (_, index) => ask("e".repeat(40), `request${index}`)));
  expect(made.filter((one) => one !== undefined)).toHaveLength(3);
  const first = made.findIndex((one) => one !== undefined);
  expect((await ask("e".repeat(40), `request${first}`))?.leadId).toBe(made[first]?.leadId);
  expect(await ask("f".repeat(40), "request1")).toBeDefined();
});

test("an export has all leads of its own tenant, newest first, with contacts, and its audit has only their number", async () => {
  const ctx = it.inTenant(newId());
  const made: string[] = [];
  for (let count = 0; count < 45; count++)
    made.push((await storeLead(ctx, { reason: "other", contact: { ...contact, name: `Caller ${count}` } })).id);
  await handleLead(ctx, made[0]!, true);
  const { text, ...file } = await exportLeads(ctx, { format: "json" });
  expect(file).toMatchObject({
    contentType: "application/json",
    rows: 45,
    complete: true,
    fileName: expect.stringMatching(/^leads-.+\.json$/),
  });
  const leads = JSON.parse(text) as { id: string; contact: { name: string } }[];
  expect(leads.map(({ id }) => id)).toEqual(made.toReversed());
  expect(leads[0]?.contact.name).toBe("Caller 44");
  expect((await exportLeads(ctx, { format: "csv", handled: true })).rows).toBe(1);
  expect((await exportLeads(two, { format: "csv" })).text).not.toContain("Caller");
  const audits = (await auditsOf(ctx)).filter(({ action }) => action === "lead.export");
  expect(audits.map(({ detail }) => detail)).toEqual([
    { rows: 45, format: "json", newestId: made.at(-1), oldestId: made[0] },
    { rows: 1, format: "csv", newestId: expect.any(String), oldestId: expect.any(String) },
  ]);
});

test("an export opens correctly in a spreadsheet: no formulas, no broken lines", async () => {
  const ctx = it.inTenant(newId());
  await storeLead(ctx, {
    reason: "other",
    contact: { name: "=HYPERLINK(1)", phone: "+1 617 555 0100", email: undefined, note: 'said "no", twice' },
  });
  cacheRetentionAndZone(ctx.tenantId, { timeZone: "America/Chicago" }, Date.now());
  const { text } = await exportLeads(ctx, { format: "csv" });
  const [titles, row, ...rest] = text.split("\r\n");
  expect(titles).toBe("Lead,Created (UTC),Reason,Name,Phone,Email,Note,Call,Office,Handled (UTC),Created (America/Chicago),Office name");
  expect(row).toContain(`other,'=HYPERLINK(1),'+1 617 555 0100,,"said ""no"", twice",,,`);
  expect(rest).toEqual([""]);
});
