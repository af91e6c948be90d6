import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { hasResourceScopes, narrowScopes, parseScope, scopesCover, systemScopes } from "./scopes.ts";

const context = fc.constantFrom("patient", "user", "system");
const namedType = fc.constantFrom("Patient", "Appointment", "Slot");
const type = fc.oneof(namedType, fc.constant("*"));
const rights = fc.constantFrom("read", "write", "*", "r", "rs", "cud", "crus", "cruds");
const scopeOf = (types: fc.Arbitrary<string>) => fc.tuple(context, types, rights).map(([who, what, how]) => `${who}/${what}.${how}`);
const scopes = fc.array(scopeOf(type), { maxLength: 5 }).map((all) => all.join(" "));
const saved = fc.array(scopeOf(type), { maxLength: 6 }).map((all) => all.join(" "));
const wanted = fc.array(scopeOf(namedType), { maxLength: 4 });

describe("scopes", () => {
  it.each([
    ["system/Patient.read", { type: "Patient", letters: "rs" }],
    ["user/*.write", { type: "*", letters: "cud" }],
    ["patient/Slot.*", { type: "Slot", letters: "cruds" }],
    ["system/Appointment.crus", { type: "Appointment", letters: "crus" }],
    ["system/Observation.rs?category=vital-signs", { type: "Observation", letters: "rs" }],
    ["openid", undefined],
    ["system/Patient.", undefined],
    ["system/Patient.sr", undefined],
    ["launch/patient", undefined],
  ])("%s is parsed in SMART v1 and v2 spelling", (text, meaning) => {
    expect(parseScope(text)).toEqual(meaning);
  });

  test("cover themselves and any subset of them", () => {
    fc.assert(
      fc.property(scopes, scopes, (one, other) => {
        expect(scopesCover(one, one)).toBe(true);
        expect(scopesCover(`${one} ${other}`, one)).toBe(true);
        expect(scopesCover("system/*.cruds", one)).toBe(true);
      }),
    );
  });

  test("name resources only if one of them is a resource scope", () => {
    expect(["openid fhirUser", "", "user/Patient.read openid"].map(hasResourceScopes)).toEqual([false, false, true]);
  });

  test("do not cover a missing type or right", () => {
    expect(scopesCover("system/Patient.rs", "system/Patient.read")).toBe(true);
    expect(scopesCover("system/Patient.rs", "system/Patient.write")).toBe(false);
    expect(scopesCover("system/Patient.cruds system/Slot.rs", "system/*.rs")).toBe(false);
  });

  test("are requested as system scopes, each once", () => {
    expect(systemScopes("patient/*.read  user/*.read openid launch/patient offline_access")).toBe("system/*.read");
    fc.assert(
      fc.property(scopes, (text) => {
        const asked = systemScopes(text);
        expect(systemScopes(asked)).toBe(asked);
        expect(scopesCover(asked, text) && scopesCover(text, asked)).toBe(true);
      }),
    );
  });
});

describe("scopes narrowed to the needs of one tool", () => {
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
    ["system/Patient.rs", ["not-a-scope"], undefined],
  ])("of %j for %j are %j", (ceiling, needs, narrowed) => {
    expect(narrowScopes(ceiling, needs)).toBe(narrowed);
  });

  it("cover the wanted scopes, never exceed the saved ones, and are system scopes; undefined exactly when the saved ones do not suffice", () => {
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
