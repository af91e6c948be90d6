import fc from "fast-check";
import type { FhirResource, Patient } from "fhir/r4.js";
import { describe, expect, it } from "vitest";
import type { Resource } from "../http/payload-schemas.ts";
import { anyResource, resourceTypes } from "../resource.fixture.ts";
import { validateR4 } from "./r4-schema.ts";
import { versions } from "./versions.ts";

const older = ["STU3", "DSTU2"] as const;
/** The types that our tools write. */
const written = ["Patient", "Appointment", "Communication", "CoverageEligibilityRequest"] as const;
const onlyRead = [
  ...(["Condition", "AllergyIntolerance", "Observation", "Medication", "MedicationRequest", "MedicationStatement"] as const),
  ...(["MedicationDispense", "Coverage", "Slot", "Schedule", "Location"] as const),
  ...(["RelatedPerson", "Flag"] as const),
];
const frozen = <T>(value: T): T => {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe.each(older)("a resource sent to a %s server and read back", (fhirVersion) => {
  const version = versions[fhirVersion];

  it.each(written)("%s keeps the fields that our tools use, and a conversion does not change its input", (type) => {
    fc.assert(
      fc.property(anyResource(type), (resource) => {
        const sent = frozen(plain(resource) as FhirResource);
        const native = frozen(plain(version.toNative(sent)) as Resource);
        expect(native.resourceType).toBe(version.nativeType(type));
        expect(plain(version.toR4(native)[0])).toEqual(sent);
      }),
      { numRuns: 60 },
    );
  });

  it.each(onlyRead)("%s is read-only and never sent", (type) => {
    const [one] = fc.sample(anyResource(type), 1);
    expect(() => version.toNative(one!)).toThrow(expect.objectContaining({ code: "ehr_unsupported" }));
  });

  it("is preserved in a Bundle, in Parameters and in another resource", () => {
    fc.assert(
      fc.property(anyResource("CoverageEligibilityRequest"), anyResource("Patient"), (request, patient) => {
        const bundle = {
          resourceType: "Bundle",
          type: "searchset",
          entry: [{ fullUrl: "urn:uuid:1", resource: request }, { search: { mode: "outcome" } }],
        };
        const parameters = {
          resourceType: "Parameters",
          parameter: [
            { name: "resource", resource: patient },
            { name: "count", valueInteger: 2 },
          ],
        };
        const holder = { resourceType: "Basic", code: {}, contained: [request, patient] };
        for (const one of [bundle, parameters, holder]) {
          const native = plain(version.toNative(one as unknown as Patient)) as Resource;
          if (one !== parameters) expect(JSON.stringify(native)).toContain(`"${version.nativeType("CoverageEligibilityRequest")}"`);
          expect(plain(version.toR4(native)[0])).toEqual(plain(one));
        }
      }),
      { numRuns: 20 },
    );
  });

  it("is refused when it is nested too deeply", () => {
    const loop: Resource & { contained: unknown[] } = { resourceType: "Patient", id: "1", contained: [] };
    loop.contained.push(loop);
    expect(() => version.toR4(loop)).toThrow(expect.objectContaining({ code: "ehr_invalid" }));
  });
});

describe.each(["R4", ...older] as const)("a malformed resource of a %s server", (fhirVersion) => {
  const version = versions[fhirVersion];
  const odd = fc.oneof(
    fc.constant(null),
    fc.integer(),
    fc.boolean(),
    fc.string(),
    fc.constantFrom<unknown>([], {}, [null], [[]], [7], [{ code: null }], { coding: 7 }, { reference: [] }),
  );

  it("is refused without a crash, or is well-formed in the fields that our tools read", () => {
    for (const type of resourceTypes) {
      fc.assert(
        fc.property(anyResource(type), fc.integer({ min: 0, max: 30 }), odd, (resource, at, value) => {
          const native = plain({ ...resource, resourceType: version.nativeType(type) }) as Resource;
          const fields = Object.keys(native).filter((field) => field !== "resourceType" && field !== "id");
          const spoilt = { ...native, [fields[at % Math.max(1, fields.length)] ?? "name"]: value };
          try {
            for (const one of version.toR4(spoilt)) expect(validateR4(one)).toBe(one);
          } catch (error) {
            expect(error).toMatchObject({ code: "ehr_invalid" });
          }
        }),
        { numRuns: 40 },
      );
    }
  });

  it("is refused when a name is not a list, or a contained resource not a resource", () => {
    for (const spoilt of [
      { name: 7 },
      { name: [{ family: 7, given: [7] }] },
      { telecom: "none" },
      { contained: 7 },
      { contained: [null] },
      { birthDate: [] },
      { name: [null] },
    ])
      expect(() => version.toR4({ resourceType: "Patient", id: "1", ...spoilt }), JSON.stringify(spoilt)).toThrow(
        expect.objectContaining({ code: "ehr_invalid" }),
      );
  });
});
