import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { AwsOptions } from "../../packages/local-cloud/aws/index.ts";
import { runCall } from "../call/run-call.ts";
import { openEhr } from "../kit/ehr.ts";
import { leaksIn, startWatchedEhr, watchFor, type Planted } from "./leaks.ts";
import { openLine } from "../kit/line.ts";
import type { Answer, Api } from "../kit/api.ts";
import { ownPlatform, type TestPlatform } from "../kit/platform.ts";
import { auditsIn, openTable, type Row } from "../kit/store/table.ts";

vi.setConfig({ testTimeout: 120_000 });

const patient = {
  given: "Zephyrine",
  family: "Quillfeather",
  birthDate: "1931-02-03",
  phone: "+1 303 555 0187",
  zip: "80999",
  mrn: "MRN-PLANTED-55501",
};
const patientData: Planted = {
  "first name": { kind: "text", value: patient.given },
  "family name": { kind: "text", value: patient.family },
  "birth date": { kind: "date", value: patient.birthDate },
  phone: { kind: "phone", value: patient.phone },
  "record number": { kind: "text", value: patient.mrn },
  "e-mail": { kind: "text", value: "zephyrine.q@planted.example" },
  street: { kind: "text", value: "77 Plantedstone Row" },
  summary: { kind: "text", value: "The summary tells of plantedpneumonia." },
  transcript: { kind: "text", value: "I feel plantedvertigo since Monday" },
};
const stranger = { email: "stranger@planted-login.example", password: "planted-wrong-password-1" };
const newUser = { email: "made@planted-user.example", password: "planted-new-password-2" };
const clientSecret = "planted-client-secret-3";

let hook: AwsOptions["fault"];
let it: TestPlatform;
let api: Api;
let ehr: Awaited<ReturnType<typeof openEhr>>;
let front: Awaited<ReturnType<typeof startWatchedEhr>>;
let patientId: string;
const answers: { route: string; answer: Answer<unknown> }[] = [];
const printed: string[] = [];
const secrets: Planted = {};

beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((chunk) => printed.push(String(chunk)) > 0);
  front = await startWatchedEhr();
  it = await ownPlatform({
    voices: true,
    calls: true,
    fault: (call) => hook?.(call),
    prepareFunction: (spec) => {
      const opened = spec.env["EGRESS_LOOPBACK_ORIGINS"];
      return opened === undefined ? spec : { ...spec, env: { ...spec.env, EGRESS_LOOPBACK_ORIGINS: `${opened},${front.origin}` } };
    },
  });
  front.pass(it.platform.sandbox.origin);
  ehr = await openEhr(it.platform.sandbox);
  api = async (method, route, asking) => {
    const answer = await it.api(method, route, asking);
    answers.push({ route: `${method} ${route}`, answer });
    return answer as never;
  };
  await runScenario();
}, 240_000);
afterAll(async () => {
  vi.restoreAllMocks();
  await ehr.close();
  await it.close();
  await front.close();
});

