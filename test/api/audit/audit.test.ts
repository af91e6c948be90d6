import { newId } from "@vitaline/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { phone, tenantAt } from "../calls/main-job.ts";
import type { Asking, Json } from "../../kit/api.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";
import { openTable } from "../../kit/store/table.ts";

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
});
afterAll(() => it.close());

const tenantLog = "/api/tenant/dashboard/audit-logs";
const get = async (path: string, asking: Asking): Promise<Json> => {
  const { status, json, text } = await it.api("GET", path, asking);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return json;
};
const actionsOf = (logs: Json): string[] => logs.map(({ action }: Json) => action);
const nextOf = (headers: Headers): string | undefined => /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
const dayMs = 86_400_000;

const plant = async (tenantId: string, daysAgo: number, action: string, category = "api_call") => {
  const table = openTable(it.dataDir);
  const madeMs = Date.now() - daysAgo * dayMs;
  const at = new Date(madeMs).toISOString();
  const id = newId(madeMs);
  await table.put({
    pk: `TENANT#${tenantId}#AUDIT#${at.slice(0, 7)}#${category}`,
    sk: id,
    id,
    at,
    tenantId,
    actorKind: "user",
    actorId: "planted",
    category,
    action,
    resourceType: "Planted",
    success: true,
    clientAddress: "198.51.100.1",
    requestId: "planted",
    expiresAt: Math.floor(Date.now() / 1000) + 1000 * 86_400,
  });
  table.close();
};

describe("a tenant's audit log", () => {
  test("is searched by user, resource type and action, and refuses unknown filters", async () => {
    const byPerson = await get(`${tenantLog}?search=session.login&actionType=configuration_change&timeRange=24hours`, one);
    expect(byPerson.length).toBeGreaterThan(0);
    expect(new Set(actionsOf(byPerson))).toEqual(new Set(["session.login"]));
    const { id, firstName, lastName } = await get("/api/auth/me", one);
    expect(byPerson[0]).toMatchObject({ actorId: id, resourceId: id, actorName: `${firstName} ${lastName}` });
    expect(await get(`${tenantLog}?actionType=api_call&search=session.login`, one)).toEqual([]);
    expect((await get(`${tenantLog}?actor=${id}`, one)).every(({ actorId }: Json) => actorId === id)).toBe(true);
    expect((await get(`${tenantLog}?resource=User`, one)).every(({ resourceType }: Json) => resourceType === "User")).toBe(true);
    for (const wrong of ["actionType=login", "timeRange=1year", "limit=0", "limit=101", "cursor=x"])
      expect((await it.api("GET", `${tenantLog}?${wrong}`, one)).status).toBe(400);
  });

  test("is read page by page over months, in the same order, and only for its own tenant", async () => {
    const [{ id }, other] = [tenantAt(it, 0), tenantAt(it, 1)];
    const ago = [20, 35, 36, 50, 65, 80];
    for (const [index, days] of ago.entries())
      await plant(id, days, `month.n${index}`, ["api_call", "data_query", "patient_access", "configuration_change"][index % 4]);
    await plant(other.id, 40, "month.foreign");
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let path: string | undefined = `${tenantLog}?timeRange=90days&limit=3`; path;) {
      const page = await it.api("GET", path, one);
      expect(page.json.length).toBeLessThanOrEqual(3);
      seen.push(...actionsOf(page.json));
      path = nextOf(page.headers);
      cursor ??= path;
    }
    expect(seen.filter((action) => action.startsWith("month."))).toEqual(ago.map((_, index) => `month.n${index}`));
    expect((await it.api("GET", cursor ?? "", two)).status).toBe(400);
    expect((await it.api("GET", (cursor ?? "").replace(/cursor=..../, "cursor=AAAA"), one)).status).toBe(400);
  });

  test("records that it was read, and that a user was refused an action of another role", async () => {
    await get(tenantLog, one);
    expect((await it.api("GET", "/api/admin/users", one)).status).toBe(403);
    const [refused, read] = await get(`${tenantLog}?limit=2`, one);
    expect(refused).toMatchObject({ action: "access.refuse", resourceId: "GET /api/admin/users", success: false, code: "forbidden" });
    expect(read).toMatchObject({ action: "audit.read", actionType: "data_query", success: true });
    expect(actionsOf(await get(`${tenantLog}?search=access.refuse`, two))).toEqual([]);
  });
});

