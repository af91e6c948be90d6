import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { CallDetail, type Call } from "@vitaline/contract";
import { keys } from "@vitaline/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Account } from "../../call/phone-call.ts";
import { platforms, replay, runCall, type FinishedCall, type PlatformName } from "../../call/run-call.ts";
import { scenarios, type ScenarioName } from "../../call/scenarios.ts";
import { openEhr } from "../../kit/ehr.ts";
import { chosenPassword, type Json } from "../../kit/api.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";
import { openTable } from "../../kit/store/table.ts";

type Outcome = { level: number; tools: string; record: string; revenueEvents: number };

/** Expected outcomes in outcomes.tsv, for a patient with one appointment, on every platform and EHR. */
const expectedOutcomes: readonly (Outcome & { scenario: ScenarioName })[] = readFileSync(
  path.join(import.meta.dirname, "../../call/outcomes.tsv"),
  "utf8",
)
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [scenario = "", level, tools = "", record = "", revenueEvents] = line.split("\t");
    return { scenario: scenario as ScenarioName, level: Number(level), tools, record, revenueEvents: Number(revenueEvents) };
  });

const versions = { R4: "r4", STU3: "stu3", DSTU2: "dstu2" } as const;
type Version = keyof typeof versions;
type Patient = TestPlatform["demo"]["patients"][number];
type Voices = Partial<Record<PlatformName, Account>>;
type Clinic = { version: Version; tenantId: string; officeId: string; apiKey: string; token: string; voices: Voices };

let it: TestPlatform;
const clinics: Partial<Record<Version, Clinic>> = {};
const platformNames = Object.keys(platforms) as PlatformName[];
const lines: [Version, PlatformName][] = [
  ...platformNames.map((platform): [Version, PlatformName] => ["R4", platform]),
  ["STU3", "vapi"],
  ["DSTU2", "vapi"],
];

beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
  const token = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
  const ehr = await openEhr(it.platform.sandbox);
  const added = (await ehr.addCallers((wantingOwnPatient.length + 2) * lines.length)).map((one) => ({ ...one, zip: "", mrn: "" }));
  await ehr.close();
  for (const version of Object.keys(versions) as Version[]) clinics[version] = await openClinic(token, version);
  for (const [version, platform] of lines) {
    const own = Object.fromEntries([...wantingOwnPatient, "again"].map((scenario) => [scenario, added.pop()!]));
    callers[`${version} ${platform}`] = { ...own, guardian: await childOf(added.pop()!) };
  }
  clinics.R4!.voices = await connectVoices(token, clinics.R4!);
  await addPrescription(it.demo.patients[patientAt("refill")]!);
});
afterAll(() => it?.close());

const never = { days: { monday: null, tuesday: null, wednesday: null, thursday: null, friday: null, saturday: null, sunday: null } };
/** Office hours that do not end during the test, in a zone where the day does not either. */
const always = () => ({ start: "00:00", end: "23:59", timezone: new Date().getUTCHours() < 12 ? "UTC" : "America/Los_Angeles" });

const putFrontDesk = async ({ tenantId, officeId }: Clinic, hours: object): Promise<void> => {
  const token = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
  const body = { name: "Only office", staffRouting: [{ label: "Front desk", phone: deskNumber, hours }] };
  const { status, text } = await it.api("PUT", `/api/admin/tenants/${tenantId}/offices/${officeId}`, { token, body });
  expect([status, text]).toEqual([200, expect.any(String)]);
};

const clinicNumber = "+14155550145";
const deskNumber = "+16175550145";
const maker =
  (token: string) =>
  async (path: string, body: object): Promise<Json> => {
    const { status, json, text } = await it.api("POST", path, { token, body });
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
    return json;
  };

const providerTypes = { vapi: "vapi", retell: "retellai", elevenlabs: "elevenlabs", openai: "openai" } as const;

async function connectVoices(token: string, { tenantId, officeId }: Clinic): Promise<Voices> {
  const made = maker(token);
  const voices: Voices = {};
  for (const [platform, providerType] of Object.entries(providerTypes)) {
    const baseUrl = it.platform.voice.baseUrl(providerType);
    const webhookSecret = `whsec_${Buffer.from(`secret at ${platform}`).toString("base64")}`;
    const config = { apiKey: "k", baseUrl, settings: {}, model: "gpt-realtime-2" };
    const provider = await made(`/api/admin/tenants/${tenantId}/voice-providers`, {
      providerType,
      providerName: platform,
      config,
      webhookSecret,
    });
    const agentId = providerType === "openai" ? "gpt-realtime-2" : "agent-2";
    await made(`/api/admin/offices/${officeId}/voice-agents`, {
      voiceProviderId: provider.id,
      externalAgentId: agentId,
      agentName: "Agent 2",
    });
    voices[platform as PlatformName] = { webhookUrl: provider.config.webhookUrl, webhookSecret, baseUrl, agentId };
  }
  return voices;
}

