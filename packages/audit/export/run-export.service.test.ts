import { newId } from "@vitaline/core";
import { create, keys, update, type ExportRow } from "@vitaline/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { tenantExportScope } from "./export-scope.ts";
import { findExport } from "./find-export.ts";
import { runExport } from "./run-export.ts";

let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
});
afterAll(() => it.close());

const queued = async (tenantId: string): Promise<ExportRow> => {
  const now = new Date();
  const row: ExportRow = {
    id: newId(),
    status: "queued",
    format: "json",
    start: now.toISOString().slice(0, 10),
    end: now.toISOString().slice(0, 10),
    timeZone: "UTC",
    tenantId,
    requestedBy: "admin",
    requestedAt: now.toISOString(),
    tries: 1,
    heartbeatAt: now.toISOString(),
    expiresAt: 4_000_000_000,
  };
  await it.inTenant(tenantId).store.writeUnaudited(create(keys.tenantExport(row.id), row));
  return row;
};

/** An attempt during which `meanwhile` runs, with a clock that advances by half a minute at every read. */
const attempt = async (
  tenantId: string,
  { id, tries }: ExportRow,
  meanwhile: () => Promise<unknown> = async () => {},
  hasTime = () => true,
) => {
  let nowMs = Date.now();
  const logged: string[] = [];
  const ctx = it.inTenant(tenantId);
  const desk = tenantExportScope(ctx);
  const clock = () => new Date((nowMs += 30_000));
  const log = (_level: string, event: string): void => void logged.push(event);
  const subjectOf = async (row: ExportRow): Promise<string> => {
    await meanwhile();
    return desk.subjectOf(row);
  };
  await runExport({ clock, log }, { ...desk, subjectOf }, { exportId: id, tenantId, tries }, { hasTime });
  return logged;
};

test.each(["ready", "failed"] as const)("a late attempt does not change an export that is %s, and stops", async (status) => {
  const [one, two] = it.tenants;
  const [row, other] = [await queued(one), await queued(two)];
  const { store } = it.inTenant(one);
  const ended = { status, rows: 7, bytes: 70, file: "exports/of-the-first" };
  const logged = await attempt(one, row, () => store.writeUnaudited(update(keys.tenantExport(row.id), { set: ended })));
  expect(await store.get(keys.tenantExport(row.id))).toMatchObject(ended);
  expect(logged).toEqual(["export.superseded"]);
  expect(await it.inTenant(two).store.get(keys.tenantExport(other.id))).toEqual(other);
});

test("an attempt that Lambda restarts after a crash continues, and the export becomes ready", async () => {
  const [one] = it.tenants;
  const row = await queued(one);
  const crash = () => Promise.reject(new Error("The machine is gone"));
  await expect(attempt(one, row, crash)).rejects.toThrow("The machine is gone");
  const { store } = it.inTenant(one);
  expect(await store.get(keys.tenantExport(row.id))).toMatchObject({ status: "running" });
  expect(await attempt(one, row)).toEqual([]);
  expect(await store.get(keys.tenantExport(row.id))).toMatchObject({ status: "ready", tries: 1 });
  expect(await attempt(one, row)).toEqual([]);
});

test("an export whose filter keeps nothing tells that it runs all the same", async () => {
  const [one] = it.tenants;
  const row = await queued(one);
  const { store } = it.inTenant(one);
  await store.writeUnaudited(update(keys.tenantExport(row.id), { set: { search: "in no row" } }));
  let looks = 0;
  expect(await attempt(one, row, undefined, () => (looks += 1) > 0)).toEqual([]);
  expect(await store.get(keys.tenantExport(row.id))).toMatchObject({ status: "ready", rows: 0 });
  // More than at the end alone.
  expect(looks).toBeGreaterThan(1);
});

test("an export that does not fit into the function's time has failed for that reason, and no request starts it again", async () => {
  const [one] = it.tenants;
  const row = await queued(one);
  expect(await attempt(one, row, undefined, () => false)).toEqual(["export.too_long"]);
  const ctx = it.inTenant(one);
  const later = { ...ctx, clock: () => new Date(Date.now() + 3_600_000) };
  expect(await findExport(later, tenantExportScope(ctx), row.id)).toMatchObject({ state: "failed", tooLong: true });
  expect(await ctx.store.get(keys.tenantExport(row.id))).toMatchObject({ status: "failed", tries: 1 });
  expect(await attempt(one, row)).toEqual([]);
});