describe("who views as a tenant", () => {
  test("and tries to change something is named in the tenant's log and counts as a denied access", async () => {
    await it.platform.cloud.drained();
    const before = await get("/api/dashboard/audit-logs", root);
    const { id } = tenantAt(it, 0);
    const started = await it.api("POST", `/api/admin/tenants/${id}/view-as`, root);
    const viewing = { token: started.json.token as string };
    const { id: rootId, firstName, lastName } = await get("/api/auth/me", root);
    for (const path of ["/api/tenant/regenerate-api-key", "/api/auth/change-password"])
      expect(await it.api("POST", path, { ...viewing, body: {} })).toMatchObject({ status: 403, json: { code: "read_only" } });
    expect(await it.api("GET", "/api/tenant/info", viewing)).toMatchObject({ status: 403, json: { code: "forbidden" } });
    const refused = { action: "access.refuse", actorId: rootId, actorName: `${firstName} ${lastName}`, success: false };
    expect((await get(`${tenantLog}?actor=${rootId}&search=access.refuse&limit=3`, one)).slice(0, 3)).toMatchObject([
      { ...refused, code: "forbidden", resourceId: "GET /api/tenant/info", detail: { viewAs: id } },
      { ...refused, code: "read_only", resourceId: "POST /api/auth/change-password", detail: { viewAs: id } },
      { ...refused, code: "read_only", resourceId: "POST /api/tenant/regenerate-api-key", detail: { viewAs: id } },
    ]);
    expect(actionsOf(await get(`${tenantLog}?search=access.refuse&actor=${rootId}`, two))).toEqual([]);
    await it.platform.cloud.drained();
    const after = await get("/api/dashboard/audit-logs", root);
    expect([after.failedAttempts, after.securityEvents]).toEqual([before.failedAttempts + 3, before.securityEvents + 3]);
  });
});