async function runScenario(): Promise<void> {
  const { systemAdmin, tenants } = it.demo;
  const [tenant] = tenants;
  if (!tenant) throw new Error("The demo has no tenant");
  patientId = (
    await ehr.addPatient({
      resourceType: "Patient",
      active: true,
      name: [{ use: "official", family: patient.family, given: [patient.given] }],
      birthDate: patient.birthDate,
      identifier: [
        {
          type: { coding: [{ system: "http://terminology.hl7.org/CodeSystem/v2-0203", code: "MR" }] },
          system: "https://sandbox-ehr.example/mrn",
          value: patient.mrn,
        },
      ],
      telecom: [
        { system: "phone", use: "mobile", value: patient.phone },
        { system: "email", value: patientData["e-mail"]!.value },
      ],
      address: [{ use: "home", line: [patientData["street"]!.value], city: "Denver", postalCode: patient.zip }],
    })
  ).id;

  const admin = await signIn(systemAdmin);
  const manager = await signIn(tenant.admin);
  secrets["API key"] = { kind: "text", value: tenant.apiKey };
  secrets["session of the administrator"] = { kind: "text", value: admin };
  secrets["session of the manager"] = { kind: "text", value: manager };
  for (const [name, { password }] of Object.entries({ systemAdmin, manager: tenant.admin, stranger, newUser }))
    secrets[`password of ${name}`] = { kind: "text", value: password };
  secrets["client secret"] = { kind: "text", value: clientSecret };

  const provider = {
    name: "Watched EHR",
    providerType: "custom",
    baseUrl: `${front.origin}/r4`,
    tokenUrl: it.platform.sandbox.r4.tokenUrl,
    clientId: "vitaline-demo",
    scopes:
      "system/Patient.crus system/Appointment.crus system/Slot.rs system/Schedule.rs system/Practitioner.rs system/PractitionerRole.rs system/Location.rs",
  };
  const { id: fhirProviderId } = (await api("POST", "/api/admin/fhir/providers", { token: admin, body: provider })).json;
  await api("POST", "/api/admin/fhir/providers", { token: admin, body: { ...provider, name: "With a secret", clientSecret } });
  await api("PUT", `/api/admin/tenants/${tenant.id}/fhir-provider`, { token: admin, body: { fhirProviderId } });

  await phone(tenant.apiKey);
  await failSignIns();
  await sendInvalidRequests(admin, manager, tenant.apiKey);
  await sendFailingRequests(admin, tenant.apiKey);
  await changeKeys(manager);
  await addUncountableRecords(tenant.id);
  await it.platform.cloud.runScheduled("retry");
  await it.platform.cloud.drained();
}

async function signIn(body: { email: string; password: string }): Promise<string> {
  return (await api("POST", "/api/auth/login", { body })).json.token;
}

const claim = () => ({
  firstName: patient.given,
  lastName: patient.family,
  dateOfBirth: patient.birthDate,
  phoneNumber: patient.phone,
  medicalRecordNumber: patient.mrn,
  email: patientData["e-mail"]!.value,
});
const words = () => ({
  artifact: {
    transcript: `AI: Hello.\nUser: ${patientData["transcript"]!.value}`,
    messages: [{ role: "user", message: patientData["transcript"]!.value, secondsFromStart: 1 }],
  },
  analysis: { summary: patientData["summary"]!.value, successEvaluation: "true" },
});

async function phone(apiKey: string): Promise<void> {
  const caller = { ...patient, id: patientId };
  for (const scenario of ["book", "reschedule", "cancel", "wrong-person", "transfer"] as const) {
    const { exchanges, changes } = await runCall({ origin: it.origin, apiKey, platform: "vapi", scenario, patient: caller });
    expect(exchanges.map(({ status }) => status)).toEqual(exchanges.map(() => 200));
    expect(changes.length > 0).toBe(["book", "reschedule", "cancel"].includes(scenario));
  }
  const line = openLine(api, apiKey, patient);
  expect(await line.useTool("verifyPatientIdentity", claim())).toMatchObject({ ok: true });
  expect(await line.useTool("getPatientInfo", {})).toMatchObject({ ok: true });
  await line.end(words());
  await api("POST", "/api/vapi/call-summary", {
    key: apiKey,
    body: { callId: randomUUID(), summary: patientData["summary"]!.value, outcome: "booked", resolved: true },
  });
}

async function failSignIns(): Promise<void> {
  const { admin } = it.demo.tenants[1]!;
  await api("POST", "/api/auth/login", { body: stranger });
  await api("POST", "/api/auth/login", { body: { email: admin.email, password: stranger.password } });
  await api("POST", "/api/auth/login", { body: { ...stranger, email: { of: stranger.email } } });
  await api("POST", "/api/auth/login", { body: `{"email": "${stranger.email}", "password": "${stranger.password}"` });
}

