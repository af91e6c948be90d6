import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Demo } from "../../packages/local-cloud/demo/file.ts";
import { freePorts } from "../../packages/local-cloud/free-ports.fixture.ts";
import { openStore } from "../../packages/sandbox-ehr/store/store.ts";
import { killOnceBooked, killWhileSeeding, startProcess, toolRequest, type PlatformProcess } from "./crash.ts";
import { apiOf, chosenPassword, tokenFrom, type Answer } from "../kit/api.ts";
import { projected, recount } from "../kit/store/recount.ts";
import { auditsIn, ageInterruptedWork, openTable, readRows, type Row } from "../kit/store/table.ts";
import type { ToolResult } from "../kit/line.ts";
import { partialTransactions } from "../kit/store/consistency.ts";
import { lineOf, emptyAccepted, writeUntilOver, type Accepted, type KeyRing, type MadeCall } from "./writers.ts";

const long = process.env["FULL"] !== undefined;
const rounds = long ? 24 : 6;
/** Totals are sums and lists grow: what a kill lost is still missing some rounds later. */
const roundsToSettle = 4;
const seedingKills = long ? 6 : 2;
vi.setConfig({ testTimeout: long ? 1_200_000 : 180_000 });

const dataDir = mkdtempSync(path.join(tmpdir(), "vitaline-crash-"));
let port: number;
let running: PlatformProcess | undefined;
beforeAll(async () => {
  port = await freePorts(3);
});
afterEach(async () => {
  await running?.kill();
  running = undefined;
});
afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

type Newest = { user: Accepted["users"][number] | undefined; tenant: Accepted["tenants"][number] | undefined };

const readDemo = (dir = dataDir): Demo => JSON.parse(readFileSync(path.join(dir, "demo.json"), "utf8")) as Demo;

/** Simulates a kill between an answer and its note: completed steps that the demo state does not know. */
function eraseDemoNotes(dir: string): void {
  const file = path.join(dir, "demo-state.json");
  const state = JSON.parse(readFileSync(file, "utf8")) as {
    provider?: object;
    tenants: { id?: string; offices: object[]; calls: number }[];
  };
  delete state.provider;
  for (const tenant of state.tenants) {
    delete tenant.id;
    tenant.offices.pop();
    tenant.calls = 0;
  }
  writeFileSync(file, JSON.stringify(state));
}

const runsIn = (rows: Row[]): [atCalls: string[], audited: string[]] => [
  rows
    .filter(({ sk }) => sk.startsWith("RUN#"))
    .map(({ id }) => String(id))
    .toSorted(),
  auditsIn(rows)
    .filter(({ action, detail, callKey }) => action === `tool.${detail?.["tool"]}` && callKey)
    .map(({ id }) => id)
    .toSorted(),
];
const isSettled = (rows: Row[]): boolean => isDeepStrictEqual(projected(rows), recount(rows)) && isDeepStrictEqual(...runsIn(rows));

async function settledRows(dir = dataDir): Promise<Row[]> {
  let rows = await readRows(dir);
  for (let tries = 0; tries < 120 && !isSettled(rows); tries++) {
    // Each look reads the whole table
    await wait(500);
    rows = await readRows(dir);
  }
  return rows;
}

async function expectWholeTransactions(): Promise<Row[]> {
  let rows: Row[] = [];
  // A transaction may be committed between two pages of a scan
  await expect.poll(async () => partialTransactions((rows = await readRows(dataDir))), { timeout: 60_000 }).toEqual([]);
  return rows;
}

async function expectConsistent(dir = dataDir): Promise<Row[]> {
  const rows = await settledRows(dir);
  expect(partialTransactions(rows)).toEqual([]);
  expect(projected(rows)).toEqual(recount(rows));
  const [atCalls, audited] = runsIn(rows);
  expect(atCalls).toEqual(audited);
  return rows;
}

async function appointmentsMade(dir: string) {
  const ehr = await openStore({ dataDir: path.join(dir, "ehr"), now: () => new Date() });
  const made = ehr.all("Appointment").filter(({ identifier = [] }) => identifier.some(({ system }) => system === toolRequest));
  return { ehr, made };
}
const booked = (rows: Row[]) => auditsIn(rows).filter(({ success, detail }) => success && detail?.["booked"] === true);

