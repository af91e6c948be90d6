import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { defaultSeed, demoPatient } from "../../packages/sandbox-ehr/seed/index.ts";
import { generatePatients } from "../../packages/sandbox-ehr/seed/patients.ts";
import type { Demo } from "../../packages/local-cloud/demo/file.ts";
import { openLine, type Line, type ToolResult } from "../kit/line.ts";
import { apiOf, type Api, type Answer } from "../kit/api.ts";

/** Without `requestId` no answer came, so the act may or may not have happened. */
export type Act = { what: string; requestId?: string };
type Named = { id: string; name: string };
export type KeyRing = { tenantId: string; name: string; token: string; current: string; retired: string[]; unanswered: boolean };
export type MadeCall = {
  tenant: number;
  callId: string;
  callKey: string;
  ended: boolean;
  reported: boolean;
  booking?: Booking;
  patient: number;
};
export type Booking = { slotId: string; toolCallId: string; answer?: ToolResult };

export type Accepted = {
  acts: Act[];
  users: { id: string; email: string; password: string }[];
  offices: (Named & { tenantId: string })[];
  tenants: (Named & { apiKey: string })[];
  rings: KeyRing[];
  calls: MadeCall[];
};

export const emptyAccepted = (): Accepted => ({ acts: [], users: [], offices: [], tenants: [], rings: [], calls: [] });

type Stage = { origin: string; demo: Demo; admin: string; accepted: Accepted; isOver(): boolean; isNearEnd(): boolean };

/** Without it the writers beside the calls fill the table, which each check reads whole. Not before the end, which comes in a write. */
const pauseMs = 150;

async function repeatUntil({ isOver, isNearEnd }: Stage, work: (at: number) => Promise<void>, pause = pauseMs): Promise<void> {
  for (let at = 0; !isOver(); at++) {
    try {
      await work(at);
      if (!isNearEnd()) await wait(pause);
    } catch (error) {
      if (isOver() || isCut(error)) return;
      throw error;
    }
  }
}

/** undici reports a cut connection as a TypeError. */
const isCut = (error: unknown): boolean => error instanceof TypeError;

/** Records an act before sending it, and its request id after it was accepted. */
async function act<T>({ accepted }: Stage, what: string, send: () => Promise<Answer<T>>): Promise<T> {
  const noted: Act = { what };
  accepted.acts.push(noted);
  const { status, headers, json, text } = await send();
  if (status >= 300) throw new Error(`${what} answered ${status} ${text}`);
  noted.requestId = headers.get("x-request-id") ?? "";
  return json;
}

export function writeUntilOver(stage: Stage): Promise<unknown> {
  const { origin, demo, accepted } = stage;
  const api = apiOf(origin);
  return Promise.all([
    repeatUntil(stage, (at) => createUser(stage, api, at)),
    repeatUntil(stage, (at) => createOffice(stage, api, at)),
    repeatUntil(stage, () => createTenant(stage, api)),
    ...accepted.rings.map((ring) => repeatUntil(stage, () => rotate(stage, api, ring))),
    ...demo.tenants.map((_, tenant) => repeatUntil(stage, (at) => makeCall(stage, api, tenant, at), 0)),
  ]);
}

/** Adult patients, enough that each books only a few times. */
const callers = generatePatients(defaultSeed).slice(0, 48).map(demoPatient);

const word = (): string => randomUUID().slice(0, 8);

async function createUser(stage: Stage, api: Api, at: number): Promise<void> {
  const { admin: token, demo, accepted } = stage;
  const tenantId = demo.tenants[at % 3]?.id;
  const login = { email: `user-${randomUUID()}@crash.example`, password: `pass-${randomUUID()}` };
  const body = {
    ...login,
    firstName: "Una",
    lastName: word(),
    ...(tenantId ? { role: "tenant_admin", tenantId } : { role: "system_admin" }),
  };
  const { id } = await act(stage, "user.create", () => api<{ id: string }>("POST", "/api/admin/users", { token, body }));
  accepted.users.push({ id, ...login });
}

async function createOffice(stage: Stage, api: Api, at: number): Promise<void> {
  const { admin: token, demo, accepted } = stage;
  const tenantId = demo.tenants[at % demo.tenants.length]?.id ?? "";
  const body = { name: `Office ${randomUUID()}` };
  const office = await act(stage, "office.create", () => api<Named>("POST", `/api/admin/tenants/${tenantId}/offices`, { token, body }));
  accepted.offices.push({ ...office, tenantId });
}

async function createTenant(stage: Stage, api: Api): Promise<void> {
  const { admin: token, accepted } = stage;
  const body = { name: `Clinic ${randomUUID()}`, contactEmail: "desk@crash.example" };
  accepted.tenants.push(
    await act(stage, "tenant.create", () => api<Named & { apiKey: string }>("POST", "/api/admin/tenants", { token, body })),
  );
}

async function rotate(stage: Stage, api: Api, ring: KeyRing): Promise<void> {
  ring.unanswered = true;
  const { token } = ring;
  const { apiKey } = await act(stage, "apiKey.rotate", () =>
    api<{ apiKey: string }>("POST", "/api/tenant/regenerate-api-key", { token, body: {} }),
  );
  ring.retired.push(ring.current);
  ring.current = apiKey;
  ring.unanswered = false;
}

async function makeCall(stage: Stage, api: Api, tenant: number, at: number): Promise<void> {
  const { demo, accepted } = stage;
  const patient = (at + accepted.calls.length) % callers.length;
  const line = lineOf(demo, api, { tenant, patient });
  const call: MadeCall = { tenant, patient, callId: line.callId, callKey: line.callKey, ended: false, reported: false };
  accepted.calls.push(call);
  const tool = async (run: () => Promise<ToolResult>): Promise<ToolResult> => {
    let result: ToolResult | undefined;
    const asAnswer = async (): Promise<Answer<ToolResult>> => {
      result = await run();
      return { ...result, headers: new Headers({ "x-request-id": result.requestId }), json: result };
    };
    return act(stage, "tool", asAnswer);
  };
  await line.tell({ type: "status-update", status: "in-progress" });
  // A killed process may hold the lock for an EHR token for some seconds
  const verified = await tool(() => line.verify());
  const slot = (await tool(() => line.find())).found?.slots?.[tenant];
  if (verified.ok && slot) {
    const booking: Booking = { slotId: slot.slotId, toolCallId: `call_${randomUUID()}` };
    call.booking = booking;
    booking.answer = await tool(() => line.book(booking.slotId, booking.toolCallId));
  }
  await line.tell({ type: "status-update", status: "ended", endedReason: "customer-ended-call" });
  call.ended = true;
  await line.end();
  call.reported = true;
}

/** Continues a call's line on a restarted platform. */
export function lineOf(
  demo: Demo,
  api: Api,
  { tenant, patient, callId }: Pick<MadeCall, "tenant" | "patient"> & { callId?: string },
): Line {
  const [office, caller] = [demo.tenants[tenant], callers[patient]];
  if (!office || !caller) throw new Error("There is no such tenant or patient");
  return openLine(api, office.apiKey, caller, callId);
}
