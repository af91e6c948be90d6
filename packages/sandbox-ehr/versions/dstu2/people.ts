import type * as r2 from "fhir/r2.js";
import type * as r4 from "fhir/r4.js";
import { compact, first, pick, type Plain } from "../older.ts";
import type { Surroundings } from "../version.ts";
import { address, base, identifier, name, nameToR4, reference, referenceIf, references, telecom } from "./elements.ts";

const classOf = ({ class: classes = [] }: Plain<r4.Coverage>, code: string): string | undefined =>
  classes.find(({ type }) => type.coding?.some((one) => one.code === code))?.value;

/** DSTU2's Coverage has no beneficiary, so the patient is the subscriber. */
export const coverage = (one: Plain<r4.Coverage>): r2.Coverage =>
  compact({
    resourceType: "Coverage",
    ...base(one),
    ...pick(one, "period"),
    identifier: one.identifier?.map(identifier),
    issuer: referenceIf(first(one.payor)),
    type: one.type?.coding?.[0],
    subscriberId: one.subscriberId === undefined ? undefined : { value: one.subscriberId },
    group: classOf(one, "group"),
    plan: classOf(one, "plan"),
    subPlan: classOf(one, "subplan"),
    sequence: one.order,
    subscriber: referenceIf(one.beneficiary),
    contract: references(one.contract),
  });

export const patient = (one: Plain<r4.Patient>): r2.Patient =>
  compact({
    resourceType: "Patient",
    ...base(one),
    ...pick(one, "active", "gender", "birthDate", "deceasedBoolean", "deceasedDateTime", "maritalStatus", "multipleBirthBoolean"),
    ...pick(one, "multipleBirthInteger", "photo"),
    identifier: one.identifier?.map(identifier),
    name: one.name?.map(name),
    telecom: one.telecom?.map(telecom),
    address: one.address?.map(address),
    contact: one.contact?.map((who) =>
      compact({
        ...pick(who, "relationship", "gender", "period"),
        name: who.name && name(who.name),
        telecom: who.telecom?.map(telecom),
        address: who.address && address(who.address),
        organization: referenceIf(who.organization),
      }),
    ),
    communication: one.communication?.map((language) => pick(language, "language", "preferred")),
    careProvider: references(one.generalPractitioner),
    managingOrganization: referenceIf(one.managingOrganization),
    link: one.link?.map(({ other, type }) => ({ other: reference(other), type: type === "replaced-by" ? "replace" : type })),
  });

export function patientToR4({ careProvider, animal: _animal, link, contact, ...one }: r2.Patient): r4.Patient {
  return compact({
    ...one,
    name: one.name?.map(nameToR4),
    contact: contact?.map((who) => compact({ ...who, name: who.name && nameToR4(who.name) })),
    generalPractitioner: careProvider,
    link: link?.map(({ other, type }) => ({ other, type: type === "replace" ? "replaced-by" : type })),
  } as r4.Patient);
}

export const relatedPerson = (one: Plain<r4.RelatedPerson>): r2.RelatedPerson =>
  compact({
    resourceType: "RelatedPerson",
    ...base(one),
    ...pick(one, "gender", "birthDate", "photo", "period"),
    identifier: one.identifier?.map(identifier),
    patient: reference(one.patient),
    relationship: first(one.relationship),
    name: one.name?.[0] && name(one.name[0]),
    telecom: one.telecom?.map(telecom),
    address: one.address?.map(address),
  });

export const flag = (one: Plain<r4.Flag>): r2.Flag =>
  compact({
    resourceType: "Flag",
    ...base(one),
    ...pick(one, "status", "period"),
    category: first(one.category),
    code: one.code,
    subject: reference(one.subject),
  });

/** DSTU2's Practitioner contains R4's PractitionerRole. */
export const practitioner = (one: Plain<r4.Practitioner>, around: Surroundings): r2.Practitioner => {
  const roles = around.all("PractitionerRole").filter(({ practitioner: of }) => of?.reference === `Practitioner/${one.id}`);
  return compact({
    resourceType: "Practitioner",
    ...base(one),
    ...pick(one, "active", "gender", "birthDate", "photo", "communication"),
    identifier: one.identifier?.map(identifier),
    name: one.name?.[0] && name(one.name[0]),
    telecom: one.telecom?.map(telecom),
    address: one.address?.map(address),
    practitionerRole: roles.length > 0 ? roles.map(role) : undefined,
  });
};

const role = (one: Plain<r4.PractitionerRole>): r2.PractitionerPractitionerRole =>
  compact({
    ...pick(one, "specialty", "period"),
    role: first(one.code),
    managingOrganization: referenceIf(one.organization),
    location: references(one.location),
  });

export const organization = (one: Plain<r4.Organization>): r2.Organization =>
  compact({
    resourceType: "Organization",
    ...base(one),
    ...pick(one, "active", "name"),
    identifier: one.identifier?.map(identifier),
    type: first(one.type),
    telecom: one.telecom?.map(telecom),
    address: one.address?.map(address),
    partOf: referenceIf(one.partOf),
  });

export const group = (one: Plain<r4.Group>): r2.Group =>
  compact({
    resourceType: "Group",
    ...base(one),
    ...pick(one, "type", "actual", "code", "name", "quantity"),
    identifier: one.identifier?.map(identifier),
    member: one.member?.map((who) => compact({ ...pick(who, "period", "inactive"), entity: reference(who.entity) })),
  });
