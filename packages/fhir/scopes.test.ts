import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { namesResources, readScope, scopesCover, systemScopes } from "./scopes.ts";

const context = fc.constantFrom("patient", "user", "system");
const type = fc.constantFrom("*", "Patient", "Appointment", "Slot");
const rights = fc.constantFrom("read", "write", "*", "r", "rs", "cud", "crus", "cruds");
const scope = fc.tuple(context, type, rights).map(([who, what, how]) => `${who}/${what}.${how}`);
const scopes = fc.array(scope, { maxLength: 5 }).map((all) => all.join(" "));

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
  ])("%s is read in both of SMART's spellings", (text, meaning) => {
    expect(readScope(text)).toEqual(meaning);
  });

  test("cover themselves, and whatever is taken out of them", () => {
    fc.assert(
      fc.property(scopes, scopes, (one, other) => {
        expect(scopesCover(one, one)).toBe(true);
        expect(scopesCover(`${one} ${other}`, one)).toBe(true);
        expect(scopesCover("system/*.cruds", one)).toBe(true);
      }),
    );
  });

  test("say what of resources was granted only where they name one", () => {
    expect(["openid fhirUser", "", "user/Patient.read openid"].map(namesResources)).toEqual([false, false, true]);
  });

  test("do not cover a type or a right that they lack", () => {
    expect(scopesCover("system/Patient.rs", "system/Patient.read")).toBe(true);
    expect(scopesCover("system/Patient.rs", "system/Patient.write")).toBe(false);
    expect(scopesCover("system/Patient.cruds system/Slot.rs", "system/*.rs")).toBe(false);
  });

  test("are asked for in the name of the system, each once", () => {
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
