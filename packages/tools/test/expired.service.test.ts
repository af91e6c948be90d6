import { randomUUID } from "node:crypto";
import { keys, remove } from "@vitaline/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countBooking } from "../scheduling/appointments.ts";
import { startTools, type Tools } from "./tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());

const hour = 3_600_000;
const claim = () => t.claimOf(0);
const stranger = () => ({
  firstName: "Zuleika",
  lastName: `Later${randomUUID().replaceAll(/[^a-z]/g, "")}`,
  dateOfBirth: "1985-03-04",
  phoneNumber: "6175550199",
});

describe("a call that goes on after its identity has ended", () => {
  it("C01: gets no identity back by a new patient's registration, though the row was not deleted yet", async () => {
    const caller = await t.verified(0, 0, 2);
    expect(await caller.use("getPatientInfo")).toMatchObject({ ok: true });
    expect(await caller.use("getPatientInfo", {}, { laterMs: 5 * hour })).toMatchObject({ ok: false, code: "identity_required" });
    expect(await caller.use("createPatientFhir", stranger(), { laterMs: 5 * hour })).toMatchObject({ ok: true });
    for (const tool of ["getPatientInfo", "getPatientClinicalData"])
      expect(await caller.use(tool, {}, { laterMs: 5 * hour })).toMatchObject({ ok: false, code: "identity_required" });
    expect(await t.context(0, { laterMs: 5 * hour }).store.get(keys.callState(caller.callKey))).not.toHaveProperty("patientId");
  });

  it("C01: keeps its identity no longer because of what else happens in it", async () => {
    const caller = await t.verified(0, 0);
    expect(await caller.use("createPatientFhir", stranger(), { laterMs: 3 * hour })).toMatchObject({ ok: true });
    expect(await caller.use("getPatientInfo", {}, { laterMs: 3.9 * hour })).toMatchObject({ ok: true });
    expect(await caller.use("getPatientInfo", {}, { laterMs: 4.1 * hour })).toMatchObject({ ok: false, code: "identity_required" });
    expect(await caller.use("verifyPatientIdentity", { zipCode: "02118" }, { laterMs: 4.1 * hour })).toMatchObject({ ok: false });
    expect(await caller.use("verifyPatientIdentity", claim(), { laterMs: 4.1 * hour })).toMatchObject({ ok: true });
    expect(await caller.use("getPatientInfo", {}, { laterMs: 5 * hour })).toMatchObject({ ok: true });
  });
});

describe.each([5, 25, 47])("%i hours later, with the expired rows still there", (hours) => {
  const later = { laterMs: hours * hour };

  it("C05: the right claim after a wrong one is verified", async () => {
    const caller = t.phone(0);
    expect(await caller.use("verifyPatientIdentity", { ...claim(), phoneNumber: "6175550000" })).toMatchObject({ ok: false });
    expect(await caller.use("verifyPatientIdentity", claim(), later)).toMatchObject({ ok: true, output: { attemptsLeft: 3 } });
  });

  it("C05: another new patient is registered in the same call", async () => {
    const caller = t.phone(0);
    expect(await caller.use("createPatientFhir", stranger())).toMatchObject({ ok: true });
    expect(await caller.use("createPatientFhir", stranger())).toMatchObject({ ok: false });
    expect(await caller.use("createPatientFhir", stranger(), later)).toMatchObject({ ok: true });
  });
});

it("C05: a request of an id that was used a day before is a new request", async () => {
  const caller = await t.verified(0, 0, 2);
  const toolCallId = randomUUID();
  const said = { reason: "question", message: "Please call me back." };
  expect(await caller.use("sendCommunicationFhir", said, { toolCallId })).toMatchObject({ ok: true });
  const later = { laterMs: 25 * hour };
  expect(await caller.use("verifyPatientIdentity", { ...claim(), zipCode: t.patients[0]!.zip }, later)).toMatchObject({ ok: true });
  expect(await caller.use("sendCommunicationFhir", said, { toolCallId, ...later })).toMatchObject({ ok: true });
});

it("C05: releasing after the row has expired creates no row without an expiry", async () => {
  const caller = await t.verified(0, 0);
  const { release: giveBack } = await countBooking({
    ctx: t.context(0),
    call: caller.call("scheduleAppointment", {}),
    state: await caller.state(),
    executionKey: randomUUID(),
  });
  await t.context(0).store.writeUnaudited(remove(keys.callState(caller.callKey)));
  await giveBack();
  expect(await caller.state()).toBeUndefined();
});
