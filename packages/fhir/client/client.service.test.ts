import type { Appointment, Patient, Schedule, Slot } from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { codeOf, openSandbox, type SandboxSession } from "../fhir.fixture.ts";

let ehr: SandboxSession;
let other: SandboxSession;
beforeAll(async () => {
  [ehr, other] = await Promise.all([openSandbox(), openSandbox()]);
});
afterEach(() => ehr.fault({ kind: "none" }));
afterAll(() => Promise.all([ehr.close(), other.close()]));

const bookingOf = (slotId: string, patientId = "patient-1001"): Appointment => ({
  resourceType: "Appointment",
  status: "booked",
  slot: [{ reference: `Slot/${slotId}` }],
  participant: [{ actor: { reference: `Patient/${patientId}` }, status: "accepted" }],
});
const freeSlot = async (session = ehr): Promise<Slot & { id: string }> => {
  const from = new Date(Date.now() + 86_400_000).toISOString();
  const [slot] = await session
    .open()
    .search<Slot>("Slot", { status: "free", start: `ge${from}`, _sort: "start", _count: "1" }, { maxResources: 1 });
  return slot as Slot & { id: string };
};
const statusOf = async (slotId: string): Promise<Slot["status"]> => (await ehr.open().read<Slot>("Slot", slotId)).status;
const appointmentsAt = (slotId: string) => ehr.open().search<Appointment>("Appointment", { slot: `Slot/${slotId}`, status: "booked" });

describe("a FHIR server through our client", () => {
  it("states its capability", async () => {
    const capability = await ehr.open().capability();
    expect([
      capability.supports("Appointment", "create"),
      capability.supports("Slot", "create"),
      capability.supports("Account", "read"),
    ]).toEqual([true, false, false]);
    expect(capability.searchParams("Patient")).toContain("birthdate");
    expect(capability.conditionalCreate("Appointment")).toBe(true);
  });

  it("finds a patient by a caller's details, which appear in no URL or log line", async () => {
    const [wanted] = ehr.sandbox.patients;
    const client = ehr.open();
    const found = await client.search<Patient>("Patient", {
      family: wanted?.family ?? "",
      given: wanted?.given ?? "",
      birthdate: wanted?.birthDate ?? "",
    });
    expect(found.map(({ id }) => id)).toEqual([wanted?.id]);
    expect((await client.read<Patient>("Patient", wanted?.id ?? "")).birthDate).toBe(wanted?.birthDate);
    expect(JSON.stringify(client.context.logged)).not.toMatch(new RegExp([wanted?.family, wanted?.id, wanted?.birthDate].join("|")));
    expect(client.context.logged.map(({ operation }) => operation)).toEqual(expect.arrayContaining(["search Patient", "read Patient"]));
  });

  it("reads all pages, each resource once, up to the limit, with included resources", async () => {
    const all = await ehr.open().search<Patient>("Patient", { _count: "90" }, { maxResources: 1000 });
    expect(new Set(all.map(({ id }) => id)).size).toBe(200);
    expect(await ehr.open().search<Patient>("Patient", { _count: "90" }, { maxResources: 120 })).toHaveLength(120);
    const slots = await ehr
      .open()
      .search<Slot | Schedule>("Slot", { status: "free", _include: "Slot:schedule", _count: "50" }, { maxResources: 10 });
    expect(slots.filter(({ resourceType }) => resourceType === "Slot")).toHaveLength(10);
    expect(slots.some(({ resourceType }) => resourceType === "Schedule")).toBe(true);
  });

  it("books, moves and cancels, each change based on the version read", async () => {
    const slot = await freeSlot();
    const booked = await ehr.open().create(bookingOf(slot.id));
    expect([booked.start, await statusOf(slot.id)]).toEqual([slot.start, "busy"]);
    const cancelled = await ehr.open().update<Appointment>({ ...booked, status: "cancelled" });
    expect([cancelled.meta?.versionId, await statusOf(slot.id)]).toEqual(["2", "free"]);
    expect(await codeOf(ehr.open().update<Appointment>({ ...booked, status: "cancelled" }))).toBe("ehr_conflict");
    expect(await codeOf(ehr.open().update<Appointment>({ ...cancelled, status: "booked" }, { ifMatch: 'W/"77"' }))).toBe("ehr_conflict");
  });

  it("gives the slot to one of three concurrent bookings", async () => {
    const slot = await freeSlot();
    const codes = await Promise.all([1001, 1002, 1003].map((id) => codeOf(ehr.open().create(bookingOf(slot.id, `patient-${id}`)))));
    expect(codes.sort()).toEqual(["answered", "ehr_conflict", "ehr_conflict"]);
    expect(await appointmentsAt(slot.id)).toHaveLength(1);
  });

  it("creates once per identifier where the server supports conditional create", async () => {
    const slot = await freeSlot();
    const booking = { ...bookingOf(slot.id), identifier: [{ system: "urn:test", value: "client-once" }] };
    const [first, second] = [
      await ehr.open().create(booking, { ifNoneExist: "identifier=urn:test|client-once" }),
      await ehr.open().create(booking, { ifNoneExist: "identifier=urn:test|client-once" }),
    ];
    expect(second.id).toBe(first.id);
  });

  it("maps the server's refusals to our codes", async () => {
    const client = ehr.open();
    const lost: Appointment = { ...bookingOf("no-such-slot"), id: "unknown" };
    expect(await codeOf(client.read<Patient>("Patient", "unknown"))).toBe("ehr_not_found");
    expect(await codeOf(client.read("Account", "any"))).toBe("ehr_unsupported");
    expect(await codeOf(client.read("Practitioner", "../Patient"))).toBe("ehr_not_found");
    expect(await codeOf(client.search("Location", {}))).toBe("ehr_forbidden");
    expect(await codeOf(client.search("Patient", { "shoe-size": "42" }))).toBe("ehr_unsupported");
    expect(await codeOf(client.create(bookingOf("no-such-slot")))).toBe("ehr_invalid");
    expect(await codeOf(client.create<Slot>({ resourceType: "Slot", schedule: {}, status: "free", start: "", end: "" }))).toBe(
      "ehr_unsupported",
    );
    expect(await codeOf(client.update(lost))).toBe("ehr_not_found");
  });

  it("keeps two servers apart: an appointment exists only at the server that booked it", async () => {
    const slot = await freeSlot();
    const booked = await ehr.open().create(bookingOf(slot.id));
    expect(await codeOf(other.open().read("Appointment", booked.id ?? ""))).toBe("ehr_not_found");
    expect((await other.open().read<Slot>("Slot", slot.id)).status).toBe("free");
  });
});

