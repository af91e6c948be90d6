import type { Appointment } from "fhir/r4.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bookingOf, openClinic } from "../clinic.fixture.ts";
import type { Stored } from "../store/resource.ts";

const clinic = await openClinic();
const slotStatus = (id: string) => clinic.read("Slot", id).status;
const booked = async (body: object) => (await clinic.create("Appointment", body)).body as unknown as Stored<"Appointment">;

describe("the rules of booking", () => {
  it("make the slot tentative for a proposed appointment, busy for a booked one, free after a cancellation", async () => {
    const slot = clinic.freeSlot();
    const proposed = await booked(bookingOf(slot.id, "patient-1001", { status: "proposed" }));
    expect(slotStatus(slot.id)).toBe("busy-tentative");
    expect((await clinic.create("Appointment", bookingOf(slot.id, "patient-1002"))).status).toBe(409);
    expect((await clinic.update("Appointment", proposed.id, { ...proposed, status: "booked" })).status).toBe(200);
    expect(slotStatus(slot.id)).toBe("busy");
    expect((await clinic.update("Appointment", proposed.id, { ...proposed, status: "cancelled" })).status).toBe(200);
    expect(slotStatus(slot.id)).toBe("free");
  });

  it("accept a proposal with a time and no slot", async () => {
    const asking = {
      resourceType: "Appointment",
      status: "proposed",
      requestedPeriod: [{ start: "2026-12-01T09:00:00-05:00", end: "2026-12-01T12:00:00-05:00" }],
      participant: [{ actor: { reference: "Patient/patient-1001" }, status: "needs-action" }],
    };
    expect((await clinic.create("Appointment", asking)).status).toBe(201);
    expect((await clinic.create("Appointment", { ...asking, requestedPeriod: undefined })).status).toBe(422);
  });

  it("refuse moves that a status does not allow", async () => {
    const appointment = await booked(bookingOf(clinic.freeSlot().id));
    const move = (status: Appointment["status"]) => clinic.update("Appointment", appointment.id, { ...appointment, status });
    expect((await move("proposed")).status).toBe(422);
    expect((await move("cancelled")).status).toBe(200);
    for (const status of ["booked", "arrived", "proposed"] as const) expect((await move(status)).status).toBe(422);
    expect((await move("entered-in-error")).status).toBe(200);
    expect((await clinic.create("Appointment", bookingOf(clinic.freeSlot().id, "patient-1001", { status: "fulfilled" }))).status).toBe(422);
  });

  it("update practitioner and location of a moved appointment", async () => {
    const appointment = await booked(bookingOf(clinic.freeSlot("cardiology").id));
    const to = clinic.freeSlot("dermatology");
    const { body } = await clinic.update("Appointment", appointment.id, { ...appointment, slot: [{ reference: `Slot/${to.id}` }] });
    const moved = body as unknown as Stored<"Appointment">;
    expect(moved.start).toBe(to.start);
    expect(moved.participant.map(({ actor }) => actor?.reference)).toEqual([
      "Patient/patient-1001",
      "Practitioner/practitioner-6",
      "Location/location-north",
    ]);
  });

  it("let a slot change its status only, and not while an appointment holds it", async () => {
    const slot = clinic.freeSlot();
    expect((await clinic.patch("Slot", slot.id, [{ op: "replace", path: "/status", value: "busy-unavailable" }])).status).toBe(200);
    expect((await clinic.patch("Slot", slot.id, [{ op: "replace", path: "/start", value: slot.end }])).status).toBe(422);
    const taken = clinic.freeSlot();
    await booked(bookingOf(taken.id));
    expect((await clinic.patch("Slot", taken.id, [{ op: "replace", path: "/status", value: "free" }])).status).toBe(422);
  });

  it("never let two appointments hold one slot, nor leave a slot busy without an appointment", async () => {
    const steps = fc.array(
      fc.record({
        who: fc.integer({ min: 0, max: 2 }),
        which: fc.integer({ min: 0, max: 2 }),
        what: fc.constantFrom("book", "propose", "cancel", "move"),
      }),
      {
        maxLength: 25,
      },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const it = await openClinic();
        const slots = [0, 1, 2].map((index) => it.freeSlot("orthopedics", index));
        const mine: string[] = [];
        for (const { who, which, what } of plan) {
          const [slot, id] = [slots[which]!, mine[which]];
          const now = id === undefined ? undefined : it.read("Appointment", id);
          if (what === "book" || what === "propose") {
            const made = await it.create(
              "Appointment",
              bookingOf(slot.id, `patient-100${who + 1}`, { status: what === "book" ? "booked" : "proposed" }),
            );
            if (made.status === 201) mine.push((made.body as unknown as Stored).id);
          } else if (now) {
            const change = what === "cancel" ? { status: "cancelled" } : { slot: [{ reference: `Slot/${slots[(which + 1) % 3]!.id}` }] };
            await it.update("Appointment", now.id, { ...now, ...change });
          }
        }
        for (const { id } of slots) {
          const holders = it.store
            .all("Appointment")
            .filter(({ slot, status }) => slot?.[0]?.reference === `Slot/${id}` && status !== "cancelled");
          const expected = { proposed: "busy-tentative", booked: "busy" }[holders[0]?.status as string] ?? "free";
          expect(holders.length).toBeLessThan(2);
          expect(it.read("Slot", id).status).toBe(expected);
        }
      }),
      { numRuns: 25 },
    );
  });
});
