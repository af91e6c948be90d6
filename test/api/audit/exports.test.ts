import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textsOfPdf } from "../../../packages/audit/report/pdf.fixture.ts";
import { phone, tenantAt } from "../calls/main-job.ts";
import type { Answer, Asking } from "../../kit/api.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";
import { openTable } from "../../kit/store/table.ts";

type Exported = {
  exportId: string;
  state: string;
  rows: number | null;
  bytes: number | null;
  url?: string;
  urlExpiresAt?: string;
  tenantId: string | null;
};
type ReportRow = { class: string; action: string; tenantId: string; time: string };

/** Of this file alone, since other files lock or erase theirs. */
const ownPatient = 5;

let it: TestPlatform;
let root: Asking;
let one: Asking;
let two: Asking;
beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
  const session = async ({ email, password }: { email: string; password: string }) => ({ token: await it.tokenOf(email, password) });
  root = await session(it.demo.systemAdmin);
  one = await session(tenantAt(it, 0).admin);
  two = await session(tenantAt(it, 1).admin);
  const { changes } = await phone(it, 1, "book", ownPatient);
  if (changes.length !== 1) throw new Error("The call booked nothing");
  await it.platform.cloud.drained();
});
afterAll(() => it.close());

const mine = "/api/tenant/audit/export";
const admins = "/api/admin/audit/export";
const today = () => new Date().toISOString().slice(0, 10);
const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

const ask = (asking: Asking, body: object, route = mine): Promise<Answer<Exported>> => it.api<Exported>("POST", route, { ...asking, body });
const asked = async (asking: Asking, body: object, route = mine): Promise<Exported> => {
  const { status, json, text } = await ask(asking, body, route);
  if (status !== 202) throw new Error(`${route}: ${status} ${text}`);
  return json;
};
const ready = async (asking: Asking, { exportId }: Exported, route = mine): Promise<Exported> => {
  for (;;) {
    const { status, json, text } = await it.api<Exported>("GET", `${route}s/${exportId}`, asking);
    if (status !== 200) throw new Error(`${route}s: ${status} ${text}`);
    if (json.state !== "queued" && json.state !== "running") return json;
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
};
const fileOf = async ({ url = "" }: Exported): Promise<{ body: Buffer; headers: Headers }> => {
  const response = await fetch(url);
  const body = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`The link answers ${response.status}: ${body.toString()}`);
  return { body, headers: response.headers };
};
const reportOf = async (exported: Exported): Promise<ReportRow[]> => JSON.parse((await fileOf(exported)).body.toString()) as ReportRow[];

