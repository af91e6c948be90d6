import type { Bundle, Communication } from "fhir/r4.js";
import { describe, expect, it } from "vitest";
import { answer, bookingOf, callOf, openClinic, someMonday } from "../clinic.fixture.ts";
import { Refusal } from "../http/http.ts";
import { transaction } from "./transaction.ts";

const newPatient = { resourceType: "Patient", name: [{ family: "Briarmere", given: ["Wanda"] }], birthDate: "1991-04-05" };
const message = (subject: string) => ({
  resourceType: "Communication",
  status: "completed",
  subject: { reference: subject },
  recipient: [{ reference: "Group/group-refills" }],
  payload: [{ contentString: "Please call back" }],
});
const post = (resource: { resourceType: string }, more: object = {}, fullUrl?: string) => ({
  ...(fullUrl && { fullUrl }),
  resource,
  request: { method: "POST", url: resource.resourceType, ...more },
});

async function openTransactions() {
  const clinic = await openClinic();
  const send = (entry: object[], type = "transaction") =>
    answer<Bundle>(() => transaction(clinic.server, callOf({ resourceType: "Bundle", type, entry })));
  return { ...clinic, send };
}

describe("a transaction", () => {
  it("stores all its entries in any order and resolves references between them", async () => {
    const { send, found } = await openTransactions();
    const { status, body } = await send([post(message("urn:uuid:one")), post(newPatient, {}, "urn:uuid:one")]);
    expect([status, body.type]).toEqual([200, "transaction-response"]);
    expect(body.entry!.map(({ response }) => response!.status)).toEqual(["201 Created", "201 Created"]);
    const location = /\/(Patient\/[^/]+)\/_history\/1$/.exec(body.entry![1]!.response!.location!)![1]!;
    expect(found<Communication>("Communication", `subject=${location}`)).toHaveLength(1);
  });

  it("stores nothing when one entry is refused", async () => {
    const { send, search, read, freeSlot } = await openTransactions();
    const slot = freeSlot();
    const refused: [object, number][] = [
      [post(message("Patient/unknown")), 422],
      [post({ resourceType: "Observation" }), 405],
      [
        {
          resource: { ...read("Patient", "patient-1003"), gender: "other" },
          request: { method: "PUT", url: "Patient/patient-1003", ifMatch: 'W/"7"' },
        },
        412,
      ],
      [post(newPatient, { ifNoneExist: "family=a" }), 412],
      [{ resource: newPatient, request: { method: "PUT", url: "Shoe/1" } }, 400],
      [{ resource: newPatient, request: { method: "DELETE", url: "Patient/patient-1003" } }, 400],
    ];
    for (const [entry, status] of refused)
      expect((await send([post(bookingOf(slot.id)), entry])).status, JSON.stringify(entry)).toBe(status);
    expect(read("Slot", slot.id)).toMatchObject({ status: "free", meta: { versionId: "1" } });
    expect(search("Appointment", `slot=${slot.id}`).total).toBe(0);
  });

  it("books a slot by its version, and of three at once only one succeeds", async () => {
    const { send, read, search, freeSlot } = await openTransactions();
    const slot = freeSlot();
    const hold = { resource: { ...slot, status: "busy" }, request: { method: "PUT", url: `Slot/${slot.id}`, ifMatch: 'W/"1"' } };
    const answers = await Promise.all(
      ["patient-1001", "patient-1002", "patient-1003"].map((patient) => send([hold, post(bookingOf(slot.id, patient))])),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(read("Slot", slot.id)).toMatchObject({ status: "busy", meta: { versionId: "2" } });
    expect(search("Appointment", `slot=${slot.id}&status=booked`).total).toBe(1);
  });

  it("creates once per ifNoneExist and resolves references to the match", async () => {
    const { send, found } = await openTransactions();
    const patient = { ...newPatient, identifier: [{ system: "urn:test", value: "only" }] };
    const entries = [post(patient, { ifNoneExist: "identifier=urn:test|only" }, "urn:uuid:one"), post(message("urn:uuid:one"))];
    await send(entries);
    const { body } = await send(entries);
    expect(body.entry!.map(({ response }) => response!.status)).toEqual(["200 OK", "201 Created"]);
    expect(found("Patient", "identifier=urn:test|only")).toHaveLength(1);
    expect(found("Communication", `patient=${body.entry![0]!.resource!.id}`)).toHaveLength(2);
  });

  it("refuses two entries for one resource", async () => {
    const { send, read } = await openTransactions();
    const put = { resource: read("Patient", "patient-1003"), request: { method: "PUT", url: "Patient/patient-1003" } };
    expect((await send([put, put])).status).toBe(400);
    expect((await send([post(newPatient, {}, "urn:uuid:a"), post(newPatient, {}, "urn:uuid:a")])).status).toBe(400);
  });

  it("stores nothing without the sender's permission", async () => {
    const { server, search } = await openTransactions();
    const call = callOf({ resourceType: "Bundle", type: "transaction", entry: [post(newPatient), post(message("Patient/patient-1001"))] });
    const refused = await answer(() =>
      transaction(server, call, (interaction, type) => {
        if (type !== "Patient") throw new Refusal(403, "forbidden", `May not ${interaction}`);
      }),
    );
    expect(refused.status).toBe(403);
    expect(search("Patient", "family=Briarmere&given=Wanda").total).toBe(0);
  });

  it("survives a crash as a whole or not at all", async () => {
    const { send, store } = await openTransactions();
    const before = store.all("Patient").length;
    await send([post(newPatient), post(newPatient)]);
    expect(store.all("Patient")).toHaveLength(before + 2);
    expect(store.all("Patient").at(-1)!.meta).toMatchObject({ versionId: "1", lastUpdated: someMonday.toISOString() });
  });
});

describe("a batch", () => {
  it("answers each entry on its own", async () => {
    const { send } = await openTransactions();
    const { status, body } = await send([post(message("Patient/unknown")), post(message("Patient/patient-1001"))], "batch");
    expect([status, body.type]).toEqual([200, "batch-response"]);
    expect(body.entry!.map(({ response }) => response!.status)).toEqual(["422", "201 Created"]);
    expect(body.entry![0]!.response!.outcome).toMatchObject({ resourceType: "OperationOutcome" });
  });
});
