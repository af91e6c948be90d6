import type * as r3 from "fhir/r3.js";
import type * as r4 from "fhir/r4.js";
import { compact, first, pick, type Plain } from "../older.ts";
import { base } from "./elements.ts";

export const patient = (one: Plain<r4.Patient>): r3.Patient => ({
  resourceType: "Patient",
  ...base(one),
  ...pick(one, "identifier", "active", "name", "telecom", "gender", "birthDate", "deceasedBoolean", "deceasedDateTime", "address"),
  ...pick(one, "maritalStatus", "multipleBirthBoolean", "multipleBirthInteger", "photo", "contact", "communication"),
  ...pick(one, "generalPractitioner", "managingOrganization", "link"),
});

export const relatedPerson = (one: Plain<r4.RelatedPerson>): r3.RelatedPerson =>
  compact({
    resourceType: "RelatedPerson",
    ...base(one),
    ...pick(one, "identifier", "active", "patient", "name", "telecom", "gender", "birthDate", "address", "photo", "period"),
    relationship: first(one.relationship),
  });

export const flag = (one: Plain<r4.Flag>): r3.Flag =>
  compact({
    resourceType: "Flag",
    ...base(one),
    ...pick(one, "identifier", "status", "period", "encounter", "author"),
    category: first(one.category),
    code: one.code,
    subject: one.subject,
  });

export const practitioner = (one: Plain<r4.Practitioner>): r3.Practitioner => ({
  resourceType: "Practitioner",
  ...base(one),
  ...pick(one, "identifier", "active", "name", "telecom", "address", "gender", "birthDate", "photo", "communication"),
});

export const practitionerRole = (one: Plain<r4.PractitionerRole>): r3.PractitionerRole => ({
  resourceType: "PractitionerRole",
  ...base(one),
  ...pick(one, "identifier", "active", "period", "practitioner", "organization", "code", "specialty", "location", "telecom"),
});

export const organization = (one: Plain<r4.Organization>): r3.Organization => ({
  resourceType: "Organization",
  ...base(one),
  ...pick(one, "identifier", "active", "type", "name", "alias", "telecom", "address", "partOf"),
});

export const group = (one: Plain<r4.Group>): r3.Group => ({
  resourceType: "Group",
  ...base(one),
  ...pick(one, "identifier", "active", "type", "actual", "code", "name", "quantity", "member"),
});