async function sendInvalidRequests(admin: string, manager: string, key: string): Promise<void> {
  const everything = JSON.stringify(claim());
  const query = new URLSearchParams(claim());
  await api("POST", "/api/vapi/tool-call", { key, body: `${everything} and more` });
  await api("POST", "/api/vapi/tool-call", { key, body: claim() });
  await api("POST", "/api/vapi/server", { key, body: { message: { type: `about ${patient.family}`, ...claim() } } });
  await api("POST", "/api/vapi/call-summary", {
    key,
    body: { message: { type: "end-of-call-report", analysis: { summary: patientData["summary"]!.value } } },
  });
  await api("POST", "/api/vapi/call-summary", { key, body: { callId: randomUUID(), summary: 7, outcome: patient.family } });
  await api("POST", "/api/vapi/tool-call", { key: `${key}x`, body: { message: { type: "tool-calls", ...claim() } } });
  await api("POST", `/api/vapi/tool-call?${query}&key=${key}`, { key, body: { message: { type: "hang" } } });
  await api("GET", `/api/patients/${patient.family}?${query}&token=${admin}`);
  await api("DELETE", `/api/auth/login?${query}`);
  await api("GET", `/api/tenant/dashboard/recent-calls?cursor=${encodeURIComponent(everything)}`, { token: manager });
  await api("GET", `/api/tenant/dashboard/metrics?range=${encodeURIComponent(patient.family)}`, { token: manager });
  await api("POST", `/api/admin/tenants/${encodeURIComponent(patient.family)}/offices`, { token: admin, body: { name: patient.given } });
  await api("POST", "/api/admin/users", {
    token: admin,
    body: { ...newUser, email: `${patient.family} at home`, firstName: patient.given, lastName: patient.family, role: "boss" },
  });
  await api("POST", "/api/admin/users", {
    token: manager,
    body: { ...newUser, firstName: patient.given, lastName: patient.family, role: "system_admin" },
  });
  await api("GET", "/api/auth/me", { token: `${admin.slice(0, -4)}AAAA` });
  await api("GET", "/api/auth/me", { headers: { "user-agent": everything, referer: `http://localhost/?${query}` } });
  const line = openLine(api, key, patient, `call of ${patient.family}`);
  await line.useTool(`tool-for-${patient.family}`, claim(), `call_${patient.mrn}`);
  await line.useTool("verifyPatientIdentity", { ...claim(), dateOfBirth: `the day ${patient.birthDate} or so` });
  await line.useTool("verifyPatientIdentity", { firstName: patient.given, lastName: { name: patient.family } });
  await line.useTool("scheduleAppointment", { action: patient.family });
  await line.useTool("scheduleAppointment", { action: "find", date: patient.birthDate, practitioner: patient.family });
  const announced = openLine(api, key, patient);
  await announced.tell({ type: "status-update", status: patient.family });
  await announced.end({ startedAt: patient.birthDate, endedAt: patient.family, ...words() });
}

async function sendFailingRequests(admin: string, key: string): Promise<void> {
  const failing = (services: string[], how: Awaited<ReturnType<NonNullable<AwsOptions["fault"]>>>): void => {
    hook = ({ service, operation }) => (services.includes(service) && operation !== "GetItem" ? how : undefined);
  };
  const detailed = { status: 500, code: "InternalServerError", message: `Could not store ${patient.family}, ${key}` };
  for (const how of ["drop", detailed] as const) {
    failing(["s3", "kms"], how);
    await openLine(api, key, patient).end(words());
    failing(["dynamodb"], how);
    await openLine(api, key, patient).verify();
    await api("POST", "/api/admin/users", {
      token: admin,
      body: { ...newUser, firstName: "Una", lastName: "Planted", role: "system_admin" },
    });
  }
  hook = undefined;
  await api("POST", "/api/admin/users", {
    token: admin,
    body: { ...newUser, firstName: "Una", lastName: "Planted", role: "system_admin" },
  });
  for (const kind of ["down", "503", "html", "429", "slot-taken"]) {
    const line = openLine(api, key, patient);
    if (kind === "slot-taken") await line.verify();
    const slots = (await line.find()).found?.slots ?? [];
    await ehr.injectFaults([{ kind }]);
    await (kind === "slot-taken" ? line.book(slots[0]?.slotId ?? "") : line.verify());
    await ehr.recover();
    // Closes the circuit that the failures may have opened.
    await api("POST", `/api/admin/fhir/providers/${it.demo.tenants[0]!.fhirProviderId}/check`, { token: admin });
  }
}

