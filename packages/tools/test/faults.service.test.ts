import type { ToolName } from "@vitaline/contract";
import type { ErrorCode } from "@vitaline/core";
import { vendorMessage } from "@vitaline/sandbox-ehr";
import type { AuditRow } from "@vitaline/store";
import type { Appointment, Patient } from "fhir/r4.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ask, type Asks, startAsks } from "./faults.fixture.ts";
import { runSequentially } from "../engine/run-sequentially.ts";
import { runTool, type ToolAnswer, loadTools } from "../index.ts";
import { sentences } from "./sentences.fixture.ts";
import type { EhrServer } from "./platform.fixture.ts";
import { outputOf, startTools, type Tools, type Which } from "./tools.fixture.ts";

const tools = await loadTools();

const plain: EhrServer = { personality: "plain", version: "R4" };

let t: Tools;
let asks: Asks;
beforeAll(async () => {
  process.env["MAIL_FROM"] = "Vitaline <no-reply@vitaline.example>";
  process.env["SMS_ORIGINATION"] = "arn:aws:sms-voice:us-east-1:000000000000:pool/pool-test";
  t = await startTools();
  asks = await startAsks(t);
}, 60_000);
afterAll(async () => {
  await expectNoWordsOfOthers().finally(() => t.close());
  delete process.env["MAIL_FROM"];
  delete process.env["SMS_ORIGINATION"];
});

const names = Object.keys(tools) as ToolName[];
const askEhr = names.filter((name) => tools[name]!.scopes.length > 0);
const writers: readonly ToolName[] = [
  "createPatientFhir",
  "updatePatientFhir",
  "scheduleAppointment",
  "sendCommunicationFhir",
  "verifyInsurance",
];
const messengers: readonly ToolName[] = ["sendSMS", "sendEmail"];
const patient = 0;

type Code = ErrorCode | "ok";
type Expected = {
  /** Codes allowed when every EHR request fails. */
  struck: readonly Code[];
  /** Codes allowed when only writes fail; absent for a fault that cannot affect writes. */
  written?: readonly Code[];
  /** Fails only searches. */
  searches?: true;
  /** Fails one request, so each tool gets its own. */
  once?: true;
  more?: { delayMs: number };
  deadlineMs?: number;
};
const unknown = ["ehr_unknown_outcome"] as const;
const outage: Expected = { struck: ["ehr_unavailable"], written: unknown };
/** On a busy machine the time may run out before anything is written. */
const silence: Expected = {
  struck: ["ehr_timeout", "deadline_exceeded", ...unknown],
  written: [...unknown, "ehr_timeout", "deadline_exceeded"],
  deadlineMs: 1600,
};
const throttled: Expected = { struck: ["ehr_unavailable"], written: ["ok"] };
/** An unreadable answer is none; a write is then searched for. */
const unreadable: Expected = { struck: ["ehr_invalid", "ehr_timeout"], written: ["ok", ...unknown] };
const onceFelt: Expected = { struck: ["ok"], written: ["ok"], once: true };
const astray: Expected = { struck: ["ehr_invalid"], searches: true };
const expected: Record<string, Expected> = {
  hang: silence,
  slow: { ...silence, more: { delayMs: 5000 } },
  "429": throttled,
  "429-no-retry-after": throttled,
  down: outage,
  "503": outage,
  html: outage,
  "lost-write": { struck: ["ok"], written: ["ok"] },
  "401-once": onceFelt,
  "empty-201": onceFelt,
  "conflict-once": onceFelt,
  "slot-taken": { ...onceFelt, struck: ["ok", "slot_taken"], written: ["ok", "slot_taken"] },
  unsorted: { struck: ["ok"], searches: true },
  "strict-accents": { struck: ["ok"], searches: true },
  "slot-not-flipped": { struck: ["ok"], written: ["ok"] },
  stale: onceFelt,
  huge: unreadable,
  deep: unreadable,
  "wrong-type": unreadable,
  "wrong-charset": unreadable,
  "foreign-next": astray,
  "endless-next": astray,
  cyclic: { struck: ["ok"] },
  "partial-transaction": { struck: ["ok"] },
};
const kinds = Object.keys(expected);
/** Faults of the token endpoint, for runs without a cached token. */
const withoutToken: Record<string, readonly Code[]> = {
  "clock-skew": ["ehr_auth"],
  "fewer-scopes": ["ok", "ehr_forbidden", "ehr_not_allowed"],
};