describe("a FHIR server in trouble", () => {
  it("that is down is unavailable, for reads and for writes", async () => {
    const slot = await freeSlot();
    const closed = await openSandbox();
    const client = closed.open(5000);
    await closed.open().read("Slot", slot.id);
    await closed.close();
    expect(await codeOf(client.read("Slot", slot.id))).toBe("ehr_unavailable");
    expect(await codeOf(client.create(bookingOf(slot.id)))).toBe("ehr_unavailable");
  });

  it("that cuts every connection is unavailable for a read; a write that was sent has an unknown outcome", async () => {
    const slot = await freeSlot();
    await ehr.fault({ kind: "down" });
    expect(await codeOf(ehr.open(5000).read("Slot", slot.id))).toBe("ehr_unavailable");
    expect(await codeOf(ehr.open().create(bookingOf(slot.id)))).toBe("ehr_unknown_outcome");
  });

  it("that is slow is waited for until the deadline; a write that was sent has an unknown outcome", async () => {
    const slot = await freeSlot();
    await ehr.fault({ kind: "slow", delayMs: 1500 });
    expect(await codeOf(ehr.open(700).read("Slot", slot.id))).toBe("ehr_timeout");
    expect(await codeOf(ehr.open(700).create(bookingOf(slot.id)))).toBe("ehr_unknown_outcome");
    expect(await codeOf(ehr.open(100).create(bookingOf(slot.id)))).toBe("ehr_timeout");
    expect(await codeOf(ehr.open().read("Slot", slot.id, { signal: AbortSignal.timeout(100) }))).toBe("ehr_timeout");
  });

  it("that books and never responds leaves one appointment and an unknown outcome: the write is not sent again", async () => {
    const slot = await freeSlot();
    await ehr.fault({ kind: "hang", times: 1 });
    expect(await codeOf(ehr.open(800).create(bookingOf(slot.id)))).toBe("ehr_unknown_outcome");
    expect(await appointmentsAt(slot.id)).toHaveLength(1);
  });

  it("that answers 429 once is retried, also for a write, which it did not process", async () => {
    const slot = await freeSlot();
    await ehr.fault({ kind: "429-no-retry-after", times: 1 });
    const client = ehr.open();
    expect((await client.read<Slot>("Slot", slot.id)).id).toBe(slot.id);
    expect(client.context.logged.map(({ httpStatus }) => httpStatus)).toEqual([429, 200]);
    await ehr.fault({ kind: "429", times: 1 });
    expect(await codeOf(ehr.open().create(bookingOf(slot.id)))).toBe("answered");
    expect(await appointmentsAt(slot.id)).toHaveLength(1);
  });

  it("that asks to wait beyond the deadline is unavailable at once, with its retry time", async () => {
    await ehr.fault({ kind: "429" });
    const client = ehr.open(1200);
    expect(await client.search("Slot", {}).catch((error: unknown) => error)).toMatchObject({
      code: "ehr_unavailable",
      retryAfterSeconds: 1,
    });
    expect(client.context.logged).toHaveLength(1);
  });

  it.each(["503", "html"])("that answers %s is retried for a read; a write has an unknown outcome and is not retried", async (kind) => {
    const slot = await freeSlot();
    await ehr.fault({ kind, times: 1 });
    expect(await codeOf(ehr.open().read("Slot", slot.id))).toBe("answered");
    await ehr.fault({ kind });
    expect(await codeOf(ehr.open(5000).read("Slot", slot.id))).toBe("ehr_unavailable");
    const client = ehr.open();
    expect(await codeOf(client.create(bookingOf(slot.id)))).toBe("ehr_unknown_outcome");
    expect(client.context.logged).toHaveLength(1);
    await ehr.fault({ kind: "none" });
    expect(await statusOf(slot.id)).toBe("free");
  });

  it("that refuses a token once gets a new one; a second refusal is an authentication error", async () => {
    const slot = await freeSlot();
    const before = ehr.tokens();
    await ehr.fault({ kind: "401-once" });
    expect(await codeOf(ehr.open().create(bookingOf(slot.id)))).toBe("answered");
    expect(ehr.tokens()).toBe(before + 1);
    await ehr.fault({ kind: "401-once", times: 2 });
    expect(await codeOf(ehr.open().read("Slot", slot.id))).toBe("ehr_auth");
  });

  it("that creates without a response body is asked for the stored resource", async () => {
    const slot = await freeSlot();
    await ehr.fault({ kind: "empty-201" });
    const booked = await ehr.open().create(bookingOf(slot.id));
    expect(booked).toMatchObject({ start: slot.start, meta: { versionId: "1" } });
    expect((await ehr.open().read<Appointment>("Appointment", booked.id ?? "")).status).toBe("booked");
  });

  it("that creates without a response body and then fails still has made the appointment", async () => {
    const slot = await freeSlot();
    await ehr.fault({ kind: "empty-201" });
    await ehr.fault({ kind: "down", match: { method: "GET", path: "/r4/Appointment" } });
    const booked = await ehr.open().create(bookingOf(slot.id));
    await ehr.fault({ kind: "none" });
    expect((await appointmentsAt(slot.id)).map(({ id }) => id)).toEqual([booked.id]);
  });

  it("that gave the slot to another booking reports a conflict", async () => {
    const slot = await freeSlot();
    await ehr.fault({ kind: "slot-taken" });
    expect(await codeOf(ehr.open().create(bookingOf(slot.id)))).toBe("ehr_conflict");
    expect(await appointmentsAt(slot.id)).toHaveLength(0);
  });

  it("contains no patient data in its errors", async () => {
    await ehr.fault({ kind: "html" });
    const error = await ehr
      .open(900)
      .search<Patient>("Patient", { family: "Plantedname" })
      .catch((thrown: Error) => thrown);
    expect(JSON.stringify(error) + String(error)).not.toContain("Plantedname");
  });
});