async function openClinic(token: string, version: Version): Promise<Clinic> {
  const made = maker(token);
  const { id: tenantId } = await made("/api/admin/tenants", { name: `Clinic of ${version}`, contactEmail: "desk@clinic.example" });
  const { id: officeId } = await made(`/api/admin/tenants/${tenantId}/offices`, {
    name: "Only office",
    phone: clinicNumber,
    staffRouting: [{ label: "Front desk", phone: deskNumber, hours: always() }],
    facts: { parking: "Free parking behind the building.", insurance: ["Aetna", "Cigna"] },
  });
  const server = it.platform.sandbox[versions[version]];
  const { id: clientId, scopes } = it.platform.sandbox.client;
  const connection = { name: version, providerType: "custom", fhirVersion: version, ...server, clientId, scopes };
  const { id: fhirProviderId } = await made("/api/admin/fhir/providers", connection);
  const assigned = await it.api("PUT", `/api/admin/tenants/${tenantId}/fhir-provider`, { token, body: { fhirProviderId } });
  expect(assigned.status).toBe(200);
  const login = { email: `admin@${version.toLowerCase()}.example`, password: "words given apart 1" };
  await made("/api/admin/users", { ...login, firstName: "A", lastName: "B", role: "tenant_admin", tenantId });
  const own = await chosenPassword(it.api, login);
  const { json } = await it.api("GET", "/api/tenant/info", { token: own });
  return { version, tenantId, officeId, apiKey: json.apiKey, token: own, voices: {} };
}

/**
 * Booking scenarios need a patient without appointments; record scenarios need one with data. A patient whose identity was guessed at is
 * locked for everyone until the next day.
 */
const wantingOwnPatient = [
  ...(["book", "reschedule", "cancel", "second-offer", "wrong-choice", "spanish", "female-doctor"] as const),
  "wrong-person",
] as const;
type Wanting = (typeof wantingOwnPatient)[number] | "guardian" | "again";
const callers: Record<string, Partial<Record<Wanting, Patient>>> = {};
const patientAt = (scenario: string): number => Object.keys(scenarios).indexOf(scenario) % it.demo.patients.length;
const addPrescription = async ({ id }: Patient): Promise<void> => {
  const order = { resourceType: "MedicationRequest", status: "active", intent: "order", subject: { reference: `Patient/${id}` } } as const;
  await it.platform.sandbox.put({ ...order, id: `refilled-${id}`, medicationCodeableConcept: { text: "Lisinopril 10 mg tablets" } });
};
const childOf = async (patient: Patient): Promise<Patient & { parent: { name: string; phone: string } }> => {
  const { sandbox } = it.platform;
  const birthDate = `${new Date().getUTCFullYear() - 8}-01-01`;
  const telecom = [{ system: "phone" as const, value: patient.phone }];
  const name = [{ family: patient.family, given: [patient.given] }];
  await sandbox.put({ resourceType: "Patient", id: patient.id, active: true, birthDate, name, telecom });
  const parent = { name: `Nora ${patient.family}`, phone: "+16175550181" };
  await sandbox.put({
    ...{ resourceType: "RelatedPerson" as const, id: `parent-of-${patient.id}`.slice(0, 64), active: true },
    patient: { reference: `Patient/${patient.id}` },
    relationship: [{ coding: [{ system: "http://terminology.hl7.org/CodeSystem/v3-RoleCode", code: "MTH" }] }],
    name: [{ family: patient.family, given: ["Nora"] }],
    telecom: [{ system: "phone", value: parent.phone }],
  });
  return { ...patient, birthDate, parent };
};
type Phone = Clinic & { platform: PlatformName };
const patientOf = ({ version, platform }: Phone, scenario: ScenarioName | "again"): Patient =>
  callers[`${version} ${platform}`]?.[scenario as Wanting] ?? it.demo.patients[patientAt(scenario)]!;
const callerOf = (from: Phone, scenario: ScenarioName): { phone: string } => {
  const patient = patientOf(from, scenario);
  return (patient as { parent?: { phone: string } }).parent ?? patient;
};
const phone = (from: Phone, scenario: ScenarioName, patient = patientOf(from, scenario)): Promise<FinishedCall> =>
  runCall({
    origin: it.origin,
    apiKey: from.apiKey,
    platform: from.platform,
    scenario,
    patient,
    called: clinicNumber,
    account: from.voices[from.platform],
    mcpUrl: `${it.origin}/api/mcp/${from.tenantId}/${from.officeId}`,
  });

