import { randomUUID } from "node:crypto";
import { type Deadline, deadlineIn, type Log } from "@vitaline/core";
import type { ResourceType } from "@vitaline/fhir";
import { closeCircuits, type Ehr, openEhr, type PrefetchedEhr, prefetchEhr } from "@vitaline/fhir-providers";
import { type AuditRow, type CallStateRow, keys, remove, type TenantRow, update } from "@vitaline/store";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import type { Appointment, FhirResource, Schedule, Slot } from "fhir/r4.js";
import { byClock } from "../../../test/kit/aws.ts";
import { executionKeyIn, type TimeLimits } from "../sdk/run.ts";
import { scopedHash } from "../sdk/keyed-hash.ts";
import { runTool, type ToolAnswer, type ToolCall, type ToolContext, loadTools } from "../index.ts";
import { connect, type EhrServer, startPlatform } from "./platform.fixture.ts";
import { requestKeyOf } from "../engine/idempotency/request-row.ts";

const tools = await loadTools();

/** The first reads of a run: the tenant and the call, and beside them the rows of its EHR. */
export const atOnce = ["BatchGetItem", "BatchGetItem"] as const;

export type Which = 0 | 1;
/**
 * `without`: resource types that the EHR claims not to have. `isUndated`: a resource that it reads has no meta.lastUpdated. `deadline`: in
 * place of one that passes, `deadlineMs` from now.
 */
type Moment = {
  laterMs?: number;
  deadlineMs?: number;
  deadline?: Deadline;
  timeLimits?: TimeLimits;
  log?: Log;
  without?: readonly ResourceType[];
  isUndated?: boolean;
};

const lacking = (ehr: Ehr, types: readonly ResourceType[]): Ehr => ({
  ...ehr,
  capability: async (options) => {
    const capability = await ehr.capability(options);
    return { ...capability, supports: (type, interaction) => !types.includes(type) && capability.supports(type, interaction) };
  },
});

const undated = (ehr: Ehr): Ehr => ({
  ...ehr,
  read: async <T extends FhirResource>(...asked: Parameters<Ehr["read"]>) => {
    const { meta: { lastUpdated: _lastUpdated, ...meta } = {}, ...resource } = await ehr.read<T>(...asked);
    return { ...resource, meta } as T;
  },
});

/** A busy machine does not end a run that no test wants to end. */
const unhurried: TimeLimits = { answerMs: 60_000, writeMs: 30_000 };

/**
 * Two tenants with an EHR each (the sandbox's plain R4 server by default), and phones that call them. Once per process; use `connect` for
 * other servers.
 */
