import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { anySentences, anySentencesFor } from "../../packages/tools/test/sentences.fixture.ts";
import { runCall } from "../call/run-call.ts";
import { openEhr, type EhrFault } from "../kit/ehr.ts";
import { openLine, type Caller, type Line, type ToolResult } from "../kit/line.ts";
import { ownPlatform, type TestPlatform } from "../kit/platform.ts";
import { projected, recount } from "../kit/store/recount.ts";
import { auditsIn, ageInterruptedWork, openTable, readRows, type Row } from "../kit/store/table.ts";
import { partialTransactions } from "../kit/store/consistency.ts";

vi.setConfig({ testTimeout: 120_000 });

let it: TestPlatform;
let ehr: Awaited<ReturnType<typeof openEhr>>;
let slots: string[];
let callers: Caller[];
beforeAll(async () => {
  it = await ownPlatform({ voices: true, calls: true });
  ehr = await openEhr(it.platform.sandbox);
  slots = await ehr.freeSlots();
  callers = await ehr.addCallers(50);
});
/** The EHR works again, and the administrator's check closes the circuit that its failures may have opened. */
async function recover(): Promise<void> {
  await ehr.recover();
  const token = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
  const checked = await it.api("POST", `/api/admin/fhir/providers/${it.demo.tenants[0]!.fhirProviderId}/check`, { token });
  expect(checked.json).toMatchObject({ status: "healthy" });
}
afterEach(recover);
afterAll(async () => {
  await ehr.close();
  await it.close();
});

const newLine = (tenant = 0): Line => openLine(it.api, it.demo.tenants[tenant]!.apiKey, callers.pop()!);

const nextSlot = (): string => slots.shift() ?? "";

const rowsNow = async (): Promise<Row[]> => {
  await it.platform.cloud.drained();
  return readRows(it.dataDir);
};
const auditOf = (rows: Row[], { requestId }: ToolResult) => auditsIn(rows).filter((audit) => audit.requestId === requestId);
const bookedIn = (rows: Row[], { callKey }: Line) =>
  auditsIn(rows).filter((audit) => audit.callKey === callKey && audit.success && audit.detail?.["booked"] === true);

