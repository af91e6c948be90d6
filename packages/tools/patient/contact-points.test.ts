import type { ContactPoint, Patient } from "fhir/r4.js";
import { expect, it } from "vitest";
import { contactPointsFor } from "./contact-fields.ts";
import { isCurrent } from "./person.ts";
import { changePatient } from "../updatePatientFhir/change-patient.ts";
import { matchedFactors } from "../verifyPatientIdentity/claim/factors.ts";

const now = new Date("2026-05-04T12:00:00Z");
const ended = { end: "2026-05-01" };

it("a period is current until its last day is over in every time zone; an old contact never is", () => {
  const at = (end: string) => isCurrent({ period: { end } }, now);
  expect(["2026-05-01", "2026-05-03", "2026-05-04", "2026-05-04T11:59:59Z", "2026-05-04T12:00:01Z", "2027"].map(at)).toEqual([
    ...[false, true, true, false],
    ...[true, true],
  ]);
  expect([isCurrent({}, now), isCurrent({ use: "old" }, now), isCurrent({ use: "old", period: { end: "2027" } }, now)]).toEqual([
    ...[true, false],
    false,
  ]);
});

it("an ended contact or address verifies no caller, gets no message and is not replaced; one that ends later is current for all of these", () => {
  const chart = (period: ContactPoint["period"]): Patient => ({
    resourceType: "Patient",
    name: [{ given: ["Ada"], family: "Roe" }],
    birthDate: "1980-01-02",
    telecom: [{ system: "phone", value: "+16175550142", use: "mobile", period }],
    address: [{ line: ["12 Oak Street"], postalCode: "02199", period }],
  });
  const claim = { firstName: "Ada", lastName: "Roe", dateOfBirth: "1980-01-02" };
  const seen = (patient: Patient) => [
    matchedFactors({ ...claim, phoneNumber: "617 555 0142" }, patient, now),
    matchedFactors({ ...claim, zipCode: "02199" }, patient, now),
    contactPointsFor(patient, "sms", now),
    changePatient(patient, { phoneNumber: "+16175550142" }, now).changed,
  ];
  expect(seen(chart(ended))).toEqual([undefined, undefined, [], ["phone"]]);
  expect(seen(chart({ end: "2026-12-31" }))).toEqual([["phone"], ["zip"], ["+16175550142"], []]);
});
