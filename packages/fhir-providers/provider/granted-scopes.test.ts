import { describe, expect, it } from "vitest";
import { allowsScopes, operationsByAccess, tokenAllows, tokenScopes } from "./granted-scopes.ts";

const epic = { providerType: "epic", fhirVersion: "R4" } as const;

describe("a type that a vendor's servers do not have", () => {
  it.each(["system/*.*", "system/*.cruds system/Slot.rs", "system/Appointment.crus"])("is not asked for with %s saved", (scopes) => {
    const asked = tokenScopes({ ...epic, scopes }, ["system/Slot.rs", "system/Schedule.rs", "system/Appointment.c"]);
    expect(asked).toMatch(/^system\/Appointment\.\w+$/);
  });

  it("is asked for of every other vendor", () => {
    const at = { ...epic, providerType: "custom", scopes: "system/*.*" } as const;
    expect(tokenScopes(at, ["system/Slot.rs"])).toBe("system/Slot.read");
    expect(allowsScopes({ ...at, scopes: "system/Appointment.crus" }, ["system/Slot.rs"])).toBe(false);
  });
});

describe("a token of somebody who has let us in", () => {
  const connection = { ...epic, scopes: "user/Patient.read user/Observation.read" };

  it.each([
    ["user/Patient.read openid", ["system/Patient.rs"], true],
    ["user/Patient.read", ["system/Patient.rs", "system/Slot.rs"], true],
    ["user/Patient.read", ["system/Observation.rs"], false],
    ["user/Patient.r", ["system/Patient.rs"], false],
    ["user/Patient.read", [], true],
    ["openid", ["system/Observation.rs"], true],
    [undefined, ["system/Observation.rs"], true],
  ])("that was granted %s does for %j: %s", (granted, wanted, expected) => {
    expect(tokenAllows(connection, granted, wanted)).toBe(expected);
  });
});

it("what is done at an EHR is allowed by the saved scopes or not; what asks no EHR is neither", () => {
  const operations = [
    { name: "talk", scopes: [] },
    { name: "read", scopes: ["system/Patient.rs"] },
    { name: "book", scopes: ["system/Patient.rs", "system/Appointment.crus"] },
  ];
  const at = (scopes: string) => operationsByAccess({ ...epic, scopes }, operations);
  expect(at("system/Patient.rs")).toEqual({ allowed: ["read"], notAllowed: ["book"] });
  expect(at("system/*.*")).toEqual({ allowed: ["read", "book"], notAllowed: [] });
  expect(at("openid")).toEqual({ allowed: [], notAllowed: ["read", "book"] });
});
