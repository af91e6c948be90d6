import fc from "fast-check";
import { applyPatch } from "rfc6902";
import { describe, expect, it } from "vitest";
import { createGuardedPatch } from "./patch.ts";

const patient = {
  resourceType: "Patient",
  id: "7",
  name: [{ family: "Alderwick", given: ["Ann"] }],
  telecom: [
    { id: "CI-1", system: "phone", value: "+16175550101" },
    { id: "CI-2", system: "email", value: "ann@old.example" },
  ],
  address: [{ line: ["1 Old Street"], city: "Sampleton" }],
};

describe("a JSON Patch", () => {
  it("says in a test which element of a list it means: by its id, else by what it replaces", () => {
    const [phone, email] = patient.telecom;
    const after = {
      ...patient,
      telecom: [phone, { ...email, value: "ann@new.example" }],
      address: [{ line: ["2 New Street"], city: "Sampleton" }],
    };
    expect(createGuardedPatch(patient, after)).toEqual([
      { op: "test", path: "/telecom/1/id", value: "CI-2" },
      { op: "replace", path: "/telecom/1/value", value: "ann@new.example" },
      { op: "test", path: "/address/0/line/0", value: "1 Old Street" },
      { op: "replace", path: "/address/0/line/0", value: "2 New Street" },
    ]);
  });

  it("adds to a list, and to a record, without a test", () => {
    const after = { ...patient, gender: "female", telecom: [...patient.telecom, { system: "phone", value: "+16175550102" }] };
    expect(
      createGuardedPatch(patient, after)
        .map(({ op, path }) => `${op} ${path}`)
        .sort(),
    ).toEqual(["add /gender", "add /telecom/-"]);
  });

  it("is empty when nothing differs, also where a field has no value", () => {
    expect(createGuardedPatch(patient, { ...structuredClone(patient), gender: undefined })).toEqual([]);
  });

  it("makes the one of the other, and nothing of a record that is not the one", () => {
    const element = fc.record({ id: fc.constantFrom("a", "b", "c"), value: fc.constantFrom("1", "2", "3") }, { requiredKeys: ["value"] });
    const record = fc.record(
      { name: fc.constantFrom("x", "y"), list: fc.array(element, { maxLength: 4 }), words: fc.array(fc.constantFrom("p", "q")) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(record, record, (before, after) => {
        const patch = createGuardedPatch(before, after);
        const target = structuredClone(before);
        expect(applyPatch(target, patch).every((one) => one === null)).toBe(true);
        expect(target).toEqual(after);
      }),
    );
    const patch = createGuardedPatch(patient, {
      ...patient,
      telecom: [{ ...patient.telecom[0], value: "+16175550199" }, patient.telecom[1]],
    });
    const moved = { ...structuredClone(patient), telecom: patient.telecom.toReversed() };
    expect(applyPatch(moved, patch)[0]).not.toBeNull();
  });
});