describe("the platform's audit", () => {
  test("is for system administrators alone", async () => {
    for (const path of [
      "/api/dashboard/audit-logs",
      "/api/admin/audit-logs",
      "/api/admin/compliance-metrics",
      "/api/admin/user-activity",
    ]) {
      expect((await it.api("GET", path, one)).status).toBe(403);
      expect((await it.api("GET", path)).status).toBe(401);
      expect((await it.api("GET", path, root)).status).toBe(200);
    }
  });

  test("has four counts and only the listed fields in each row", async () => {
    const answer = await get("/api/dashboard/audit-logs", root);
    const number = expect.any(Number);
    expect(answer).toEqual({
      logs: expect.any(Array),
      todayCount: number,
      weekCount: number,
      securityEvents: number,
      failedAttempts: number,
    });
    for (const { actorName = "System", ...log } of answer.logs) {
      expect(actorName).toEqual(expect.any(String));
      expect(log).toEqual({
        id: expect.any(String),
        action: expect.stringMatching(/^\w+\.\w+$/),
        description: expect.stringMatching(/^[A-Z].*\.$/),
        level: expect.stringMatching(/^(INFO|WARN|ERROR)$/),
        timestamp: expect.stringMatching(/Z$/),
      });
    }
  });

  test("is filtered like a tenant's, over all tenants or for one, and accepts no cursor of another list", async () => {
    await get(tenantLog, one);
    await get(tenantLog, two);
    await it.platform.cloud.drained();
    const ids = it.demo.tenants.map(({ id }) => id);
    const read = await get("/api/admin/audit-logs?search=audit.read&actionType=data_query&timeRange=24hours", root);
    expect(new Set(read.map(({ tenantId }: Json) => tenantId))).toEqual(expect.objectContaining(new Set(ids)));
    const first = await it.api("GET", `/api/admin/audit-logs?tenantId=${ids[0]}&limit=1`, root);
    expect(first.json[0].tenantId).toBe(ids[0]);
    const next = nextOf(first.headers) ?? "";
    expect((await get(next, root))[0].tenantId).toBe(ids[0]);
    expect((await it.api("GET", next.replace(ids[0] ?? "", ids[1] ?? ""), root)).status).toBe(400);
    expect((await it.api("GET", next.replace(`tenantId=${ids[0]}&`, ""), root)).status).toBe(400);
  });

  test("of an unknown tenant is not found, and nothing is written under its id", async () => {
    const unknownTenant = newId();
    const asked: [string, string, object?][] = [
      ["GET", `/api/admin/audit-logs?tenantId=${unknownTenant}`],
      ["POST", "/api/admin/audit/export", { format: "csv", tenantId: unknownTenant }],
      ["GET", `/api/admin/tenants/${unknownTenant}/voice-providers`],
      ["GET", `/api/admin/tenants/${unknownTenant}/voice-agents`],
      ["GET", `/api/admin/tenants/${unknownTenant}/api-keys`],
      ["GET", `/api/admin/tenants/${unknownTenant}/offices`],
      ["GET", `/api/admin/tenants/${unknownTenant}`],
      ["PUT", `/api/admin/tenants/${unknownTenant}/fhir-provider`, { fhirProviderId: null }],
      ["PUT", `/api/admin/tenants/${unknownTenant}/contact-preferences`, {}],
      ["POST", `/api/admin/tenants/${unknownTenant}/regenerate-api-key`, {}],
      ["POST", `/api/admin/tenants/${unknownTenant}/offices`, { name: "Ghost" }],
    ];
    for (const [method, path, body] of asked) expect((await it.api(method, path, { ...root, body })).status, path).toBe(404);
    const table = openTable(it.dataDir);
    const written = (await table.rows()).filter(({ pk, sk }) => `${pk} ${sk}`.includes(unknownTenant));
    table.close();
    expect(written).toEqual([]);
  });

  test("of a view names the viewing administrator, in the tenant's own list and search", async () => {
    const { id } = tenantAt(it, 0);
    const { token } = (await it.api("POST", `/api/admin/tenants/${id}/view-as`, root)).json;
    await get(tenantLog, { token });
    const me = await get("/api/auth/me", root);
    const name = `${me.firstName} ${me.lastName}`;
    const seen = await get(`${tenantLog}?search=${encodeURIComponent(name)}&timeRange=24hours`, one);
    expect(seen.slice(0, 2).map(({ action, actorId, actorName }: Json) => [action, actorId, actorName])).toEqual([
      ["audit.read", me.id, name],
      ["session.viewAs", me.id, name],
    ]);
  });

  test("of the platform names every actor: people by name, keys by their tenant, also in a search", async () => {
    const { name, apiKey } = tenantAt(it, 1);
    const other = tenantAt(it, 0);
    await it.api("POST", "/api/vapi/tool-call", {
      key: apiKey,
      body: {
        message: {
          type: "tool-calls",
          call: { id: `named-${Date.now()}` },
          toolCallList: [
            {
              id: "c1",
              type: "function",
              function: { name: "logRoutingEvent", arguments: { reason: "wants to speak with a person", outcome: "transferred" } },
            },
          ],
        },
      },
    });
    await it.platform.cloud.drained();
    const me = await get("/api/auth/me", root);
    const search = async (text: string) =>
      get(`/api/admin/audit-logs?timeRange=24hours&limit=100&search=${encodeURIComponent(text)}`, root);
    const byKey = await search(`api key of ${name}`);
    expect(byKey[0]).toMatchObject({ actorKind: "api_key", actorName: `API key of ${name}`, tenantName: name });
    expect(byKey.filter(({ tenantName }: Json) => tenantName === other.name)).toEqual([]);
    expect((await search(`${me.firstName} ${me.lastName}`))[0]).toMatchObject({
      actorId: me.id,
      actorName: `${me.firstName} ${me.lastName}`,
    });
    const own = await get(`/api/admin/audit-logs?tenantId=${other.id}&limit=5`, root);
    expect(new Set(own.map(({ tenantName }: Json) => tenantName))).toEqual(new Set([other.name]));
    const { logs } = await get("/api/dashboard/audit-logs?limit=100", root);
    expect(logs.map(({ actorName }: Json) => actorName)).toContain(`API key of ${name}`);
    expect((await get("/api/dashboard/metrics", root)).waiting).toEqual({
      keptEvents: expect.any(Number),
      unmailedMessages: expect.any(Number),
      openRequests: expect.any(Number),
    });
  });

  test("contains no name, number, birth date or id of a patient who phoned", async () => {
    await phone(it, 0, "book", 1);
    await phone(it, 0, "wrong-person", 2);
    await it.platform.cloud.drained();
    const table = openTable(it.dataDir);
    const rows = await table.rows();
    table.close();
    const feed = rows.filter(({ pk }) => pk.startsWith("PLATFORM#FEED#"));
    const audits = rows.filter(({ pk }) => pk.includes("#AUDIT#"));
    expect(feed.map(({ id }) => id).toSorted()).toEqual(audits.map(({ id }) => id).toSorted());
    expect(feed.some(({ action }) => action === "tool.getPatientInfo" || action === "tool.verifyPatientIdentity")).toBe(true);
    const callKeys = rows.filter(({ sk }) => sk === "CALL").map(({ callKey }) => callKey ?? "");
    const shown = [
      JSON.stringify(feed),
      JSON.stringify(await get("/api/admin/audit-logs?limit=100", root)),
      JSON.stringify(await get("/api/dashboard/audit-logs?limit=100", root)),
      JSON.stringify(await get("/api/admin/user-activity?limit=100", root)),
    ].join("\n");
    for (const { id, family, phone: number, birthDate, mrn } of it.demo.patients.slice(1, 3))
      for (const secret of [id, family, number, birthDate, mrn]) expect(shown).not.toContain(secret);
    for (const callKey of callKeys) expect(shown).not.toContain(callKey);
  });
});