export async function startTools({ server }: { server?: EhrServer } = {}) {
  const platform = await startPlatform(server);
  const lines: { event: string; fields: Record<string, unknown> }[] = [];
  const log: Log = (_level, event, fields = {}) => void lines.push({ event, fields });
  const providers = platform.clinics.map(({ providerId }) => providerId);

  const context = (
    which: Which,
    {
      laterMs = 0,
      deadlineMs,
      deadline = deadlineIn(deadlineMs ?? 60_000),
      timeLimits = deadlineMs === undefined ? unhurried : undefined,
      log: ownLog = log,
      without = [],
      isUndated = false,
    }: Moment = {},
  ): ToolContext => {
    const { tenantId: id } = platform.clinics[which];
    const clock = () => new Date(Date.now() + laterMs);
    const tenant = platform.aws.inTenant(id, { kind: "api_key", id: "key1", tenantId: id });
    const own = byClock({ ...tenant, log: ownLog, deadline }, clock);
    const reaching = { ...platform.ctx, requestId: own.requestId, log: ownLog, deadline: own.deadline };
    let prefetched: PrefetchedEhr | undefined;
    return {
      ...own,
      ...(timeLimits ? { timeLimits } : {}),
      prefetchEhr: async (options) => void (prefetched = await prefetchEhr(reaching, id, options)),
      openEhr: async (tenant, options) => {
        const ehr = lacking(await openEhr(reaching, tenant, { ...options, prefetched }), without);
        return isUndated ? undated(ehr) : ehr;
      },
    };
  };

  const phone = (
    which: Which,
    callerNumber: string | undefined = `+1617555${String(Math.floor(Math.random() * 1e4)).padStart(4, "0")}`,
  ) => {
    const callId = randomUUID();
    const callKey = keys.callKeyOf("vapi", callId);
    const call = (name: string, args: unknown, toolCallId: string | undefined = randomUUID()): ToolCall => ({
      platform: "vapi",
      callId,
      callKey,
      callerNumber,
      toolCallId,
      name,
      args,
    });
    return {
      callKey,
      call,
      use: (name: string, args: unknown = {}, more: Moment & { toolCallId?: string } = {}): Promise<ToolAnswer> =>
        runTool(context(which, more), call(name, args, more.toolCallId)),
      state: () => context(which).store.get<CallStateRow>(keys.callState(callKey)),
      hangUp: () =>
        context(which).store.writeUnaudited(
          update<CallStateRow>(keys.callState(callKey), { set: { callEndedAt: new Date().toISOString() }, setOnce: { level: 0 } }),
        ),
    };
  };

  /** Slots unused by tests, from the end of the calendar; offers start at the other end. */
  const unused: [string[], string[]] = [[], []];
  const unusedSlots = async (which: Which, count: number): Promise<string[]> => {
    if (unused[which].length === 0) {
      const slots = await (
        await ehr(which)
      ).search<Slot>("Slot", { status: "free", _sort: "start", _count: "200" }, { maxResources: 3000 });
      const held = await (await ehr(which)).search<Appointment>("Appointment", { status: "booked" }, { maxResources: 3000 });
      const known = held.filter(({ participant }) =>
        participant.some(({ actor }) => patients.some(({ id }) => actor?.reference?.endsWith(id))),
      );
      const times = new Set(known.map(({ start = "" }) => Date.parse(start)));
      const schedules = await (await ehr(which)).search<Schedule>("Schedule", {}, { maxResources: 1000 });
      const doctors = new Map(schedules.map(({ id, actor }) => [`Schedule/${id}`, actor.map(({ reference }) => reference)]));
      const busy = new Set(held.flatMap(({ start, participant }) => participant.map(({ actor }) => `${actor?.reference} ${start}`)));
      const isBusy = ({ start, schedule: { reference = "" } }: Slot) =>
        doctors.get(reference)?.some((doctor) => doctor?.startsWith("Practitioner/") && busy.has(`${doctor} ${start}`));
      // Slots do not overlap each other or a patient's appointment.
      const apart = slots.toReversed().reduce<Slot[]>((kept, slot) => {
        const before = kept.at(-1);
        const isFree = !isBusy(slot) && [...times].every((time) => Math.abs(time - Date.parse(slot.start)) >= 3_600_000);
        return isFree && (!before || Date.parse(slot.end) <= Date.parse(before.start)) ? [...kept, slot] : kept;
      }, []);
      unused[which] = apart.toReversed().flatMap(({ id }) => id ?? []);
    }
    const handedOut = unused[which].splice(-count);
    await unlock(
      which,
      handedOut.map((slotId) => ({ slotId })),
    );
    return handedOut;
  };

  const unlock = async (which: Which, slots: readonly { slotId: string }[]): Promise<void> => {
    const client = await ehr(which);
    for (const { slotId } of slots) await client.clearSlotLock(slotId, undefined);
  };

  const tenantRow = async (which: Which): Promise<TenantRow> => {
    const row = await context(which).store.get<TenantRow>(keys.tenantConfig());
    if (!row) throw new Error("There is no such tenant");
    return row;
  };
  const ehr = async (which: Which): Promise<Ehr> =>
    openEhr({ ...platform.ctx, deadline: deadlineIn(20_000) }, await tenantRow(which), { scopes: [] });
  const { patients } = platform.clinics[0].sandbox;

  const mostKept = 2;
  /** Cancels all but the newest bookings by phone, since a patient may have five, and make three in a call. */
  const makeRoom = async (which: Which, patientId: string): Promise<void> => {
    const client = await ehr(which);
    if (!(await client.capability()).supports("Appointment", "update")) return;
    const [from, until] = [0, 366].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    const date = [`ge${from}`, `lt${until}`];
    const found = await client.search<Appointment>("Appointment", { patient: `Patient/${patientId}`, date });
    const made = found.filter((one) => one.status === "booked" && executionKeyIn(one) !== undefined);
    const inOrder = made.toSorted((a, b) => (a.meta?.lastUpdated ?? "").localeCompare(b.meta?.lastUpdated ?? ""));
    for (const one of inOrder.slice(0, -mostKept)) {
      await client.update<Appointment>({ ...one, status: "cancelled" });
      for (const { reference = "" } of one.slot ?? []) await client.clearSlotLock(reference.slice("Slot/".length), undefined);
    }
  };

  const asked = async <T>(work: () => Promise<T>): Promise<{ answer: T; requests: string[]; pages: number; again: number }> => {
    const before = lines.length;
    const answer = await work();
    const calls = lines.slice(before).flatMap(({ event, fields }) => (event === "ehr.call" ? [fields] : []));
    const first = calls.filter(({ page }) => page === undefined);
    const requests = first.map(({ operation }) => String(operation)).filter((operation) => operation !== "token");
    const again = first.filter(({ attempt }) => Number(attempt) > 1).length;
    return { answer, requests: requests.toSorted(), pages: calls.length - first.length, again };
  };

  return {
    platform,
    providers,
    /** Connects the tenant to another server over the same records; earlier verifications end. */
    connect: (which: Which, server: EhrServer): Promise<string> => connect(platform.ctx, platform.clinics[which], server),
    lines,
    context,
    phone,
    requestKey: async (which: Which, call: ToolCall): Promise<string> =>
      requestKeyOf(call, call.args, await context(which).store.get<CallStateRow>(keys.callState(call.callKey))),
    ehr,
    unusedSlots,
    unlock,
    patients,
    claimOf: (index: number, factor: "phone" | "zip" | "mrn" = "phone") => {
      const { given, family, birthDate, phone: phoneNumber, zip, mrn } = patients[index]!;
      return {
        firstName: given,
        lastName: family,
        dateOfBirth: birthDate,
        ...(factor === "phone" ? { phoneNumber } : factor === "zip" ? { zipCode: zip } : { medicalRecordNumber: mrn }),
      };
    },
    async audits(which: Which, callKey?: string): Promise<AuditRow[]> {
      const { store, tenantId } = context(which);
      // The month may change during a test.
      const months = new Set([-1, 0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 7)));
      const pages = await Promise.all(
        [...months].flatMap((month) =>
          (["patient_access", "api_call"] as const).map((category) =>
            store.query<AuditRow>(tenantPartitions.audit(tenantId, month, category)),
          ),
        ),
      );
      return pages.flatMap(({ rows }) => rows).filter((row) => callKey === undefined || row.callKey === callKey);
    },
    async appointments(which: Which, patientId: string, status = "booked"): Promise<Appointment[]> {
      const found = await (await ehr(which)).search<Appointment>("Appointment", { patient: `Patient/${patientId}` });
      return found.filter((one) => one.status === status);
    },
    async slot(which: Which, id: string): Promise<Slot> {
      return (await ehr(which)).read<Slot>("Slot", id);
    },
    /** Read and write units of the database. */
    async cost<T>(work: () => Promise<T>): Promise<{ answer: T; reads: number; writes: number; requests: string[]; bill: string }> {
      platform.aws.resetUsage();
      const answer = await work();
      const used = platform.aws.usage();
      return {
        answer,
        reads: used.reduce((sum, { readUnits }) => sum + readUnits, 0),
        writes: used.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
        requests: used.map(({ operation }) => operation),
        bill: used.map(({ operation, readUnits, writeUnits, error = "" }) => `${operation} ${readUnits}/${writeUnits} ${error}`).join(", "),
      };
    },
    /** EHR requests as logged, sorted, without tokens. Nothing else may run in parallel. */
    async ehrRequests<T>(work: () => Promise<T>): Promise<{ answer: T; requests: string[] }> {
      const { answer, requests } = await asked(work);
      return { answer, requests };
    },
    /** Also counts further pages and repeated requests. */
    ehrCost: asked,
    declaredRequests(name: string, args: unknown = {}): string[] {
      const request = tools[name]?.parse(args).request;
      if (!request) throw new Error("There is no such tool, or it cannot run with this");
      return request.requests.toSorted();
    },
    async fault(which: Which, body: object): Promise<void> {
      const { ok } = await fetch(`${platform.clinics[which].sandbox.origin}/faults`, { method: "POST", body: JSON.stringify(body) });
      if (!ok) throw new Error("The sandbox has no such fault");
      // Each request of a test meets the fault, and none the circuit that earlier ones opened.
      await closeCircuits(platform.ctx, providers[which]!);
    },
    heal: () => Promise.all(platform.clinics.map(({ sandbox: { origin } }) => fetch(`${origin}/faults`, { method: "DELETE" }))),
    /** For level 2, by a second factor. */
    async verified(which: Which, index: number, level: 1 | 2 = 1) {
      const caller = phone(which);
      const { id, given, family, birthDate, phone: phoneNumber, zip } = patients[index]!;
      await makeRoom(which, id);
      const claim = { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber };
      const answer = await caller.use("verifyPatientIdentity", level === 2 ? { ...claim, zipCode: zip } : claim);
      if (!answer.ok) throw new Error(`Not verified: ${answer.code}`);
      return { ...caller, patientId: patients[index]!.id };
    },
    async forgetContactChanges(which: Which, patientId: string): Promise<void> {
      const { store, tenantId } = context(which);
      const { providerId } = await ehr(which);
      await store.writeUnaudited(remove(keys.contactChanges(scopedHash("contact-changes", tenantId, [providerId, patientId]))));
    },
    close: platform.close,
  };
}
export type Tools = Awaited<ReturnType<typeof startTools>>;

export type Booked = {
  result: string;
  slots: { slotId: string; start: string }[];
  appointment: { appointmentId: string; start: string; location?: string };
  appointments: { appointmentId: string; start: string; requested?: true }[];
};
export const outputOf = (answer: ToolAnswer): Booked => answer.output as Booked;