describe("a report of the audit", () => {
  const classes = ["login", "patient_data_access", "fhir_interaction", "voice_conversation", "admin_action", "security_event"];
  const names = [
    "Logins and logouts",
    "Patient data access",
    "FHIR interactions",
    "Voice conversations",
    "Admin actions",
    "Security events",
  ];

  test("D2.2-117 holds one event of each of the six classes, in csv, in json and in the text of the pdf", async () => {
    const tenant = tenantAt(it, 1);
    const began = new Date().toISOString();
    await it.tokenOf(tenant.admin.email, tenant.admin.password);
    await it.api("POST", "/api/auth/login", { body: { email: tenant.admin.email, password: "not the password" } });
    await it.api("POST", "/api/tenant/offices", { ...two, body: { name: `Office of ${began}` } });
    await it.api("POST", `/api/tenant/fhir-providers/${tenant.fhirProviderId}/test`, {
      ...two,
      body: { patientId: it.demo.patients[0]?.id ?? "" },
    });
    await phone(it, 1, "book", 1);
    await it.platform.cloud.drained();

    const json = await reportOf(await asked(two, { format: "json", start: today(), end: today() }));
    const fresh = json.filter(({ time }) => time >= began);
    expect([...new Set(fresh.map((row) => row.class))].toSorted()).toEqual(classes.toSorted());
    expect(json.map(({ time }) => time)).toEqual(json.map(({ time }) => time).toSorted());
    expect(new Set(json.map(({ tenantId }) => tenantId))).toEqual(new Set([tenant.id]));
    const csv = (await fileOf(await asked(two, { format: "csv", start: today(), end: today() }))).body.toString();
    for (const name of classes) expect(csv.split("\r\n").some((line) => line.split(",")[1] === name && line >= began)).toBe(true);
    const pages = textsOfPdf((await fileOf(await asked(two, { format: "pdf", start: today(), end: today() }))).body);
    for (const name of names) expect(pages.flat()).toContain(name);
    for (const { action } of fresh) expect(pages.flat()).toContain(action);
    expect(pages[0]?.[1]).toContain(tenant.name);
  });

  test("contains neither patients nor their words in any format", async () => {
    const files = await Promise.all(["csv", "json"].map(async (format) => (await fileOf(await asked(two, { format }))).body.toString()));
    for (const { family, phone: number, birthDate } of it.demo.patients)
      for (const file of files) for (const secret of [family, number, birthDate]) expect(file).not.toContain(secret);
  });

  test("covers the requested days, by default the last thirty", async () => {
    const { start, end, format, timeZone } = (await ask(root, { start: dayBefore(3), end: dayBefore(1), format: "csv" }, admins))
      .json as never;
    expect([start, end, format, timeZone]).toEqual([dayBefore(3), dayBefore(1), "csv", "UTC"]);
    const json = await ready(root, await asked(root, { format: "json" }, admins), admins);
    expect(json).toMatchObject({ start: dayBefore(29), end: today(), state: "ready" });
  });

  test("has its content type and a file name with its days", async () => {
    const types = { csv: "text/csv; charset=utf-8", pdf: "application/pdf", json: "application/json" };
    for (const [format, type] of Object.entries(types)) {
      const { headers } = await fileOf(await asked(one, { format }));
      expect(headers.get("content-type")).toBe(type);
      expect(headers.get("content-disposition")).toBe(`attachment; filename="audit-${dayBefore(29)}-to-${today()}.${format}"`);
    }
  });

  test("is refused for invalid days, with a message at the field", async () => {
    const refused = async (body: object, fields: object) => {
      for (const [asking, route] of [
        [one, mine],
        [root, admins],
      ] as const) {
        const answer = await it.api("POST", route, { ...asking, body: { format: "csv", ...body } });
        expect(answer.status).toBe(400);
        expect(answer.json).toMatchObject({ code: "invalid_request", fields });
      }
    };
    await refused({ start: dayBefore(1), end: dayBefore(2) }, { start: "The start date must not be after the end date" });
    await refused({ end: dayBefore(-2) }, { end: "The end date must not lie in the future" });
    await refused({ start: dayBefore(400) }, { start: "A report covers at most one year" });
    await refused({ start: "0001-01-01", end: "0001-01-02" }, { start: "The start date must not be before 2000-01-01" });
    await refused({ timeZone: "+05:30" }, { timeZone: "Must be a time zone such as America/New_York" });
    await refused({ start: "yesterday" }, { start: expect.any(String) });
    await refused({ start: "2026-02-30" }, { start: expect.any(String) });
    await refused({ timeZone: "Mars/Olympus" }, { timeZone: "Must be a time zone such as America/New_York" });
    await refused({ everything: true }, { everything: "Is not a field of this request" });
    expect((await ask(one, { format: "csv", start: "", end: null, search: "" })).status).toBe(202);
  });

  test("contains the filtered rows, and its request and download are audited", async () => {
    const filtered = await reportOf(await asked(one, { format: "json", actionType: "configuration_change", search: "session.login" }));
    expect(filtered.length).toBeGreaterThan(0);
    expect(new Set(filtered.map(({ action }) => action))).toEqual(new Set(["session.login"]));
    const { exportId } = await asked(one, { format: "json" });
    await ready(one, { exportId } as Exported);
    const table = openTable(it.dataDir);
    const told = (await table.rows(`TENANT#${tenantAt(it, 0).id}#AUDIT#`)).filter(({ resourceId }) => resourceId === exportId);
    table.close();
    expect(told.map(({ action }) => action).toSorted()).toEqual(["audit.download", "audit.download", "audit.export", "audit.exportReady"]);
    expect(told.find(({ action }) => action === "audit.exportReady")?.["detail"]).toMatchObject({
      format: "json",
      rows: expect.any(Number),
    });
  });

  test("of the platform holds every tenant's rows and its own; of one tenant, that tenant's alone, and it stands in its log", async () => {
    const [first, second] = [tenantAt(it, 0), tenantAt(it, 1)];
    const all = await reportOf(await ready(root, await asked(root, { format: "json" }, admins), admins));
    expect(all.map(({ tenantId }) => tenantId)).toEqual(expect.arrayContaining(["", first.id, second.id]));
    expect(all.map(({ action }) => action)).toContain("tool.verifyPatientIdentity");
    for (const { id } of it.demo.patients) expect(JSON.stringify(all)).not.toContain(`"${id}"`);
    const theirs = await asked(root, { format: "json", tenantId: second.id }, admins);
    expect(await reportOf(theirs)).toContainEqual(expect.objectContaining({ resourceId: it.demo.patients[ownPatient]?.id }));
    expect(new Set((await reportOf(theirs)).map(({ tenantId }) => tenantId))).toEqual(new Set([second.id]));
    const log = await it.api("GET", `/api/tenant/dashboard/audit-logs?search=audit.export&timeRange=24hours`, two);
    expect(JSON.stringify(log.json)).toContain(theirs.exportId);
    expect((await ask(root, { format: "csv", tenantId: "0".repeat(26) }, admins)).status).toBe(404);
  });

  test("belongs to its tenant: another tenant's export, and the platform's, are not found", async () => {
    const own = await asked(one, { format: "csv" });
    const admin = await asked(root, { format: "csv" }, admins);
    const seen = async (asking: Asking, route: string, { exportId }: Exported) =>
      (await it.api("GET", `${route}s/${exportId}`, asking)).status;
    expect([await seen(one, mine, own), await seen(root, admins, admin)]).toEqual([200, 200]);
    expect([await seen(two, mine, own), await seen(root, admins, own), await seen(one, mine, admin)]).toEqual([404, 404, 404]);
    const listed = async (asking: Asking, route: string) => JSON.stringify((await it.api("GET", `${route}s?limit=100`, asking)).json);
    expect(await listed(one, mine)).toContain(own.exportId);
    expect(await listed(two, mine)).not.toContain(own.exportId);
    expect(await listed(root, admins)).not.toContain(own.exportId);
    expect(await listed(one, mine)).not.toContain("X-Amz-Signature");
  });

  test("is downloaded by a link that is valid for ten minutes and contains no secret but its signature", async () => {
    const { url = "", urlExpiresAt = "" } = await asked(one, { format: "csv" });
    const { searchParams } = new URL(url);
    expect(searchParams.get("X-Amz-Expires")).toBe("600");
    expect(Math.round((Date.parse(urlExpiresAt) - Date.now()) / 60_000)).toBe(10);
    const local = JSON.parse(readFileSync(path.join(it.dataDir, "local.json"), "utf8")) as { secretAccessKey: string };
    for (const secret of [local.secretAccessKey, tenantAt(it, 0).apiKey, tenantAt(it, 0).admin.password, one.token ?? ""])
      expect(url).not.toContain(secret);
    for (const change of [
      { "X-Amz-Expires": "6000" },
      { "X-Amz-Date": "20200101T000000Z" },
      { "response-content-disposition": "inline" },
    ]) {
      const other = new URL(url);
      for (const [name, value] of Object.entries(change)) other.searchParams.set(name, value);
      expect((await fetch(other)).status).toBe(403);
    }
  });
});