const codeOf = ({ ok, code }: ToolAnswer): Code => (ok ? "ok" : (code ?? "unavailable"));
const wordsOfOthers = new RegExp(
  [
    // A log line of ours has an outcome of the same name.
    ...vendorMessage
      .split(" ")
      .slice(1)
      .filter((word) => word !== "refused"),
    "elsewhere\\.example",
    "127\\.0\\.0\\.1",
    "OperationOutcome",
    "Bad Gateway",
    "<html",
    "\\.ts:\\d",
  ].join("|"),
);
function expectSpoken(answer: ToolAnswer): void {
  expect(answer.speech).toMatch(/^[A-Z][^\n\r<>{}]*[.?!]$/);
  expect(JSON.stringify(answer)).not.toMatch(wordsOfOthers);
  if (!answer.ok && answer.output === undefined) expect(answer.speech).toBe(sentences[answer.code ?? "unavailable"]);
}

type Asked = { ask: Ask; answer: ToolAnswer };
/** Every run is audited once. After the fault the same request succeeds, and its resource exists once. */
async function expectDoneOnce(which: Which, asked: readonly Asked[], unsupported: readonly string[]): Promise<void> {
  const rows: AuditRow[] = await t.audits(which);
  for (const { ask, answer } of asked) {
    const about = `${ask.name} after ${codeOf(answer)}`;
    expect(ask.auditsIn(rows), about).toMatchObject([{ success: answer.ok, ...(answer.code ? { code: answer.code } : {}) }]);
    const again = await ask.send();
    expectSpoken(again);
    const keepsNo = answer.code === "slot_taken";
    const cannot = unsupported.includes(ask.name);
    expect(codeOf(again), about).toBe(keepsNo ? "slot_taken" : cannot ? "ehr_unsupported" : "ok");
    const made = await ask.made();
    const isReferred = ask.auditsIn(rows).some(({ detail }) => detail?.["action"] === "refer");
    if (ask.name === "verifyInsurance" || isReferred) expect(made, about).toBeLessThanOrEqual(1);
    else expect(made, about).toBe(writers.includes(ask.name) && !keepsNo && !cannot ? 1 : 0);
  }
}

const well = (which: Which) => t.fault(which, { kind: "none" });
/** Two EHRs fail at the same time, each with one fault after the other. */
const inTwo = <One>(list: readonly One[]) => list.map((one, index) => [one, (index % 2) as Which] as const);
const alone = <Done>(which: Which, work: () => Promise<Done>) => runSequentially(`clinic ${which}`, work);
async function askAll(which: Which, of: readonly ToolName[]): Promise<Ask[]> {
  // Writes of one call are serialized, so only reads share a caller.
  const caller = await t.verified(which, patient, 2);
  const ready: Ask[] = [];
  for (const name of of) {
    if (messengers.includes(name)) ready.push(await asks.ask(which, readerOf(which, name), name));
    else ready.push(await asks.ask(which, patient, name, writers.includes(name) ? {} : { caller }));
  }
  return ready;
}
const messages = new Map<string, number>();
/** A contact gets few messages an hour, so they go to different patients. */
function readerOf(which: Which, tool: string): number {
  const sent = messages.get(`${tool} ${which}`) ?? 0;
  messages.set(`${tool} ${which}`, sent + 1);
  const phones = t.patients.map(({ phone }) => phone);
  const apart = [...phones.keys()].filter((index) => index !== patient && phones.indexOf(phones[index]!) === index);
  return apart[sent % apart.length]!;
}
const searches = ({ name, call }: Ask): boolean => t.declaredRequests(name, call.args).some((request) => request.startsWith("search"));

async function strikeAll(which: Which, kind: string, of: readonly ToolName[], unsupported: readonly string[] = []): Promise<string[]> {
  const { struck, searches: onlySearches, once, more, deadlineMs } = expected[kind]!;
  const ready = await askAll(which, of);
  const isSpared = (ask: Ask): boolean => !askEhr.includes(ask.name) || (onlySearches === true && !searches(ask));
  const sendStruck = async (ask: Ask): Promise<Asked> => {
    if (once) await t.fault(which, { kind });
    const answer = await ask.send(deadlineMs === undefined || isSpared(ask) ? {} : { deadlineMs });
    if (once) await well(which);
    return { ask, answer };
  };
  const asked: Asked[] = [];
  if (once) for (const ask of ready) asked.push(await sendStruck(ask));
  else {
    await t.fault(which, { kind, ...more });
    asked.push(...(await Promise.all(ready.map(sendStruck))));
    await well(which);
  }
  for (const { ask, answer } of asked) {
    expectSpoken(answer);
    const may = isSpared(ask) ? ["ok"] : [...struck, ...(unsupported.includes(ask.name) ? ["ehr_unsupported"] : [])];
    expect(may, ask.name).toContain(codeOf(answer));
  }
  await expectDoneOnce(which, asked, unsupported);
  return asked.map(({ ask }) => ask.name);
}