async function expectSpokenResult(result: ToolResult, code: string | undefined): Promise<Row[]> {
  expect(result).toMatchObject({ status: 200, lines: 1, ok: code === undefined, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(result.speech).toMatch(/^[A-Z].*[.?!]$/);
  const rows = await rowsNow();
  expect(auditOf(rows, result)).toMatchObject([
    { action: "tool.scheduleAppointment", success: code === undefined, ...(code ? { code } : {}), detail: { platform: "vapi" } },
  ]);
  expect(partialTransactions(rows)).toEqual([]);
  return rows;
}

describe("a search for a time", () => {
  const search = { path: "/r4/Slot" };
  test.each<[string, EhrFault, string | undefined]>([
    ["of an EHR that is down", { kind: "down" }, "ehr_unavailable"],
    ["that takes half a second", { kind: "slow", delayMs: 500, match: search }, undefined],
    ["that takes too long", { kind: "slow", match: search }, "ehr_timeout"],
    ["that never ends", { kind: "hang", match: search }, "ehr_timeout"],
    ["with a token that is refused once", { kind: "401-once" }, undefined],
    ["that comes too often, with the time to wait", { kind: "429", times: 1, match: search }, undefined],
    ["that comes too often, without it", { kind: "429-no-retry-after", times: 1, match: search }, undefined],
    ["that always comes too often", { kind: "429-no-retry-after", match: search }, "ehr_unavailable"],
    ["of an EHR out of service for a moment", { kind: "503", times: 1, match: search }, undefined],
    ["of an EHR out of service", { kind: "503", match: search }, "ehr_unavailable"],
    ["that a proxy answers once", { kind: "html", times: 1, match: search }, undefined],
    ["that a proxy always answers", { kind: "html", match: search }, "ehr_unavailable"],
  ])("%s is answered in a sentence", async (_name, fault, code) => {
    const line = newLine();
    await line.verify();
    await ehr.injectFaults([fault]);
    const result = await line.find();
    await recover();
    await expectSpokenResult(result, code);
    if (code === undefined) expect(result.found?.slots?.length).toBeGreaterThan(0);
    else expect(anySentences).toContain(result.speech);
  });
});

/** Keeps the search for an earlier creation working; its path is below that of the creation. */
const workingSearch: EhrFault = { kind: "slow", delayMs: 0, match: { path: "/r4/Appointment/_search" } };
const onCreate = (kind: string, more: Partial<EhrFault> = {}): EhrFault[] => [
  workingSearch,
  { kind, match: { method: "POST", path: "/r4/Appointment" }, ...more },
];

type Asked = { line: Line; slotId: string; ask(): Promise<ToolResult> };
async function readyToBook(): Promise<Asked> {
  const line = newLine();
  await line.verify();
  const slotId = nextSlot();
  const toolCallId = `call_${randomUUID()}`;
  return { line, slotId, ask: () => line.book(slotId, toolCallId) };
}

describe("a booking", () => {
  test.each<[string, EhrFault[], string | undefined]>([
    ["that takes long", onCreate("slow"), undefined],
    ["whose answer never comes", onCreate("hang", { times: 1 }), undefined],
    ["with a token that is refused once", onCreate("401-once"), undefined],
    ["that comes too often, with the time to wait", onCreate("429", { times: 1 }), undefined],
    ["that comes too often, without it", onCreate("429-no-retry-after", { times: 1 }), undefined],
    ["that always comes too often", onCreate("429"), "ehr_unavailable"],
    ["of an EHR out of service", onCreate("503"), "ehr_unknown_outcome"],
    ["that a proxy answers", onCreate("html"), "ehr_unknown_outcome"],
    ["that is cut off", onCreate("down", { times: 1 }), "ehr_unknown_outcome"],
    ["answered without a body", onCreate("empty-201"), undefined],
    ["of an EHR that is down", [{ kind: "down" }], "ehr_unavailable"],
  ])("%s is answered in a sentence and made once", async (_name, faults, code) => {
    const { line, slotId, ask } = await readyToBook();
    await ehr.injectFaults(faults);
    const result = await ask();
    await recover();
    const rows = await expectSpokenResult(result, code);
    expect(await ehr.bookingsOf(slotId)).toHaveLength(code === undefined ? 1 : 0);
    expect(bookedIn(rows, line)).toHaveLength(code === undefined ? 1 : 0);

    const again = await ask();
    expect(again).toMatchObject({ status: 200, ok: true, lines: 1 });
    const [only, ...others] = await ehr.bookingsOf(slotId);
    expect(others).toEqual([]);
    expect(again.found?.appointment?.appointmentId).toBe(only?.id);
    expect((await ehr.slot(slotId)).status).toBe("busy");
    expect(bookedIn(await rowsNow(), line)).toHaveLength(1);
  });

  test("of a slot that another caller takes meanwhile offers others and books nothing", async () => {
    const { line, slotId, ask } = await readyToBook();
    await ehr.injectFaults([{ kind: "slot-taken" }]);
    const result = await ask();
    const rows = await expectSpokenResult(result, "slot_taken");
    expect(result.found?.slots?.map((slot) => slot.slotId)).not.toContain(slotId);
    expect(result.found?.slots?.length).toBeGreaterThan(0);
    expect(await ehr.bookingsOf(slotId)).toEqual([]);
    expect(bookedIn(rows, line)).toEqual([]);
  });

  test("of one time by three calls of two clinics at once is made for one of them", async () => {
    const lines = [newLine(0), newLine(0), newLine(1)];
    await Promise.all(lines.map((line) => line.verify()));
    const slotId = nextSlot();
    const results = await Promise.all(lines.map((line) => line.book(slotId)));
    const won = results.filter(({ ok }) => ok);
    expect(won).toHaveLength(1);
    for (const result of results) await expectSpokenResult(result, result.ok ? undefined : "slot_taken");
    const bookings = await ehr.bookingsOf(slotId);
    expect(bookings.map(({ id }) => id)).toEqual([won[0]?.found?.appointment?.appointmentId]);
    const rows = await rowsNow();
    expect(lines.flatMap((line) => bookedIn(rows, line))).toHaveLength(1);
  });
});

/** Runs the retries as if `laterSeconds` had passed, so that all deferred work is due. */
async function retryDue(laterSeconds = 50): Promise<void> {
  await ageInterruptedWork(it.dataDir, laterSeconds);
  const table = openTable(it.dataDir);
  const aMomentAgo = new Date(Date.now() - 1000).toISOString();
  for (const row of dueIn(await table.rows())) {
    await table.remove(row);
    await table.put({ ...row, dueAt: aMomentAgo, sk: row.sk.replace(String(row["dueAt"]), aMomentAgo) });
  }
  table.close();
  await it.platform.cloud.runScheduled("retry");
}
/** Without checks for trouble: a failed tool has its clinic checked. */
const dueIn = (rows: Row[]) => rows.filter(({ pk, kind }) => pk.startsWith("PLATFORM#DUE#") && kind !== "trouble");

describe("a booking with an unknown outcome", () => {
  /** The lookups before the creation succeed; the creation and every later search fail. */
  const lost = (kind: string): EhrFault[] => [
    { kind: "slow", delayMs: 0, times: 3, match: { path: "/r4/Appointment/_search" } },
    { kind: "down", match: { path: "/r4/Appointment/_search" } },
    { kind, times: 1, match: { method: "POST", path: "/r4/Appointment" } },
  ];

  test("whether the EHR has it is found by the retry job, is then the answer, and is never made twice", async () => {
    await retryDue();
    const { line, slotId, ask } = await readyToBook();
    await ehr.injectFaults(lost("hang"));
    const result = await ask();
    await recover();
    expect(anySentencesFor("ehr_unknown_outcome")).toContain(result.speech);
    const rows = await expectSpokenResult(result, "ehr_unknown_outcome");
    expect(dueIn(rows)).toHaveLength(1);
    const [made] = await ehr.bookingsOf(slotId);
    expect(made).toBeDefined();

    await retryDue();
    const settled = await rowsNow();
    expect(dueIn(settled)).toEqual([]);
    expect(bookedIn(settled, line)).toMatchObject([{ actorId: "retry", success: true }]);
    expect(projected(settled)).toEqual(recount(settled));
    expect(await ask()).toMatchObject({ ok: true, found: { appointment: { appointmentId: made?.id } } });
    await retryDue();
    expect(await ehr.bookingsOf(slotId)).toHaveLength(1);
    expect(bookedIn(await rowsNow(), line)).toHaveLength(1);
  });

  test("and was not made is given up in the end and not counted", async () => {
    const { line, slotId, ask } = await readyToBook();
    await ehr.injectFaults(lost("down"));
    await expectSpokenResult(await ask(), "ehr_unknown_outcome");
    await recover();
    await retryDue();
    expect(dueIn(await rowsNow())).toHaveLength(1);
    await retryDue();
    const rows = await rowsNow();
    expect(dueIn(rows)).toEqual([]);
    expect(bookedIn(rows, line)).toEqual([]);
    const answer = await ask();
    expect(answer).toMatchObject({ status: 200, ok: false });
    expect(anySentencesFor("ehr_unavailable")).toContain(answer.speech);
    expect(await ehr.bookingsOf(slotId)).toEqual([]);
  });
});

test("With the EHR off a call that wants to book ends in a spoken apology, counts as a call and as no revenue", async () => {
  const [tenant] = it.demo.tenants;
  const [patient] = it.demo.patients;
  if (!tenant || !patient) throw new Error("The demo has no tenant or patient");
  const token = await it.tokenOf(tenant.admin.email, tenant.admin.password);
  const metrics = async () => {
    await it.platform.cloud.drained();
    return (await it.api<Record<string, number>>("GET", "/api/tenant/dashboard/metrics", { token })).json;
  };
  const before = await metrics();
  await ehr.injectFaults([{ kind: "down" }]);
  const { moments, changes, exchanges } = await runCall({
    origin: it.origin,
    apiKey: tenant.apiKey,
    platform: "vapi",
    scenario: "book",
    patient,
  });
  expect(exchanges.map(({ status }) => status)).toEqual(exchanges.map(() => 200));
  const said = moments.flatMap((moment) => (moment.kind === "tool" ? [moment.speech] : []));
  expect(anySentencesFor("ehr_unavailable")).toContain(said.at(-1));
  expect(changes).toEqual([]);
  const after = await metrics();
  expect(after).toMatchObject({ totalCalls: (before["totalCalls"] ?? 0) + 1, revenueEvents: before["revenueEvents"] });
});
