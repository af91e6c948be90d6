import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "../../packages/local-cloud/platform.ts";
import { defaultSeed, demoPatient } from "../../packages/sandbox-ehr/seed/index.ts";
import { generatePatients } from "../../packages/sandbox-ehr/seed/patients.ts";
import { type Answer, apiOf, type Json, tokenFrom } from "../kit/api.ts";
import { type Line, openLine } from "../kit/line.ts";
import { type DemoTenant, type Login, tenantFactory } from "../kit/tenant.ts";

export type Call = { tenant: DemoTenant; callKey: string; patientId: string; appointmentId?: string };

const writers = 8;
const secretClient = { clientId: "drill", secret: "the drill's client secret" };

/** Adults, each of whom may book by phone. */
export const callers = generatePatients(defaultSeed)
  .filter(({ active, deceasedBoolean }) => active && !deceasedBoolean)
  .slice(0, 40)
  .map(demoPatient);

/** Organizations with their administrators, through the product's API alone. */
export async function openClinics(platform: Platform, dataDir: string, count: number) {
  const place = { platform, dataDir, root: { email: "root@drill.example", password: "" }, patients: { taken: 0 } };
  const { demo, newUser } = await tenantFactory(place, { tenants: count });
  const api = apiOf(platform.origin);
  const tokens = new Map<string, Promise<string>>();
  const signIn = ({ email, password }: Login) => tokenFrom(api)(email, password);
  const ask = async (login: Login, method: string, route: string, body?: object): Promise<Answer<Json>> => {
    const token = tokens.get(login.email) ?? signIn(login);
    tokens.set(login.email, token);
    return api(method, route, { token: await token, ...(body && { body }) });
  };
  const done = async (...asked: Parameters<typeof ask>): Promise<Json> => {
    const { status, json, text } = await ask(...asked);
    if (status >= 300) throw new Error(`${asked[1]} ${asked[2]}: ${status} ${text}`);
    return json as Json;
  };
  return { tenants: demo.tenants, admins: [demo.systemAdmin, await newUser()] as const, api, signIn, ask, done };
}
export type Clinics = Awaited<ReturnType<typeof openClinics>>;

/** Calls through the voice platform's webhook, several at once. */
export async function makeCalls(
  { api }: Clinics,
  plans: readonly { tenant: DemoTenant; caller: number; books: boolean }[],
): Promise<Call[]> {
  const calls: Call[] = [];
  const waiting = [...plans.entries()];
  const write = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, { tenant, caller: number, books }] = next;
      const caller = callers[number]!;
      const line = openLine(api, tenant.apiKey, caller);
      const { found, speech } = await line.verify();
      if (found?.verified !== true) throw new Error(`${caller.given} ${caller.family} was not identified: ${speech}`);
      const appointmentId = books ? await book(line, at) : undefined;
      const artifact = { transcript: `User: This is ${caller.given} ${caller.family}.`, messages: [] };
      const ended = await line.end({ artifact, analysis: { summary: summaryOf(line), successEvaluation: "true" } });
      if (ended.status !== 200) throw new Error(`The end of a call was not recorded: ${ended.status}`);
      calls.push({ tenant, callKey: line.callKey, patientId: caller.id, ...(appointmentId && { appointmentId }) });
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return calls;
}

const summaryOf = ({ callKey }: Pick<Call, "callKey">): string => `The summary of ${callKey}`;

async function book(line: Line, nth: number): Promise<string> {
  for (let tries = 0; tries < 10; tries++) {
    const { found } = await line.find();
    const slots = found?.slots ?? [];
    const slot = slots[(nth + tries) % slots.length];
    const booked = slot && (await line.book(slot.slotId));
    if (booked?.ok && booked.found?.appointment) return booked.found.appointment.appointmentId;
  }
  throw new Error("A caller found no free time that could be booked.");
}

/** A call's text, which is in the files bucket. */
export async function textOf({ ask }: Clinics, { tenant, callKey }: Call): Promise<"read" | "missing" | "unreadable"> {
  const { status, json } = await ask(tenant.admin, "GET", `/api/tenant/calls/${callKey}`);
  if (status === 404) return "missing";
  return status === 200 && json.summary === summaryOf({ callKey }) && json.transcript !== null ? "read" : "unreadable";
}

type Subject = { patientId: string } | "all of it";

/** Asks for an erasure, has the other administrator approve it, and waits until it has ended, or its first pass has deleted rows. */
export async function erase(
  { admins: [one, other], done }: Clinics,
  tenant: DemoTenant,
  subject: Subject,
  end: "done" | "begun",
): Promise<void> {
  const { id, fhirProviderId } = tenant;
  if (subject === "all of it") {
    const { name, contactEmail, organizationType } = await done(one, "GET", `/api/admin/tenants/${id}`);
    await done(one, "PUT", `/api/admin/tenants/${id}`, { name, contactEmail, organizationType, isActive: false });
  }
  const wanted =
    subject === "all of it"
      ? { kind: "tenant", confirmName: tenant.name, reason: "contract_ended" }
      : { kind: "patient", fhirProviderId, ...subject, reason: "patient_request" };
  const { id: erasureId } = await done(one, "POST", `/api/admin/tenants/${id}/erasures`, wanted);
  await done(other, "POST", `/api/admin/erasures/${erasureId}/approve`);
  let before = 0;
  await until(`an erasure is ${end}`, async () => {
    const { status, erased } = await done(one, "GET", `/api/admin/erasures/${erasureId}`);
    if (end === "done") return status === "done";
    const last = before;
    before = Object.values((erased ?? {}) as Record<string, number>).reduce((sum, count) => sum + count, 0);
    return status === "erasing" && before > 0 && before === last;
  });
}

const patience = 60_000;

export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const endsAt = Date.now() + patience; !(await isSo()); await sleep(200))
    if (Date.now() > endsAt) throw new Error(`A minute later it is still not so that ${what}.`);
}

/** An EHR connection with a client secret, which is in Secrets Manager and survives the table. */
export async function connect({ admins: [admin], done }: Clinics, { sandbox }: Platform, name: string): Promise<string> {
  const { baseUrl, tokenUrl } = sandbox.r4;
  const client = { clientAuth: "client_secret", clientId: secretClient.clientId, clientSecret: secretClient.secret };
  const body = { name, providerType: "custom", fhirVersion: "R4", baseUrl, tokenUrl, scopes: sandbox.client.scopes, ...client };
  return (await done(admin, "POST", "/api/admin/fhir/providers", body)).id as string;
}

export async function connectionWorks({ admins: [admin], done }: Clinics, { sandbox }: Platform, id: string): Promise<boolean> {
  sandbox.registerClient({ ...secretClient, scopes: sandbox.client.scopes });
  const patientId = callers[0]!.id;
  return (await done(admin, "POST", `/api/admin/fhir/providers/${id}/test`, { patientId })).success === true;
}
