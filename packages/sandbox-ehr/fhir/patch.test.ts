import { describe, expect, it } from "vitest";
import { answer, bookingOf, callOf, openClinic } from "../clinic.fixture.ts";
import { applyPatch, patch } from "./patch.ts";
import { Refusal } from "../http/http.ts";
import type { Stored } from "../store/resource.ts";

describe("a JSON Patch", () => {
  const document = { a: 1, list: ["x", "y"], "odd/name~": { deep: true } };

  it("tests, adds, replaces and removes, in objects and lists, and leaves the original alone", () => {
    const changed = applyPatch(document, [
      { op: "test", path: "/odd~1name~0/deep", value: true },
      { op: "add", path: "/list/1", value: "between" },
      { op: "add", path: "/list/-", value: "last" },
      { op: "replace", path: "/a", value: null },
      { op: "remove", path: "/list/0" },
      { op: "add", path: "/new", value: { b: [] } },
      { op: "add", path: "/new/b/0", value: 2 },
    ]);
    expect(changed).toEqual({ a: null, list: ["between", "y", "last"], "odd/name~": { deep: true }, new: { b: [2] } });
    expect(document.list).toEqual(["x", "y"]);
  });

  it("is refused when it is of another form (400) or does not fit (422)", () => {
    const statusOf = (operations: unknown) => {
      try {
        applyPatch(document, operations);
      } catch (error) {
        return error instanceof Refusal ? error.status : error;
      }
    };
    const malformed: unknown[] = [
      {},
      [],
      [{ op: "move", from: "/a", path: "/b" }],
      [{ op: "add", path: "a", value: 1 }],
      [{ op: "add", path: "/a~2", value: 1 }],
      [{ op: "add", path: "/a" }],
      [{ op: "remove", path: "" }],
      [{ op: "remove", path: "/a", extra: 1 }],
    ];
    for (const operations of malformed) expect(statusOf(operations), JSON.stringify(operations)).toBe(400);
    const misfits = [
      { op: "test", path: "/a", value: "1" },
      { op: "test", path: "/missing", value: null },
      { op: "replace", path: "/missing", value: 1 },
      { op: "remove", path: "/list/2" },
      { op: "remove", path: "/list/-" },
      { op: "add", path: "/list/3", value: 1 },
      { op: "add", path: "/list/01", value: 1 },
      { op: "add", path: "/a/b", value: 1 },
      { op: "replace", path: "/__proto__", value: 1 },
      { op: "add", path: "/constructor/prototype/x", value: 1 },
    ];
    for (const operation of misfits) expect(statusOf([operation]), JSON.stringify(operation)).toBe(422);
  });
});

describe("PATCH", () => {
  it("changes one element of a patient, for the version it names only", async () => {
    const { patch, read } = await openClinic();
    const operations = [
      { op: "test", path: "/telecom/0/system", value: "phone" },
      { op: "replace", path: "/telecom/0/value", value: "(617) 555-0155" },
    ];
    const first = await patch("Patient", "patient-1002", operations, { "if-match": 'W/"1"' });
    expect([first.status, first.headers.ETag]).toEqual([200, 'W/"2"']);
    expect((await patch("Patient", "patient-1002", operations, { "if-match": 'W/"1"' })).status).toBe(412);
    expect(read("Patient", "patient-1002").telecom![0]!.value).toBe("(617) 555-0155");
  });

  it("books by the same rules as an update", async () => {
    const { patch, create, read, freeSlot } = await openClinic();
    const slot = freeSlot();
    const { id } = (await create("Appointment", bookingOf(slot.id))).body as unknown as Stored;
    expect((await patch("Appointment", id, [{ op: "replace", path: "/status", value: "cancelled" }])).status).toBe(200);
    expect(read("Slot", slot.id).status).toBe("free");
    expect((await patch("Appointment", id, [{ op: "replace", path: "/status", value: "booked" }])).status).toBe(422);
  });

  it("refuses an invalid result and changes nothing", async () => {
    const clinic = await openClinic();
    const attempts = [
      { op: "remove", path: "/name" },
      { op: "replace", path: "/id", value: "patient-1003" },
      { op: "replace", path: "/resourceType", value: "Group" },
      { op: "replace", path: "/gender", value: "F" },
      { op: "replace", path: "/birthDate", value: "01/02/1980" },
      { op: "add", path: "/shoeSize", value: 42 },
      { op: "add", path: "/generalPractitioner", value: [{ reference: "Practitioner/unknown" }] },
    ];
    for (const operation of attempts) {
      const { status } = await clinic.patch("Patient", "patient-1002", [operation]);
      expect([400, 422], JSON.stringify(operation)).toContain(status);
    }
    expect(clinic.read("Patient", "patient-1002").meta.versionId).toBe("1");
    expect((await clinic.patch("Patient", "unknown", [{ op: "remove", path: "/name" }])).status).toBe(404);
    expect((await clinic.patch("Coverage", "coverage-1001-1", [{ op: "remove", path: "/status" }])).status).toBe(405);
    const plainJson = callOf([{ op: "remove", path: "/gender" }], { "content-type": "application/json" });
    expect((await answer(() => patch(clinic.server, "Patient", "patient-1002", plainJson))).status).toBe(415);
  });
});
