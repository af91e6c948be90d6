import type { FhirVersion } from "@vitaline/fhir";
import { keys, update, type TenantRow } from "@vitaline/store";
import { loadTools, type ToolAnswer } from "@vitaline/tools";
import type { EhrServer } from "../../packages/tools/test/platform.fixture.ts";
import { outputOf, startTools, type Tools } from "../../packages/tools/test/tools.fixture.ts";

const tools = await loadTools();

/** "proposed": staff must confirm. "no": the tool says that it is not supported. */
export type Support = "yes" | "proposed" | "no" | `failed: ${string}`;
export type Matrix = Record<string, Record<string, Support>>;
/** Requests to a known EHR, and further pages and days of searches. A retry asked for by the server counts once. */
export type Counted = { requests: number; pages: number };
export type Counts = Record<string, Record<string, Counted>>;

const versions: FhirVersion[] = ["R4", "STU3", "DSTU2"];
export const servers: EhrServer[] = [
  ...(["plain", "readonly", "epic-like"] as const).flatMap((personality) => versions.map((version) => ({ personality, version }))),
  { personality: "cerner-like", version: "R4" },
  { personality: "cerner-like", version: "DSTU2" },
  { personality: "hapi-like", version: "R4" },
];
export const nameOf = ({ personality, version }: EhrServer): string => `${personality} ${version}`;

type Caller = Awaited<ReturnType<Tools["verified"]>>;
type Tried = Awaited<ReturnType<typeof asked>>;
const asked = (t: Tools, work: () => Promise<ToolAnswer>) => t.ehrCost(work);
const countOf = ({ requests, pages, again }: Tried): Counted => ({ requests: requests.length - again, pages });
type Trial = {
  /** One attempt. `server` varies the texts, so that nothing from the last server is found. */
  try(t: Tools, caller: Caller, server: string, patient: number): Promise<ToolAnswer>;
  /** Checks the claimed result by the tool's output or the requests to the EHR. */
  shows(output: never, requests: string[]): boolean;
};
const rich = 0;
/** Bookings and messages use another patient per server, because of rate limits. */
const rotatingTools = new Set(["scheduleAppointment", "sendSMS", "sendEmail"]);
const patientAt = (server: EhrServer): number => servers.findIndex((one) => nameOf(one) === nameOf(server)) % 6;

const trial = <Output>(attempt: Trial["try"], shows: (output: Output, requests: string[]) => boolean): Trial => ({ try: attempt, shows });
const wrote = (requests: string[], ...any: string[]): boolean => any.some((request) => requests.includes(request));
const some = (list: unknown[] | undefined): boolean => (list ?? []).length > 0;

const dayMs = 86_400_000;

/** Books a slot at which the patient is free, since the servers share their records. */
const schedule: Trial["try"] = async (t, caller) => {
  const use = async (as: string, args: object): Promise<ToolAnswer> => {
    const tried = await asked(t, () => caller.use("scheduleAppointment", args));
    counted.set(as, countOf(tried));
    return tried.answer;
  };
  await caller.use("scheduleAppointment", { action: "find" });
  for (let ahead = 0; ; ahead += 3) {
    const date = new Date(Date.now() + ahead * dayMs).toISOString().slice(0, 10);
    const found = await use("scheduleAppointment find", { action: "find", ...(ahead > 0 ? { date } : {}) });
    if (!found.ok || outputOf(found).slots.length === 0) return found;
    for (const { slotId } of outputOf(found).slots) {
      const answer = await use("scheduleAppointment book", { action: "book", slotId });
      if (answer.code !== "duplicate") return answer;
    }
  }
};

/** The patient, after a parent for a child. */
const verify: Trial["try"] = async (t, _caller, _server, patient) => {
  const use = async (as: string, args: object): Promise<ToolAnswer> => {
    const tried = await asked(t, () => t.phone(0).use("verifyPatientIdentity", args));
    counted.set(as, countOf(tried));
    return tried.answer;
  };
  const [child] = t.platform.clinics[0].sandbox.children;
  if (!child) throw new Error("The sandbox has no child");
  const { given, family, birthDate, phone, parent } = child;
  const forChild = await use("verifyPatientIdentity for a child", {
    ...{ firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone },
    ...{ callingFor: "child", callerName: parent.name, callerPhone: parent.phone },
  });
  return forChild.ok ? use("verifyPatientIdentity", t.claimOf(patient)) : forChild;
};

type Chart = Record<"conditions" | "allergies" | "vitals" | "labs" | "medications" | "missing" | "notSupported", unknown[] | undefined>;

