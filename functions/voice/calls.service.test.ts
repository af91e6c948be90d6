import { openEhr, type Ehr } from "@vitaline/fhir-providers";
import { keys, type AuditRow, type CallRow } from "@vitaline/store";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import type { Appointment, Slot } from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { replay, runCall, type FinishedCall } from "../../test/call/run-call.ts";
import type { ScenarioName } from "../../test/call/scenarios.ts";
import { startClinics, type Clinic, type Clinics } from "./clinics.fixture.ts";

vi.setConfig({ testTimeout: 30_000 });

let town: Clinics;
let one: Clinic;
let two: Clinic;
beforeAll(async () => {
  town = await startClinics();
  [one, two] = town.clinics;
}, 60_000);
afterAll(() => town.close());
beforeEach(() => void vi.spyOn(process.stdout, "write").mockImplementation(() => true));
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(town.clinics.map(({ sandbox }) => fetch(`${sandbox.origin}/faults`, { method: "DELETE" })));
});

const phone = ({ apiKey, sandbox }: Clinic, scenario: ScenarioName, patient = 0) =>
  runCall({ origin: town.origin, apiKey, platform: "vapi", scenario, patient: sandbox.patients[patient]! });
const ehrOf = async ({ ctx }: Clinic): Promise<Ehr> => openEhr(town.aws.platform(), (await ctx.store.get(keys.tenantConfig()))!);
const callOf = ({ ctx }: Clinic, { callId }: FinishedCall) => ctx.store.get<CallRow>(keys.call(keys.callKeyOf("vapi", callId)));
const auditsOf = async ({ ctx }: Clinic): Promise<AuditRow[]> => {
  const month = new Date().toISOString().slice(0, 7);
  const pages = await Promise.all(
    (["patient_access", "api_call"] as const).map((category) =>
      ctx.store.query<AuditRow>(tenantPartitions.audit(ctx.tenantId, month, category)),
    ),
  );
  return pages.flatMap(({ rows }) => rows);
};
const appointmentsOf = async (clinic: Clinic, patient: number): Promise<Appointment[]> =>
  (await ehrOf(clinic)).search<Appointment>("Appointment", { patient: `Patient/${clinic.sandbox.patients[patient]!.id}` });
const toolsOf = ({ moments }: FinishedCall) =>
  moments.flatMap((moment) => (moment.kind === "tool" ? [`${moment.tool} ${moment.ok ? "ok" : "no"}`] : []));
/** Everything that the clinic's staff can see of the call. */
const sightOf = async (clinic: Clinic, patient: number, call: FinishedCall) => ({
  call: await callOf(clinic, call),
  audits: await auditsOf(clinic),
  appointments: await appointmentsOf(clinic, patient),
});

it("a call books an appointment, and sending all its requests again changes nothing", async () => {
  const call = await phone(one, "book", 0);
  expect(toolsOf(call)).toEqual(["verifyPatientIdentity ok", "scheduleAppointment ok", "scheduleAppointment ok"]);
  const [change] = call.changes;
  const ehr = await ehrOf(one);
  const appointment = await ehr.read<Appointment>("Appointment", change!.appointmentId);
  const slot = await ehr.read<Slot>("Slot", appointment.slot![0]!.reference!.slice("Slot/".length));
  expect([change?.what, appointment.status, slot.status]).toEqual(["booked", "booked", "busy"]);
  expect(await callOf(one, call)).toMatchObject({
    status: "completed",
    success: true,
    forwarded: false,
    direction: "inbound",
    endedReason: "customer-ended-call",
  });

  const before = await sightOf(one, 0, call);
  const again = await replay(call);
  expect(again.map(({ status }) => status)).toEqual(call.exchanges.map(() => 200));
  expect(await sightOf(one, 0, call)).toEqual(before);
});

it("a call for one clinic leaves the other as it was", async () => {
  const before = [await auditsOf(one), await appointmentsOf(one, 1)];
  const call = await phone(two, "book", 1);
  expect(call.changes).toHaveLength(1);
  expect([await auditsOf(one), await appointmentsOf(one, 1)]).toEqual(before);
  expect(await callOf(one, call)).toBeUndefined();
});

it("with the EHR down the caller hears an apology and nothing is booked", async () => {
  await fetch(`${one.sandbox.origin}/faults`, { method: "POST", body: JSON.stringify({ kind: "down" }) });
  const call = await phone(one, "book", 2);
  const apologies = call.moments.flatMap((moment) => (moment.kind === "tool" ? [moment.speech] : []));
  expect(apologies).toEqual([
    expect.stringMatching(
      /^I'm sorry, I'm having trouble reaching the clinic's record system right now\. Please try again in a few minutes\./,
    ),
  ]);
  expect(call.changes).toEqual([]);
  expect(
    (await auditsOf(one)).filter(({ detail, callKey }) => detail?.["booked"] && callKey === keys.callKeyOf("vapi", call.callId)),
  ).toEqual([]);
  expect(await callOf(one, call)).toMatchObject({ status: "completed", success: false });
});

it("a call moves an appointment to another time and cancels the old one", async () => {
  const bookedIds = async () => (await appointmentsOf(one, 3)).flatMap(({ id = "", status }) => (status === "booked" ? [id] : []));
  const before = await bookedIds();
  const call = await phone(one, "reschedule", 3);
  const moved = call.changes.at(-1);
  expect(moved?.what).toBe("rescheduled");
  const after = await bookedIds();
  expect(after).toHaveLength(before.length);
  expect(after.filter((id) => !before.includes(id))).toEqual([moved?.appointmentId]);
});

it("a call cancels an appointment", async () => {
  const call = await phone(one, "cancel", 4);
  const changed = call.changes.at(-1);
  expect(changed?.what).toBe("cancelled");
  expect(await (await ehrOf(one)).read<Appointment>("Appointment", changed!.appointmentId)).toMatchObject({ status: "cancelled" });
});

it("a caller who only knows a patient's name learns nothing", async () => {
  const call = await phone(one, "wrong-person", 5);
  expect(toolsOf(call)).toEqual(["verifyPatientIdentity no", "getPatientInfo no"]);
  const said = JSON.stringify(call.exchanges.map(({ answer }) => answer));
  for (const secret of Object.values(one.sandbox.patients[5]!)) expect(said).not.toContain(secret);
});

it("a transferred call is recorded as forwarded", async () => {
  const call = await phone(one, "transfer", 0);
  expect(await callOf(one, call)).toMatchObject({ status: "completed", forwarded: true, endedReason: "assistant-forwarded-call" });
});

it("a call that is not answered ends with one clear sentence", async () => {
  const { apiKey, sandbox } = one;
  const callInput = { apiKey, platform: "vapi" as const, scenario: "book" as const, patient: sandbox.patients[0]! };
  await expect(runCall({ ...callInput, origin: "http://127.0.0.1:9" })).rejects.toThrow(
    "Nothing answers at http://127.0.0.1:9: is the platform running? Start it with `npm start`.",
  );
  await expect(runCall({ ...callInput, apiKey: "wrong", origin: town.origin })).rejects.toThrow("/api/vapi/server answered 401");
});