describe("a platform that is killed", () => {
  test("between its demo data's booking at the EHR and its own note of it makes the same booking at the next start, and no other", async () => {
    const dir = mkdtempSync(path.join(tmpdir(), "vitaline-crash-"));
    await killOnceBooked(dir, port);
    const again = await startProcess(dir, port);
    const rows = await readRows(dir);
    await again.kill();
    const { ehr, made } = await appointmentsMade(dir);
    await ehr.close();
    rmSync(dir, { recursive: true, force: true });
    expect(made).toHaveLength(2);
    expect(booked(rows)).toHaveLength(2);
  });

  test("after its demo administrator chose another password starts again, with what is there", async () => {
    const dir = mkdtempSync(path.join(tmpdir(), "vitaline-crash-"));
    const first = await startProcess(dir, port);
    const { systemAdmin } = JSON.parse(readFileSync(path.join(dir, "demo.json"), "utf8")) as Demo;
    const api = apiOf(first.origin);
    const token = await tokenFrom(api)(systemAdmin.email, systemAdmin.password);
    const body = { currentPassword: systemAdmin.password, newPassword: "another password entirely 8" };
    expect((await api("POST", "/api/auth/change-password", { token, body })).status).toBe(200);
    await first.kill();
    const second = await startProcess(dir, port);
    expect(await tokenFrom(api)(systemAdmin.email, body.newPassword)).toMatch(/^ey/);
    await second.kill();
    rmSync(dir, { recursive: true, force: true });
  });

  test(`while it adds its demo data ${seedingKills} times completes it at the next start, once`, async () => {
    const dir = mkdtempSync(path.join(tmpdir(), "vitaline-crash-"));
    for (let kill = 0; kill < seedingKills; kill++) await killWhileSeeding(dir, port, Math.random() * 2500);
    await (await startProcess(dir, port)).kill();
    eraseDemoNotes(dir);
    running = await startProcess(dir, port);
    const rows = await expectConsistent(dir);
    const { tenants, systemAdmin } = readDemo(dir);
    const api = apiOf(running.origin);
    const token = await tokenFrom(api)(systemAdmin.email, systemAdmin.password);
    const listed = await api<{ id: string; name: string }[]>("GET", "/api/admin/tenants", { token });
    expect(listed.json.map(({ id, name }) => ({ id, name }))).toEqual(tenants.map(({ id, name }) => ({ id, name })));
    expect((await api<unknown[]>("GET", "/api/admin/users", { token })).json).toHaveLength(3);
    const offices = rows.filter(({ sk, pk }) => pk.endsWith("#CONFIG") && sk.startsWith("OFFICE#"));
    expect(offices).toHaveLength(3);
    expect(offices.map(({ id, name }) => ({ id, name }))).toEqual(expect.arrayContaining(tenants.flatMap((tenant) => tenant.offices)));
    expect(rows.filter(({ sk, status }) => sk === "CALL" && status === "completed")).toHaveLength(5);
    for (const { admin, apiKey } of tenants) {
      const session = await tokenFrom(api)(admin.email, admin.password);
      expect((await api("GET", "/api/tenant/info", { token: session })).json).toMatchObject({ apiKey });
    }
    await running.kill();
    running = undefined;
    rmSync(dir, { recursive: true, force: true });
  });

  test("is reported when one row of a transaction is missing", async () => {
    running = await startProcess(dataDir, port);
    const rows = await settledRows();
    const one = (name: string, isIt: (row: Row) => boolean): [string, Row | undefined] => [name, rows.find(isIt)];
    const written = [
      one("user", ({ sk }) => sk === "USER"),
      one("email", ({ sk }) => sk === "EMAIL"),
      one("directory of users", ({ pk }) => pk === "PLATFORM#USERS"),
      one("users of a tenant", ({ pk }) => pk.endsWith("#USERS") && pk.startsWith("TENANT#")),
      one("tenant", ({ sk }) => sk === "TENANT"),
      one("directory of tenants", ({ pk, sk }) => pk === "PLATFORM#TENANTS" && !sk.includes("#")),
      one("office", ({ sk }) => sk.startsWith("OFFICE#")),
      one("office's name", ({ sk }) => sk.startsWith("OFFICENAME#")),
      one("office's reference", ({ sk }) => sk === "REF"),
      one("key", ({ sk }) => sk.startsWith("APIKEY#")),
      one("sealed key", ({ pk }) => pk.endsWith("#VAULT")),
      one("lookup of a key", ({ sk }) => sk === "KEY"),
      one("session", ({ pk }) => pk.startsWith("SESSION#")),
      one("answer of a booking", ({ sk, status }) => sk === "IDEMPOTENCY" && status === "done"),
      ...["user.create", "tenant.create", "office.create", "session.login", "fhirProvider.create", "platformKey.generate"].map((action) =>
        one(action, (row) => auditsIn([row]).length === 1 && row["action"] === action && row["success"] === true),
      ),
      one("audit of a booking", ({ detail }) => (detail as Record<string, unknown> | undefined)?.["booked"] === true),
    ];
    expect(partialTransactions(rows)).toEqual([]);
    expect(
      written.filter(([, row]) => !row || partialTransactions(rows.filter((other) => other !== row)).length === 0).map(([name]) => name),
    ).toEqual([]);
    const lost = rows.filter(({ sk, endSeenAt }) => sk === "CALL" && endSeenAt !== undefined).at(0);
    expect(recount(rows.filter((row) => row !== lost))).not.toEqual(projected(rows));
  });

  test(`${rounds} times in the middle of writing has every accepted act, none of them in half, and right totals`, async () => {
    running = await startProcess(dataDir, port);
    const accepted = emptyAccepted();
    const demo = readDemo();
    const api = apiOf(running.origin);
    const admin = await tokenFrom(api)(demo.systemAdmin.email, demo.systemAdmin.password);
    const managers = await Promise.all(demo.tenants.map((tenant) => tokenFrom(api)(tenant.admin.email, tenant.admin.password)));
    accepted.rings = await Promise.all(["One", "Two"].map((name) => newRing(admin, name)));

    /** Of each round that was not looked at yet. */
    const newest: Newest[] = [];
    const bookings = () => accepted.calls.filter(({ booking }) => booking?.answer?.ok).length;
    for (let round = 0; round < rounds || (bookings() < rounds / 3 && round < 2 * rounds); round++) {
      const before = running;
      const state = { near: false, over: false };
      const work = writeUntilOver({ origin: before.origin, demo, admin, accepted, isNearEnd: () => state.near, isOver: () => state.over });
      await Promise.race([work, someWayIn(round)]);
      state.near = true;
      await Promise.race([work, wait(100 + Math.random() * 300)]);
      state.over = true;
      await before.kill();
      running = undefined;
      await work;

      running = await startProcess(dataDir, port, ["--empty"]);
      const settles = round % roundsToSettle === roundsToSettle - 1;
      const rows = settles ? await expectConsistent() : await expectWholeTransactions();
      expectAudited(rows);
      for (const ring of accepted.rings) await expectKey(ring);
      newest.push({ user: accepted.users.at(-1), tenant: accepted.tenants.at(-1) });
      if (!settles) continue;
      await expectListed(newest.splice(0));
      await expectCalls(rows);
    }

    await expectNoneTwice();
    const done = (what: string) => accepted.acts.filter((act) => act.what === what && act.requestId).length;
    const cut = (what: string) => accepted.acts.filter((act) => act.what === what && !act.requestId).length;
    for (const what of ["user.create", "office.create", "tenant.create", "apiKey.rotate", "tool"]) {
      expect(done(what), what).toBeGreaterThanOrEqual(rounds / 2);
      if (long) expect(cut(what), `${what}, cut`).toBeGreaterThanOrEqual(rounds / 2);
    }
    expect(bookings()).toBeGreaterThanOrEqual(rounds / 3);

    /** Waits for a few answers, more from round to round, so that kills hit every step of a call. */
    async function someWayIn(round: number): Promise<void> {
      const answered = () => accepted.acts.filter(({ what, requestId }) => what === "tool" && requestId).length;
      const enough = answered() + (round % 5) * 2 + Math.floor(Math.random() * 3);
      while (answered() < enough) await wait(10);
    }

    async function newRing(token: string, name: string): Promise<KeyRing> {
      const contactEmail = "desk@crash.example";
      const { id, apiKey } = (await api("POST", "/api/admin/tenants", { token, body: { name: `Rotating ${name}`, contactEmail } })).json;
      const login = { email: `rotating-${id}@crash.example`, password: `pass-${id}` };
      const body = { ...login, firstName: "Rho", lastName: "Tate", role: "tenant_admin", tenantId: id };
      expect((await api("POST", "/api/admin/users", { token, body })).status).toBe(201);
      const session = await chosenPassword(api, login);
      return { tenantId: id, name, token: session, current: apiKey, retired: [], unanswered: false };
    }

    function expectAudited(rows: Row[]): void {
      const audits = auditsIn(rows);
      const times = new Map<string, number>();
      for (const { requestId, action } of audits) if (action !== "session.login") times.set(requestId, (times.get(requestId) ?? 0) + 1);
      expect(accepted.acts.filter(({ requestId }) => requestId !== undefined && times.get(requestId) !== 1)).toEqual([]);
    }

    async function expectListed(ofRounds: readonly Newest[]): Promise<void> {
      const idsAt = async (route: string) => new Set(await listedIds(route, admin));
      const [users, tenants] = [await idsAt("/api/admin/users"), await idsAt("/api/admin/tenants")];
      expect(accepted.users.filter(({ id }) => !users.has(id))).toEqual([]);
      expect(accepted.tenants.filter(({ id }) => !tenants.has(id))).toEqual([]);
      for (const { user, tenant } of ofRounds) {
        if (user) expect(await tokenFrom(api)(user.email, user.password)).toMatch(/^ey/);
        if (tenant) expect(await statusWith(tenant.apiKey)).toBe(200);
      }
    }

    async function statusWith(key: string): Promise<number> {
      return (await api("POST", "/api/vapi/server", { key, body: { message: { type: "hang" } } })).status;
    }

    /** The last acknowledged key works, or the one being created; no earlier key does. */
    async function expectKey(ring: KeyRing): Promise<void> {
      const { apiKey } = (await api("GET", "/api/tenant/info", { token: ring.token })).json;
      if (apiKey !== ring.current) {
        expect(ring.unanswered).toBe(true);
        ring.retired.push(ring.current);
        ring.current = apiKey;
      }
      ring.unanswered = false;
      expect(await statusWith(apiKey)).toBe(200);
      expect(await Promise.all(ring.retired.slice(-3).map(statusWith))).toEqual(ring.retired.slice(-3).map(() => 401));
    }

    async function expectCalls(rows: Row[]): Promise<void> {
      const at = new Map(rows.map((row) => [`${row.pk}|${row.sk}`, row]));
      const rowOf = ({ tenant, callKey }: MadeCall, sk: string) => at.get(`TENANT#${demo.tenants[tenant]?.id}#CALL#${callKey}|${sk}`);
      const ended = accepted.calls.filter((call) => call.ended);
      expect(ended.filter((call) => rowOf(call, "CALL")?.["status"] !== "completed" || !rowOf(call, "STATE")?.["callEndedAt"])).toEqual([]);
      for (const [tenant, token] of managers.entries()) {
        const own = ended.filter((call) => call.tenant === tenant).map(({ callKey }) => callKey);
        expect(
          (await listedIds("/api/tenant/dashboard/recent-calls?limit=100", token)).filter((id) => own.includes(id)).toSorted(),
        ).toEqual(own.toSorted());
      }
      const table = openTable(dataDir);
      for (const call of accepted.calls.filter(({ reported }) => reported)) {
        const file = rowOf(call, "CALL")?.["transcript"] as { key: string; bytes: number } | undefined;
        expect(await table.bytesOfFile(file?.key ?? "none")).toBe(file?.bytes ?? "the length of a file");
      }
      table.close();
    }

    async function listedIds(route: string, token: string): Promise<string[]> {
      const ids: string[] = [];
      for (let next: string | undefined = route; next;) {
        const page: Answer<{ id: string }[]> = await api("GET", next, { token });
        ids.push(...page.json.map(({ id }) => id));
        next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
      }
      return ids;
    }

    /** Sends every unanswered booking again; then each appointment at the EHR must belong to one acknowledged booking. */
    async function expectNoneTwice(): Promise<void> {
      await ageInterruptedWork(dataDir);
      const bookings = accepted.calls.filter(({ booking }) => booking !== undefined);
      // Two callers may want the same slot
      const isFinal = (answer?: ToolResult) => answer && (answer.ok || ["taken", "already"].includes(answer.found?.result ?? ""));
      // Retries a temporary error, as a voice platform does
      for (let tries = 0; tries < 3; tries++)
        for (const { booking, ...call } of bookings)
          if (booking && !isFinal(booking.answer)) booking.answer = await lineOf(demo, api, call).book(booking.slotId, booking.toolCallId);
      const answered = bookings.flatMap(({ booking }) => booking?.answer ?? []);
      expect(answered.filter((answer) => !isFinal(answer)).map(({ text }) => text)).toEqual([]);
      const rows = await expectConsistent();
      const told = booked(rows);
      await running?.kill();
      running = undefined;

      const { ehr, made } = await appointmentsMade(dataDir);
      expect(made).toHaveLength(told.length);
      expect(new Set(made.map(({ identifier = [] }) => identifier[0]?.value)).size).toBe(made.length);
      const slots = made.flatMap(({ slot = [] }) => slot.map(({ reference }) => String(reference).slice("Slot/".length)));
      expect(new Set(slots).size).toBe(made.length);
      expect(slots.filter((id) => ehr.get("Slot", id)?.status !== "busy")).toEqual([]);
      const ids = new Set(made.map(({ id }) => id));
      expect(answered.filter(({ ok, found }) => ok && !ids.has(found?.appointment?.appointmentId ?? "")).map(({ text }) => text)).toEqual(
        [],
      );
      await ehr.close();
    }
  });
});
