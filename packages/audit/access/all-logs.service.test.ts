import type { AccessEntry, AccessReportDetail } from "@vitaline/contract";
import { type Actor, newId, utcDate } from "@vitaline/core";
import { create, type ErasureRow, keys, remove, update } from "@vitaline/store";
import { createTenant } from "@vitaline/tenants";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { platformAccessScope, platformExportScope, readAccessReport, runAccessReport, startAccessReport, startExport } from "../index.ts";
import type { ReportRow } from "../report/report-row.ts";

let it: TestAws;
const root: Actor = { kind: "user", id: "root1", role: "system_admin" };
beforeAll(async () => {
  it = await startTestAws();
  process.env["EXPORT_FUNCTION"] = "vitaline-test-events-export";
  process.env["ARCHIVE_BUCKET"] = "vitaline-test-archive";
});
afterAll(async () => {
  for (const name of ["EXPORT_FUNCTION", "ARCHIVE_BUCKET"]) delete process.env[name];
  await it.close();
});

const today = () => utcDate(new Date());
/** An organization in which the user has read the log. */
const visitedBy = async (userId: string): Promise<string> => {
  const { id } = await createTenant(it.platform(root), {
    name: "Clinic",
    contactEmail: `o@${newId()}.example`,
    organizationType: "clinic",
  });
  const actor: Actor = { kind: "user", id: userId, role: "tenant_admin", tenantId: id };
  await it.inTenant(id, actor).store.commit([], { category: "data_query", action: "audit.read", resourceType: "AuditLog" });
  return id;
};
const erase = async (tenantId: string): Promise<void> => {
  const row: ErasureRow = {
    ...{ id: newId(), kind: "tenant", tenantId, tenantName: "Clinic", reason: "contract_ended", status: "done", requestedBy: root.id },
    ...{ requestedAt: new Date().toISOString(), startsAt: new Date().toISOString(), version: 1 },
  };
  await it.platform(root).platform.commit([create(keys.erasure(row.id), row), remove(keys.listedTenant(tenantId))], {
    category: "configuration_change",
    action: "erasure.done",
    resourceType: "Tenant",
    resourceId: tenantId,
  });
};

test("a report over all logs has the acts in each organization, also when one is erased while it is written, and in those erased before", async () => {
  const userId = newId();
  const [before, during, next] = [await visitedBy(userId), await visitedBy(userId), await visitedBy(userId)];
  await erase(before);
  const scope = platformAccessScope(it.platform(root));
  const { id } = await startAccessReport(it.platform(root), scope, {
    ...{ kind: "user", userId, start: today(), end: today(), timeZone: "UTC" },
  } as never);
  const ctx = it.platform({ kind: "system", id: "export" });
  const key = keys.platformAccessReport(id);
  // Past the first pass, which lists nothing.
  const progress = { ...(await ctx.platform.get(key))!.progress, step: "list" as const };
  await ctx.platform.writeUnaudited(update(key, { set: { progress } }, { exists: true }));
  const read = new Set<string>();
  const inTenant = (tenantId: string) => {
    read.add(tenantId);
    return ctx.platform.inTenant(tenantId);
  };
  const system = { ...ctx, platform: { ...ctx.platform, inTenant } };
  const job = { reportId: id, tries: 1 };
  // The first invocation ends in the log after the one that is then erased.
  for (let isOver = false, invocations = 1; !isOver; invocations++) {
    isOver = true;
    const hasTime = () => invocations > 1 || !read.has(next);
    await runAccessReport(system, scope, job, { hasTime, proceed: async () => void (isOver = false) });
    if (invocations === 1) await erase(during);
  }
  const entries: AccessEntry[] = [];
  for (let page: number | null = 1; page !== null;) {
    const report: AccessReportDetail = await readAccessReport(it.platform(root), scope, id, { page });
    entries.push(...report.entries);
    page = report.nextPage;
  }
  expect(entries.map(({ tenantId }) => tenantId)).toEqual([before, during, next]);
});

test("an export of all organizations has the log of one that was erased", async () => {
  const userId = newId();
  const [erased, kept] = [await visitedBy(userId), await visitedBy(userId)];
  await erase(erased);
  const ctx = it.platform(root);
  const { url } = await startExport(ctx, platformExportScope(ctx), {
    ...{ format: "json", timeZone: "UTC", actionType: "data_query", start: today(), end: today() },
  });
  const rows = (await (await fetch(url ?? "")).json()) as ReportRow[];
  const where = rows.filter(({ actorId }) => actorId === userId).map(({ tenantId }) => tenantId);
  expect(where).toEqual(expect.arrayContaining([erased, kept]));
  expect(where).toHaveLength(new Set(where).size);
});
