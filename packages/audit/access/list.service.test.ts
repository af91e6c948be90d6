import { setTimeout } from "node:timers/promises";
import { type Actor, newId, utcDate } from "@vitaline/core";
import { type AuditRow, keys, put, type TenantContext } from "@vitaline/store";
import { createTenant } from "@vitaline/tenants";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import {
  listAccessReports,
  listReportablePeople,
  platformAccessScope,
  readAccessReport,
  runAccessReport,
  startAccessReport,
  tenantAccessScope,
} from "../index.ts";
import { textsOfPdf } from "../report/pdf.fixture.ts";

let it: TestAws;
let [one, two] = ["", ""];
beforeAll(async () => {
  it = await startTestAws();
  process.env["EXPORT_FUNCTION"] = "vitaline-test-events-export";
  process.env["ARCHIVE_BUCKET"] = "vitaline-test-archive";
});
afterAll(async () => {
  for (const name of ["EXPORT_FUNCTION", "ARCHIVE_BUCKET"]) delete process.env[name];
  await it.close();
});
const system = () => it.platform({ kind: "system", id: "seed" });
beforeEach(async () => {
  const made = await Promise.all(
    ["Clinic One", "Clinic Two"].map((name) =>
      createTenant(system(), { name, contactEmail: `office@${newId()}.example`, organizationType: "clinic" }),
    ),
  );
  [one, two] = made.map(({ id }) => id) as [string, string];
});

const today = () => utcDate(new Date());
const days = () => ({ start: today(), end: today(), timeZone: "UTC" });
const ofAnna = { kind: "patient", patientId: "anna" };

/** A user of a tenant, or without one a system administrator. */
const newUser = async (lastName: string, tenantId?: string, isActive = true): Promise<string> => {
  const id = newId();
  const role = tenantId === undefined ? "system_admin" : "tenant_admin";
  const user = { id, email: `${id}@clinic.example`, firstName: "Ana", lastName, role, tenantId, isActive } as never;
  const inTenant = tenantId === undefined ? [] : [put(keys.userInTenant(tenantId, id), user)];
  await system().platform.commit([put(keys.userDirectory(id), user), ...inTenant], {
    category: "configuration_change",
    action: "user.create",
    resourceType: "User",
  });
  return id;
};
const of = (tenantId: string, userId: string) => it.inTenant(tenantId, { kind: "user", id: userId, role: "tenant_admin", tenantId });
/** The id of a report that the user asks for, each in a millisecond of its own. */
const ask = async (tenantId: string, userId: string, about: object): Promise<string> => {
  await setTimeout(2);
  const ctx = of(tenantId, userId);
  return (await startAccessReport(ctx, tenantAccessScope(ctx), { ...about, ...days() } as never)).id;
};

const looksAt = async ({ store, tenantId }: TenantContext): Promise<AuditRow[]> => {
  const logs = await Promise.all(
    (["data_query", "patient_access"] as const).map((category) =>
      store.query<AuditRow>(keys.tenantPartitions.audit(tenantId, today().slice(0, 7), category)),
    ),
  );
  return logs.flatMap(({ rows }) => rows).filter(({ action }) => action === "accessReport.list");
};

test("a tenant's reports are listed for it alone, newest first, by who asked and what each is about, and each look is audited", async () => {
  const [asker, colleague, stranger] = [await newUser("Auditor", one), await newUser("Nurse", one), await newUser("Foreign", two)];
  const ids = [
    await ask(one, asker, ofAnna),
    await ask(one, asker, { kind: "user", userId: colleague }),
    await ask(one, asker, { kind: "user", userId: stranger }),
  ];
  await ask(two, stranger, ofAnna);
  const ctx = of(one, asker);
  const { rows } = await listAccessReports(ctx, tenantAccessScope(ctx), {});
  expect(rows.map(({ id, requestedByName, patientId, userName }) => [id, requestedByName, patientId, userName])).toEqual([
    [ids[2], "Ana Auditor", null, null],
    [ids[1], "Ana Auditor", null, "Ana Nurse"],
    [ids[0], "Ana Auditor", "anna", null],
  ]);
  expect(new Set(rows.map(({ tenantName, state }) => `${tenantName} ${state}`))).toEqual(new Set(["Clinic One queued"]));
  const first = await listAccessReports(ctx, tenantAccessScope(ctx), { limit: 2 });
  const last = await listAccessReports(ctx, tenantAccessScope(ctx), { limit: 2, cursor: first.next });
  expect([...first.rows, ...last.rows].map(({ id }) => id)).toEqual(ids.toReversed());
  const told = (await looksAt(ctx)).map(({ actorId, detail }) => `${actorId} ${detail?.["rows"]}`);
  expect(told.toSorted()).toEqual([1, 2, 3].map((count) => `${asker} ${count}`));
});

test("a look at a tenant's reports is an access to the patients that it names, each once; one that names none is not", async () => {
  const asker = await newUser("Auditor", one);
  const ctx = of(one, asker);
  await ask(one, asker, { kind: "user", userId: asker });
  await listAccessReports(ctx, tenantAccessScope(ctx), {});
  const fhirProviderId = newId();
  for (const about of [ofAnna, ofAnna, { ...ofAnna, fhirProviderId }]) await ask(one, asker, about);
  await listAccessReports(ctx, tenantAccessScope(ctx), {});
  expect((await looksAt(ctx)).map(({ category, patients }) => [category, patients])).toEqual([
    ["data_query", undefined],
    ["patient_access", [{ id: "anna", fhirProviderId }, { id: "anna" }]],
  ]);
});

test("the platform's list has its own reports alone, without patients", async () => {
  const actor: Actor = { kind: "user", id: await newUser("Operator"), role: "system_admin" };
  const ctx = it.platform(actor);
  const { id } = await startAccessReport(ctx, platformAccessScope(ctx), { ...ofAnna, tenantId: one, ...days() } as never);
  await ask(one, await newUser("Auditor", one), ofAnna);
  const { rows } = await listAccessReports(ctx, platformAccessScope(ctx), {});
  expect(rows).toMatchObject([{ id, requestedByName: "Ana Operator", kind: "patient", patientId: null, tenantName: "Clinic One" }]);
  expect(JSON.stringify(rows)).not.toContain("anna");
});

test("a tenant chooses among its own users, also deactivated ones, and a file does not tell it the name of another tenant's", async () => {
  const [nurse, former, stranger] = [await newUser("Nurse", one), await newUser("Former", one, false), await newUser("Foreign", two)];
  const { rows } = await listReportablePeople(it.inTenant(one), {});
  expect(Object.fromEntries(rows.map(({ id, name, isActive }) => [id, [name, isActive]]))).toEqual({
    [nurse]: ["Ana Nurse", true],
    [former]: ["Ana Former", false],
  });
  const reportId = await ask(one, nurse, { kind: "user", userId: stranger });
  const ctx = of(one, nurse);
  await runAccessReport(
    system(),
    tenantAccessScope(ctx),
    { reportId, tenantId: one, tries: 1 },
    { hasTime: () => true, proceed: async () => {} },
  );
  const { url } = await readAccessReport(ctx, tenantAccessScope(ctx), reportId, { page: 1, download: "pdf" });
  const texts = textsOfPdf(Buffer.from(await (await fetch(url ?? "")).arrayBuffer())).join(" ");
  expect(texts).toContain(stranger);
  expect(texts).not.toContain("Foreign");
});
