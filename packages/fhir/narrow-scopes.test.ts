import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { narrowScopes, scopesCover } from "./index.ts";

const type = fc.constantFrom("Patient", "Appointment", "Slot");
const context = fc.constantFrom("patient", "user", "system");
const rights = fc.constantFrom("read", "write", "*", "r", "rs", "cud", "crus", "cruds");
const scopeOf = (types: fc.Arbitrary<string>) => fc.tuple(context, types, rights).map(([who, what, how]) => `${who}/${what}.${how}`);
const saved = fc.array(scopeOf(fc.oneof(type, fc.constant("*"))), { maxLength: 6 }).map((all) => all.join(" "));
const wanted = fc.array(scopeOf(type), { maxLength: 4 });

describe("scopes narrowed to what one tool needs", () => {
  it.each([
    ["system/Patient.read system/Slot.read", ["system/Patient.rs"], "system/Patient.read"],
    ["system/*.read", ["system/Patient.rs", "system/Slot.rs"], "system/Patient.read system/Slot.read"],
    ["patient/*.read", ["system/Patient.rs"], "system/Patient.read"],
    ["user/Patient.read user/Patient.write", ["system/Patient.crus"], "system/Patient.read system/Patient.write"],
    ["system/Patient.*", ["system/Patient.crus"], "system/Patient.*"],
    ["system/Patient.*", ["system/Patient.rs"], "system/Patient.read"],
    ["system/Patient.cruds", ["system/Patient.rs"], "system/Patient.rs"],
    ["system/Patient.cruds", ["system/Patient.read", "system/Patient.c"], "system/Patient.crs"],
    ["system/*.rs system/Patient.cu", ["system/Patient.rs", "system/Patient.cu"], "system/Patient.cu system/Patient.rs"],
    ["openid fhirUser system/Patient.rs", ["system/Patient.rs"], "system/Patient.rs"],
    ["system/Observation.rs?category=vital-signs", ["system/Observation.rs"], "system/Observation.rs?category=vital-signs"],
    [
      "system/Observation.rs?category=vital-signs system/Observation.rs?category=laboratory",
      ["system/Observation.rs"],
      "system/Observation.rs?category=vital-signs system/Observation.rs?category=laboratory",
    ],
    ["system/Patient.rs", [], ""],
    ["system/Patient.read", ["system/Patient.crus"], undefined],
    ["system/Patient.rs", ["system/Slot.rs"], undefined],
    ["", ["system/Patient.rs"], undefined],
    ["system/Patient.rs", ["whatever"], undefined],
  ])("of %j for %j are %j", (ceiling, needs, narrowed) => {
    expect(narrowScopes(ceiling, needs)).toBe(narrowed);
  });

  it("are what is wanted, never more than what is saved, and only the system's; undefined exactly when the ceiling is too low", () => {
    fc.assert(
      fc.property(saved, wanted, (ceiling, needs) => {
        const narrowed = narrowScopes(ceiling, needs);
        expect(narrowed !== undefined).toBe(scopesCover(ceiling, needs.join(" ")));
        if (narrowed === undefined) return;
        expect(scopesCover(narrowed, needs.join(" "))).toBe(true);
        expect(scopesCover(ceiling, narrowed)).toBe(true);
        expect(narrowed).not.toMatch(/patient\/|user\//);
        expect(narrowScopes(narrowed, needs)).toBe(narrowed);
      }),
    );
  });
});