const inTable = async <T>(read: (table: ReturnType<typeof openTable>) => Promise<T>): Promise<T> => {
  const table = openTable(it.dataDir);
  try {
    return await read(table);
  } finally {
    table.close();
  }
};

type Counts = Record<string, number>;
type Page = { entry?: { resource: { status?: string } }[]; link?: { relation: string; url: string }[] };

async function countsOf(clinic: Phone, scenario: ScenarioName): Promise<Counts> {
  const { tenantId } = clinic;
  const patient = patientOf(clinic, scenario);
  const found = async (query: string): Promise<{ status?: string }[]> => {
    const resources: { status?: string }[] = [];
    for (let url: string | undefined = `${it.demo.ehr.r4.baseUrl}/${query}&_count=200`; url;) {
      const { entry = [], link = [] } = (await (await fetch(url)).json()) as Page;
      resources.push(...entry.map(({ resource }) => resource));
      url = link.find(({ relation }) => relation === "next")?.url;
    }
    return resources;
  };
  const counts: Counts = {};
  const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1);
  for (const { status } of await found(`Appointment?patient=Patient/${patient.id}`)) count(`Appointment ${status}`);
  for (const _one of await found(`Communication?patient=Patient/${patient.id}`)) count("Communication");
  for (const _one of await inTable((table) => table.partition(`TENANT#${tenantId}#LEADS`))) count("Lead");
  for (const _one of await inTable((table) => table.partition(`TENANT#${tenantId}#TASKS`))) count("Task");
  return counts;
}

const changes = (before: Counts, after: Counts): string =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .toSorted()
    .map((what) => ({ what, by: (after[what] ?? 0) - (before[what] ?? 0) }))
    .filter(({ by }) => by !== 0)
    .map(({ what, by }) => `${what} ${by > 0 ? "+" : ""}${by}`)
    .join(", ");

const revenueOf = async ({ token }: Clinic): Promise<number> => {
  await it.platform.cloud.drained();
  return (await it.api("GET", "/api/tenant/dashboard/metrics", { token })).json.revenueEvents as number;
};

const toolsOf = ({ moments }: FinishedCall): string =>
  moments.flatMap((moment) => (moment.kind === "tool" ? [moment.ok ? moment.tool : `${moment.tool} refused`] : [])).join(", ");

const providerTypeOf = (platform: PlatformName): Call["platform"] => (platform === "mcp" ? "mcp" : providerTypes[platform]);

async function outcomeOf(from: Phone, scenario: ScenarioName): Promise<{ call: FinishedCall; outcome: Outcome }> {
  const [before, revenueBefore] = [await countsOf(from, scenario), await revenueOf(from)];
  const call = await phone(from, scenario);
  const callKey = keys.callKeyOf(providerTypeOf(from.platform), call.callId);
  const state = await inTable((table) => table.row({ pk: `TENANT#${from.tenantId}#CALL#${callKey}`, sk: "STATE" }));
  const outcome = {
    level: Number(state?.["level"] ?? 0),
    tools: toolsOf(call),
    record: changes(before, await countsOf(from, scenario)),
    revenueEvents: (await revenueOf(from)) - revenueBefore,
  };
  return { call, outcome };
}

const recordOf = async ({ token, platform }: Phone, { callId }: FinishedCall): Promise<CallDetail> =>
  (await it.api<CallDetail>("GET", `/api/tenant/calls/${keys.callKeyOf(providerTypeOf(platform), callId)}`, { token })).json;

const expectRecord = (record: CallDetail, from: Phone, scenario: ScenarioName, call: FinishedCall): void => {
  const { platform, officeId } = from;
  const said = call.moments.flatMap((moment) => (moment.kind === "line" ? [moment] : []));
  const used = call.moments.flatMap((moment) => (moment.kind === "tool" ? [moment] : []));
  const always = Object.entries(CallDetail.shape).flatMap(([name, schema]) => (schema.safeParse(undefined).success ? [] : [name]));
  expect(Object.keys(record)).toEqual(expect.arrayContaining(always));
  expect(Object.keys(CallDetail.shape)).toEqual(expect.arrayContaining(Object.keys(record)));
  expect(record).toMatchObject({
    platform: providerTypeOf(platform),
    platformCallId: call.callId,
    status: "completed",
    direction: "inbound",
    forwarded: scenario === "transfer",
    success: scenario !== "wrong-person",
    toolsUsed: expect.toSatisfy(
      (names: string[]) => names.toSorted().join() === [...new Set(used.map(({ tool }) => tool))].toSorted().join(),
    ),
    duration: expect.any(Number),
    endedAt: expect.any(String),
    endedReason: expect.any(String),
    summary: expect.any(String),
    officeId,
  });
  expect(record).toMatchObject({
    callerNumber: callerOf(from, scenario).phone,
    calledNumber: clinicNumber,
    forwardedTo: scenario === "transfer" ? deskNumber : null,
    agentId: from.voices[platform]?.agentId ?? null,
    cost: { amount: 0.12, currency: "USD" },
    latency: { p50Ms: 800 },
  });
  expect(record.transcript?.messages?.map(({ role, text }) => [role, text])).toEqual(
    said.map(({ who, text }) => [who === "patient" ? "caller" : "assistant", text]),
  );
  expect(record.toolRuns.map(({ toolName, status }) => [toolName, status])).toEqual(
    // The line is said instead of running the tool.
    used.map(({ tool, ok }) => [tool, scenario === "emergency" ? "emergency" : ok ? "succeeded" : "failed"]),
  );
};