async function changeKeys(token: string): Promise<void> {
  const { apiKey } = (await api("POST", "/api/tenant/regenerate-api-key", { token, body: {} })).json;
  secrets["new API key"] = { kind: "text", value: apiKey };
  await api("GET", "/api/tenant/info", { token });
  await api("POST", "/api/vapi/server", { key: apiKey, body: { message: { type: "hang" } } });
}

async function addUncountableRecords(tenantId: string): Promise<void> {
  const table = openTable(it.dataDir);
  const at = new Date().toISOString();
  const common = { id: "odd", at, success: true, requestId: "r", actorKind: "system", actorId: "test", tenantId };
  await table.put({
    ...common,
    pk: `TENANT#${tenantId}#AUDIT#${at.slice(0, 7)}#api_call`,
    sk: "odd",
    action: "tool.odd",
    detail: { tool: "no word!", ms: "none" },
  });
  await table.put({ pk: `TENANT#${tenantId}#CALL#0d`, sk: "CALL", status: "no status", endSeenAt: at, startedAt: "some day" });
  table.close();
}

const rowsNow = async (): Promise<Row[]> => {
  const table = openTable(it.dataDir);
  const rows = await table.rows();
  table.close();
  return rows;
};
const asPlaces = (rows: Row[]): [string, string][] => rows.map(({ pk, sk, ...row }) => [`${pk}|${sk}`, JSON.stringify({ pk, sk, ...row })]);

describe("the leak search finds planted values", () => {
  const all: Planted = { ...patientData, password: { kind: "text", value: stranger.password } };
  const watch = watchFor(all);

  test.each(Object.entries(all))("%s in all its forms", (name, { kind, value }) => {
    const forms = [
      value,
      `{"at":"2026-01-01T00:00:00.000Z","level":"info","message":${JSON.stringify(`about ${value}.`)}}`,
      JSON.stringify(JSON.stringify({ value })),
      `GET /r4/Patient?q=${new URLSearchParams({ value })}`,
    ];
    if (kind === "text")
      forms.push(
        value.toUpperCase(),
        ...["", "a", "ab"].map((before) => Buffer.from(`${before}${value}, and more`).toString("base64")),
        Buffer.from(`.${value}`).toString("hex"),
      );
    if (kind === "phone") forms.push("+13035550187", "(303) 555-0187", "303.555.0187", "3035550187");
    if (kind === "date") forms.push("19310203", "02/03/1931", "2/3/1931", "February 3, 1931", "February 3rd 1931");
    expect(forms.filter((form) => !watch(form).includes(name))).toEqual([]);
  });

  test("nothing in a line without a planted value", () => {
    const line = `vitaline-local-voice {"at":"2026-05-17T10:11:12.000Z","level":"info","event":"request.answered","requestId":"${randomUUID()}","route":"POST /api/vapi/server","status":200,"ms":3}`;
    expect(watch(line)).toEqual([]);
    expect(leaksIn(watch, [["a log", `${line} ${patient.given}`]])).toEqual([expect.stringContaining("first name in a log")]);
  });
});