async function strikeWrites(
  which: Which,
  kind: string,
  { at, unsupported = [] }: { at?: string; unsupported?: readonly string[] },
): Promise<string[]> {
  const { written = [], more, deadlineMs } = expected[kind]!;
  const sendStruck = async (ask: Ask): Promise<Asked> => {
    const method = ask.name === "updatePatientFhir" ? "PUT" : "POST";
    const disturb = (type: string) =>
      t.fault(which, { kind, times: 1, ...more, ...(at ? { match: { method, path: `${at}/${type}` } } : {}) });
    const answer = await ask.send({ disturb, ...(deadlineMs === undefined ? {} : { deadlineMs }) });
    if (!at) await well(which);
    return { ask, answer };
  };
  const able = writers.filter((name) => !unsupported.includes(name));
  const asked: Asked[] = [];
  if (at) asked.push(...(await Promise.all((await askAll(which, able)).map(sendStruck))));
  else for (const name of able) asked.push(await sendStruck(await asks.ask(which, patient, name)));
  await well(which);
  for (const { ask, answer } of asked) {
    expectSpoken(answer);
    expect(
      ask.name === "verifyInsurance" ? ["ok", ...(written.includes("ehr_timeout") ? ["ehr_timeout"] : [])] : written,
      ask.name,
    ).toContain(codeOf(answer));
  }
  await expectDoneOnce(which, asked, unsupported);
  return asked.map(({ ask }) => ask.name);
}

describe("every fault there is", () => {
  it("is tried", async () => {
    const { kinds: all } = (await (await fetch(`${t.platform.clinics[0].sandbox.origin}/faults`)).json()) as { kinds: string[] };
    expect([...kinds, ...Object.keys(withoutToken)].toSorted()).toEqual(all.toSorted());
  });
});

describe("with an EHR that suffers in all it is asked, every tool answers in a sentence, and the same request succeeds afterwards, once", () => {
  it.concurrent.each(inTwo(kinds))("%s", async (kind, which) => {
    expect(await alone(which, () => strikeAll(which, kind, names))).toEqual(names);
  });
});

describe("with an EHR that suffers just as it is written to, nothing is lost and nothing is done twice", () => {
  const writable = kinds.filter((kind) => expected[kind]!.written);
  it.concurrent.each(inTwo(writable))("%s", async (kind, which) => {
    expect(await alone(which, () => strikeWrites(which, kind, { at: "/r4" }))).toEqual(writers);
  });
});

const others: { name: string; server: EhrServer; unsupported: string[]; which: Which }[] = [
  { name: "like Epic", server: { personality: "epic-like", version: "R4" }, unsupported: ["updatePatientFhir"], which: 0 },
  { name: "like Oracle Health", server: { personality: "cerner-like", version: "R4" }, unsupported: [], which: 1 },
  { name: "DSTU2", server: { personality: "plain", version: "DSTU2" }, unsupported: [], which: 1 },
];
describe("the same holds at other servers", () => {
  it.concurrent.each(others)("$name", async ({ server, unsupported, which }) => {
    const able = writers.filter((name) => !unsupported.includes(name));
    await alone(which, async () => {
      await t.connect(which, server);
      for (const kind of ["hang", "wrong-charset"]) expect(await strikeAll(which, kind, names, unsupported)).toEqual(names);
      for (const kind of ["hang", "lost-write", "empty-201", "stale"])
        expect(await strikeWrites(which, kind, { unsupported })).toEqual(able);
      await t.connect(which, plain);
    });
  });
});

describe("with a token endpoint that suffers, every tool answers in a sentence, and the same request succeeds with a good token, once", () => {
  it.concurrent.each(inTwo(Object.keys(withoutToken)))("%s", (kind, which) =>
    alone(which, async () => {
      await t.connect(which, plain);
      const ready = await askAll(which, names);
      const connectAnew = async () => {
        const providerId = await t.connect(which, plain);
        for (const ask of ready) if (tools[ask.name]!.level > 0) await asks.carryOver(which, providerId, ask);
      };
      await connectAnew();
      await t.fault(which, { kind });
      const asked = await Promise.all(ready.map(async (ask) => ({ ask, answer: await ask.send() })));
      await well(which);
      for (const { ask, answer } of asked) {
        expectSpoken(answer);
        expect(askEhr.includes(ask.name) ? withoutToken[kind] : ["ok"], ask.name).toContain(codeOf(answer));
      }
      // Another connection makes it another request, so only the failed ones are repeated.
      await connectAnew();
      const failed = asked.filter(({ answer }) => !answer.ok);
      await expectDoneOnce(which, failed, []);
    }),
  );
});