test("the table of outcomes lists every scenario", () => {
  expect(expectedOutcomes.map(({ scenario }) => scenario).toSorted()).toEqual(Object.keys(scenarios).toSorted());
});

test.each(
  lines.flatMap(([version, platform]) => expectedOutcomes.map((outcome) => [version, platform, outcome.scenario, outcome] as const)),
)('%s, %s: the call "%s" has its expected outcome', async (version, platform, scenario, { scenario: _name, ...wanted }) => {
  const from: Phone = { ...clinics[version]!, platform };
  // These two need an existing appointment
  if (scenario === "reschedule" || scenario === "cancel") await phone(from, "book", patientOf(from, scenario));
  if (scenario === "after-hours") await putFrontDesk(from, never);
  const { call, outcome } = await outcomeOf(from, scenario);
  if (scenario === "after-hours") await putFrontDesk(from, always());
  expect(outcome).toEqual(wanted);
  if (version === "R4") expectRecord(await recordOf(from, call), from, scenario, call);
});

test.each(platformNames)("%s: all requests of a call, repeated byte for byte, change nothing", async (platform) => {
  const from: Phone = { ...clinics.R4!, platform };
  const call = await phone(from, "book", patientOf(from, "again"));
  await it.platform.cloud.drained();
  const before = [await recordOf(from, call), await revenueOf(from)];
  const again = await replay(call);
  expect(again.map(({ path, status }) => [path, status])).toEqual(call.exchanges.map(({ path, status }) => [path, status]));
  await it.platform.cloud.drained();
  expect([await recordOf(from, call), await revenueOf(from)]).toEqual(before);
});

type DemoAccount = TestPlatform["demo"]["tenants"][number]["voiceProviders"][number];
const typed = (args: string[]): Promise<{ out: string; err: string }> =>
  new Promise((resolve) => {
    const cli = path.join(import.meta.dirname, "../../call/cli.ts");
    execFile(process.execPath, [cli, ...args], { env: { ...process.env, VITALINE_DATA: it.demoFolder } }, (_error, out, err) =>
      resolve({ out, err }),
    );
  });
const reachOf = (platform: PlatformName, apiKey: string, tenantId: string, accounts: DemoAccount[]): string[] => {
  if (platform === "mcp") return ["--key", apiKey, "--address", `${it.origin}/api/mcp/${tenantId}`];
  const account = accounts.find(({ providerType }) => providerType === providerTypeOf(platform))!;
  const { webhookUrl, webhookSecret, agentId, calledNumber, baseUrl } = account;
  return [
    "--key",
    apiKey,
    "--address",
    webhookUrl,
    "--secret",
    webhookSecret,
    "--agent",
    agentId,
    "--number",
    calledNumber,
    "--base-url",
    baseUrl,
  ];
};

test.each(platformNames)("%s: a demo tenant is called by its number in demo.json, and by its key and address alone", async (platform) => {
  const { id, name, apiKey, voiceProviders } = it.demo.tenants[1]!;
  for (const callee of [["--tenant", "2"], reachOf(platform, apiKey, id, voiceProviders)]) {
    const { out, err } = await typed(["--platform", platform, "--scenario", "lead", "--origin", it.origin, ...callee]);
    expect([err, out]).toEqual(["", expect.stringMatching(/Tool {5}Routes the call .*Answered, [^]*is in the dashboard of /)]);
    if (callee[0] === "--tenant") expect(out).toContain(`through ${platform}, to ${name}`);
  }
});

test("a wrong webhook secret ends the call in one clear sentence", async () => {
  const { id, apiKey, voiceProviders } = it.demo.tenants[1]!;
  const changed = voiceProviders.map((account) => ({ ...account, webhookSecret: "another" }));
  const { out, err } = await typed(["--platform", "retell", ...reachOf("retell", apiKey, id, changed)]);
  expect(out).not.toContain("picks up");
  expect(err).toMatch(/^\/api\/retell\/hook\/\S+ answered 401: [^]*\nUse the webhook address and the secret of the same voice provider/);
});