describe("no patient data and no secret appears", () => {
  const everything = () => watchFor({ ...patientData, ...secrets });

  test("in what functions and the platform print", () => {
    const lines = [...it.logText().split("\n"), ...printed];
    expect(lines.length).toBeGreaterThan(100);
    expect(it.logText()).toMatch(/"event":"request.refused"/);
    expect(
      leaksIn(
        everything(),
        lines.map((line) => ["a log", line]),
      ),
    ).toEqual([]);
    expect(lines.filter((line) => line.includes(patientId) || line.includes(stranger.email) || line.includes(newUser.email))).toEqual([]);
    const folder = path.join(it.dataDir, "logs");
    expect(
      leaksIn(
        everything(),
        readdirSync(folder).map((file) => [file, readFileSync(path.join(folder, file), "utf8")]),
      ),
    ).toEqual([]);
  });

  test("in the audit log", async () => {
    const audits = auditsIn(await rowsNow());
    expect(new Set(audits.map(({ action }) => action)).size).toBeGreaterThan(8);
    expect(
      leaksIn(
        watchFor({
          ...patientData,
          ...secrets,
          stranger: { kind: "text", value: stranger.email },
          user: { kind: "text", value: newUser.email },
        }),
        asPlaces(audits),
      ),
    ).toEqual([]);
  });

  test("in any row of the table, the kept events among them", async () => {
    const rows = await rowsNow();
    expect(rows.filter(({ pk }) => pk.endsWith("#INBOX"))).toHaveLength(2);
    expect(leaksIn(everything(), asPlaces(rows))).toEqual([]);
  });

  test("in files and queues", () => {
    const folders = readdirSync(it.dataDir).filter((name) => ["s3", "queues"].includes(name));
    const files = folders.flatMap((folder) => filesIn(path.join(it.dataDir, folder)));
    expect(files.length).toBeGreaterThan(0);
    expect(
      leaksIn(
        everything(),
        files.map((file) => [file, readFileSync(file, "latin1")]),
      ),
    ).toEqual([]);
  });

  test("in the address of a request to an EHR", () => {
    expect(front.addresses.filter((address) => address.includes("/Patient/_search")).length).toBeGreaterThan(0);
    expect(
      leaksIn(
        everything(),
        front.addresses.map((address) => ["an address", address]),
      ),
    ).toEqual([]);
  });

  test("in a refusal", () => {
    const refusals = answers.filter(({ answer }) => answer.status >= 400);
    expect(new Set(refusals.map(({ answer }) => answer.status))).toEqual(new Set([400, 401, 403, 404, 405, 503]));
    expect(
      leaksIn(
        everything(),
        refusals.map(({ route, answer }) => [route.split("?")[0] ?? "", answer.text]),
      ),
    ).toEqual([]);
  });

  test("in a tool's apology", () => {
    const spoken = answers.flatMap(({ route, answer }) =>
      route.startsWith("POST /api/vapi/tool-call") && /"error":/.test(answer.text) ? [answer.text] : [],
    );
    expect(spoken.length).toBeGreaterThan(5);
    const told = spoken.flatMap((text) =>
      ((JSON.parse(text) as { results?: { error?: string }[] }).results ?? []).flatMap(({ error }) => error ?? []),
    );
    expect(
      leaksIn(
        everything(),
        told.map((line) => ["a spoken line", line]),
      ),
    ).toEqual([]);
  });
});

test("A key or session is in its own answer and in no other", () => {
  const own: Record<string, RegExp> = { key: /tenant\/info|regenerate-api-key|POST \/api\/admin\/tenants$/, session: /auth\/login/ };
  for (const [name, planted] of Object.entries(secrets)) {
    const where = own[name.includes("key") ? "key" : name.includes("session") ? "session" : "none"];
    const seen = answers.filter(
      ({ route, answer }) =>
        watchFor({ [name]: planted })(`${answer.text} ${JSON.stringify([...answer.headers])}`).length > 0 && !where?.test(route),
    );
    expect(seen.map(({ route }) => `${name} in the answer of ${route.split("?")[0]}`)).toEqual([]);
  }
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [path.join(entry.parentPath, entry.name)] : [],
  );
}