describe("an answer of 50 MB", () => {
  it.each(askEhr)("does not fill the memory: %s", async (name) => {
    const ask = await asks.ask(0, patient, name);
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
    await t.fault(0, { kind: "huge" });
    expect(codeOf(await ask.send())).toBe("ehr_invalid");
    await well(0);
    clearInterval(watch);
    expect(most - before).toBeLessThan(200e6);
  });
});

const bound = names.filter((name) => tools[name]!.level > 0);
describe("whom a request is about", () => {
  const stranger = 1;
  const chartOf = async (index: number) => {
    const { id } = t.patients[index]!;
    const ehr = await asks.records(0);
    const [chart, visits] = [await ehr.read<Patient>("Patient", id), await t.appointments(0, id)];
    return { chart, visits: visits.map(({ id: visit = "" }) => visit).toSorted() };
  };

  it.each<ToolName>([...bound, "verifyPatientIdentity", "createPatientFhir"])("is never for the model to say: %s", async (name) => {
    const { id, mrn } = t.patients[stranger]!;
    const reference = `Patient/${id}`;
    const extra = {
      ...{ id, patientId: id, patient_id: id, patientID: id, fhirId: id, mrn, resourceId: id, verifiedPatientId: id },
      ...{ patient: reference, subject: { reference }, for: { reference }, recipient: reference, level: 2, identifier: mrn },
      ...{
        callState: { patientId: id, level: 2 },
        context: { patientId: id },
        callKey: "vapi#other",
        tenantId: t.platform.clinics[1].tenantId,
      },
    };
    const before = await chartOf(stranger);
    const honest = await (await asks.ask(0, patient, name)).send();
    const told = await asks.ask(0, patient, name, { extra });
    const answer = await told.send();
    expect([honest, answer].map(codeOf)).toEqual(["ok", "ok"]);
    if (name !== "scheduleAppointment") expect(answer).toEqual(honest);
    if (writers.includes(name)) expect(await told.made()).toBe(1);
    expect(await chartOf(stranger)).toEqual(before);
    expect(JSON.stringify(told.auditsIn(await t.audits(0)))).not.toContain(id);
    if (name !== "createPatientFhir") expect(told.auditsIn(await t.audits(0))).toMatchObject([{ resourceId: t.patients[patient]!.id }]);
  });

  it("is not changed by the id of another patient's appointment", async () => {
    const other = await t.verified(0, stranger);
    const [slotId, next] = await t.unusedSlots(0, 2);
    const { appointmentId } = outputOf(await other.use("scheduleAppointment", { slotId })).appointment;
    const caller = await t.verified(0, patient, 2);
    for (const [name, args] of [
      ["scheduleAppointment", { action: "cancel" }],
      ["scheduleAppointment", { action: "reschedule", slotId: next }],
      ["sendSMS", { purpose: "appointment_reminder" }],
      ["sendEmail", { purpose: "appointment_confirmation" }],
    ] as const) {
      const answer = await caller.use(name, { ...args, appointmentId });
      expectSpoken(answer);
      expect(codeOf(answer), name).toMatch(/^(?:ehr_)?not_found$/);
    }
    const visit = await (await asks.records(0)).read<Appointment>("Appointment", appointmentId);
    expect([visit.status, (await t.slot(0, slotId!)).status, (await t.slot(0, next!)).status]).toEqual(["booked", "busy", "free"]);
  });

  it.each(bound)("is not known to another tenant under the same call: %s", async (name) => {
    const { call } = await asks.ask(0, patient, name);
    const answer = await runTool(t.context(1), call);
    expect(answer).toEqual({ ok: false, code: "identity_required", speech: sentences.identity_required });
  });
});

const expectNoWordsOfOthers = async (): Promise<void> => {
  const rows = [...(await t.audits(0)), ...(await t.audits(1))];
  for (const one of [...t.lines, ...rows]) expect(JSON.stringify(one)).not.toMatch(wordsOfOthers);
  expect(t.lines.filter(({ event }) => event === "tool.failed" || event === "tool.unrecorded")).toEqual([]);
  const { given, family, phone, birthDate } = t.patients[patient]!;
  for (const secret of [given, family, phone, birthDate]) expect(JSON.stringify([t.lines, rows])).not.toContain(secret);
};
describe("log lines and audit rows", () => {
  it("contain none of the vendor's texts and no unexpected failure", async () => {
    const before = [t.lines.length, (await t.audits(0)).length];
    for (const kind of ["html", "wrong-type", "503"]) await strikeAll(0, kind, names);
    expect(t.lines.length - before[0]!).toBeGreaterThan(100);
    expect((await t.audits(0)).length - before[1]!).toBeGreaterThan(50);
    await expectNoWordsOfOthers();
  });
});