const counted = new Map<string, Counted>();
let changes = 0;
const trials: Record<string, Trial> = {
  verifyPatientIdentity: trial<{ verified: boolean }>(verify, ({ verified }) => verified),
  getPatientInfo: trial<{ firstName: string }>(
    (_t, caller) => caller.use("getPatientInfo"),
    ({ firstName }) => firstName !== "",
  ),
  createPatientFhir: trial(
    (t, _caller, server) =>
      t.phone(0).use("createPatientFhir", {
        ...{ firstName: "Newly", lastName: `Arrived${server}`, dateOfBirth: "1988-02-03", phoneNumber: "617 555 0177", gender: "female" },
        ...{ street: "12 Sample Street", city: "Sampleton", state: "MA", zipCode: "02199" },
      }),
    (_output, requests) => wrote(requests, "create Patient"),
  ),
  updatePatientFhir: trial(
    // Not a contact that gets messages, since those are held back after a change
    (_t, caller) => caller.use("updatePatientFhir", { phoneNumber: `+1617557${1000 + ++changes}`, phoneType: "work" }),
    (_output, requests) => wrote(requests, "update Patient", "patch Patient"),
  ),
  scheduleAppointment: trial<{ result: string }>(schedule, ({ result }) => result === "booked" || result === "requested"),
  getPatientClinicalData: trial<Chart>(
    (_t, caller) => caller.use("getPatientClinicalData"),
    ({ conditions, allergies, vitals, labs, medications, missing, notSupported }) =>
      [conditions, allergies, vitals, labs, medications].every(some) && !some(missing) && !some(notSupported),
  ),
  getMedicationHistoryFhir: trial<{ medications: unknown[]; missing: unknown[] }>(
    (_t, caller) => caller.use("getMedicationHistoryFhir"),
    ({ medications, missing }) => some(medications) && !some(missing),
  ),
  sendCommunicationFhir: trial(
    (_t, caller) => caller.use("sendCommunicationFhir", { category: "callback_request", message: "Please call me back." }),
    (_output, requests) => wrote(requests, "create Communication"),
  ),
  sendSMS: trial<{ sent: boolean }>(
    (_t, caller) => caller.use("sendSMS", { purpose: "follow_up" }),
    ({ sent }) => sent,
  ),
  sendEmail: trial<{ sent: boolean }>(
    (_t, caller) => caller.use("sendEmail", { purpose: "follow_up" }),
    ({ sent }) => sent,
  ),
  verifyInsurance: trial<{ coverages: unknown[] }>(
    (_t, caller) => caller.use("verifyInsurance"),
    ({ coverages }) => some(coverages),
  ),
  logRoutingEvent: trial<{ outcome: string }>(
    (t) => t.phone(0).use("logRoutingEvent", { reason: "billing", outcome: "voicemail" }),
    ({ outcome }) => outcome === "voicemail",
  ),
  getOfficeInfo: trial<{ answers: unknown[] }>(
    (t) => t.phone(0).use("getOfficeInfo", { topic: "hours" }),
    ({ answers }) => some(answers),
  ),
  getFhirProviders: trial<{ providers: unknown[] }>(
    (t) => t.phone(0).use("getFhirProviders", { name: "Larkmere" }),
    ({ providers }) => some(providers),
  ),
};

function supportIn({ answer, requests }: Tried, { shows }: Trial): Support {
  if (!answer.ok) return answer.code === "ehr_unsupported" ? "no" : `failed: ${answer.code ?? "without a code"}`;
  if (!shows(answer.output as never, requests)) return "failed: it says yes, and nothing shows for it";
  return outputOf(answer)?.result === "requested" ? "proposed" : "yes";
}

/** Always open, so that messages are sent at once, with a sender. */
const openOffices = (t: Tools): Promise<void> =>
  t.context(0).store.commit(
    [
      update<TenantRow>(keys.tenantConfig(), {
        set: {
          contactPreferences: {
            ...{ defaultMethod: "sms", emailEnabled: true, smsEnabled: true, phoneEnabled: true },
            businessHours: { start: "00:00", end: "24:00", timezone: "America/New_York" },
          },
        },
      }),
    ],
    { category: "configuration_change", action: "tenant.update", resourceType: "Tenant" },
  );

export async function startMatrix(): Promise<Tools> {
  process.env["MAIL_FROM"] = "Vitaline <no-reply@mail.example>";
  process.env["SMS_ORIGINATION"] = "arn:aws:sms-voice:us-east-1:000000000000:phone-number/matrix";
  const t = await startTools();
  await openOffices(t);
  return t;
}

export async function tryServer(
  t: Tools,
  server: EhrServer,
): Promise<{ support: Record<string, Support>; counts: Record<string, Counted> }> {
  await t.connect(0, server);
  const word = nameOf(server).replace(/\W/g, "");
  const support: Record<string, Support> = {};
  const counts: Record<string, Counted> = {};
  for (const name of Object.keys(tools)) {
    const one = trials[name];
    const patient = rotatingTools.has(name) ? patientAt(server) : rich;
    const caller = await t.verified(0, patient, 2);
    if (!one) {
      support[name] = "failed: it has no trial";
      continue;
    }
    counted.clear();
    const attempt = () => asked(t, () => one.try(t, caller, word, patient));
    const tried = await attempt();
    support[name] = supportIn(tried, one);
    // The first one probes what the server supports
    if (counted.size === 0) counted.set(name, countOf(tools[name]?.annotations.readOnlyHint ? await attempt() : tried));
    for (const [of, count] of counted) counts[of] = count;
  }
  return { support, counts };
}

/** `tell` is called after each server. */
export async function tryAll(tell: (server: string) => void = () => {}): Promise<{ matrix: Matrix; counts: Counts }> {
  const t = await startMatrix();
  try {
    const [matrix, counts]: [Matrix, Counts] = [{}, {}];
    for (const server of servers) {
      const tried = await tryServer(t, server);
      matrix[nameOf(server)] = tried.support;
      counts[nameOf(server)] = tried.counts;
      tell(nameOf(server));
    }
    return { matrix, counts };
  } finally {
    await t.close();
  }
}
