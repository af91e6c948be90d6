import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { codeMap } from "../convert/code-systems.ts";
import { converter, first, list, type Loose } from "../convert/converter.ts";
import { crossVersionExtension } from "../convert/cross-version-extension.ts";

/** DSTU2 has one link type for both directions of a replacement. */
const linkTypes = codeMap([
  ["replace", "replaced-by"],
  ["seealso", "seealso"],
  ["seealso", "replaces"],
]);

/** https://hl7.org/fhir/DSTU2/patient.html */
export const patient = converter<R2.Patient, R4.Patient>(
  "Patient",
  "Patient",
  ({ name, contact, careProvider, link: links, ...same }) => ({
    ...same,
    name: name?.map(nameToR4),
    contact: contact?.map((one) => ({ ...one, name: one.name && nameToR4(one.name) })),
    generalPractitioner: list(careProvider),
    link: links?.map((one) => ({ ...one, type: linkTypes.toR4(one.type) })),
  }),
  ({ name, telecom, address, contact, generalPractitioner, link: links, ...same }) => ({
    ...same,
    name: name?.map(nameToNative),
    telecom: telecom?.map(telecomToNative),
    address: address?.map(addressToNative),
    contact: contact?.map((one) => ({
      ...one,
      name: one.name && nameToNative(one.name),
      telecom: one.telecom?.map(telecomToNative),
      address: one.address && addressToNative(one.address),
    })),
    careProvider: generalPractitioner,
    link: links?.map((one) => ({ ...one, type: linkTypes.toNative(one.type) })),
  }),
);

/** https://hl7.org/fhir/DSTU2/relatedperson.html: one name, one relationship, and never inactive. */
export const relatedPerson = converter<R2.RelatedPerson, R4.RelatedPerson>(
  "RelatedPerson",
  "RelatedPerson",
  ({ name, relationship, ...same }) => ({ ...same, name: list(name)?.map(nameToR4), relationship: list(relationship) }),
);

/** https://hl7.org/fhir/DSTU2/flag.html: one category. */
export const flag = converter<R2.Flag, R4.Flag>("Flag", "Flag", ({ category, ...same }) => ({ ...same, category: list(category) }));

/** https://hl7.org/fhir/DSTU2/practitioner.html: one name; roles are embedded, see extractRoles. */
export const practitioner = converter<R2.Practitioner, R4.Practitioner>("Practitioner", "Practitioner", ({ name, ...same }) => ({
  ...same,
  name: list(name)?.map(nameToR4),
}));

/** A role's id is its practitioner's id and its index: "prac-3.role-0". */
const roleSuffix = ".role-";

export const rolePractitionerId = (roleId: string): string => roleId.replace(/\.role-\d+$/, "");

type Role = Loose<R2.PractitionerPractitionerRole>;

/** The embedded roles as PractitionerRole resources; one empty role for a practitioner without roles. */
export function extractRoles(holder: object): R4.PractitionerRole[] {
  const { id = "", active, name, telecom, practitionerRole } = holder as Loose<R2.Practitioner>;
  const display = first(name)?.text;
  const roleOf = ({ managingOrganization, role, ...same }: Role, index: number): Loose<R4.PractitionerRole> => ({
    ...same,
    id: `${id}${roleSuffix}${index}`,
    active,
    practitioner: { reference: `Practitioner/${id}`, display },
    organization: managingOrganization,
    code: list(role),
    telecom,
  });
  const roles = practitionerRole?.length ? practitionerRole : [{}];
  return roles.map((role, index) => ({ ...roleOf(role, index), resourceType: "PractitionerRole" }) as R4.PractitionerRole);
}

/** https://hl7.org/fhir/DSTU2/location.html: one type. */
export const location = converter<R2.Location, R4.Location>("Location", "Location", ({ type, ...same }) => ({ ...same, type: list(type) }));

/** https://hl7.org/fhir/DSTU2/organization.html */
export const organization = converter<R2.Organization, R4.Organization>("Organization", "Organization", ({ type, contact, ...same }) => ({
  ...same,
  type: list(type),
  contact: contact?.map((one) => ({ ...one, name: one.name && nameToR4(one.name) })),
}));

/** https://hl7.org/fhir/DSTU2/slot.html */
export const slot = converter<R2.Slot, R4.Slot>("Slot", "Slot", ({ freeBusyType, type, ...same }) => ({
  ...same,
  status: freeBusyType,
  serviceType: list(type),
}));

/** https://hl7.org/fhir/DSTU2/schedule.html: one actor. */
export const schedule = converter<R2.Schedule, R4.Schedule>("Schedule", "Schedule", ({ type, actor, ...same }) => ({
  ...same,
  serviceType: type,
  actor: list(actor) ?? [],
}));

/** DSTU2 lacks the later R4 statuses; the nearest one is sent. */
const appointmentStatus = codeMap([
  ["arrived", "arrived"],
  ["arrived", "checked-in"],
  ["pending", "pending"],
  ["pending", "waitlist"],
  ["cancelled", "cancelled"],
  ["cancelled", "entered-in-error"],
]);
const appointmentExtensions = crossVersionExtension<Pick<Loose<R4.Appointment>, "cancelationReason" | "patientInstruction" | "created">>(
  "Appointment",
  {
    cancelationReason: "CodeableConcept",
    patientInstruction: "String",
    created: "DateTime",
  },
);

/** https://hl7.org/fhir/DSTU2/appointment.html: one type, one reason. */
export const appointment = converter<R2.Appointment, R4.Appointment>(
  "Appointment",
  "Appointment",
  ({ type, reason, ...same }) => ({ ...same, ...appointmentExtensions.read(same), serviceType: list(type), reasonCode: list(reason) }),
  (r4) => {
    const { serviceType, appointmentType, reasonCode, cancelationReason, patientInstruction, created, ...same } = dropUnsupported(r4);
    return {
      ...same,
      ...appointmentExtensions.write({ cancelationReason, patientInstruction, created }, same),
      status: appointmentStatus.toNative(same.status),
      type: first(serviceType) ?? appointmentType,
      reason: first(reasonCode),
    };
  },
);

const dropUnsupported = ({
  serviceCategory: _serviceCategory,
  specialty: _specialty,
  reasonReference: _reasonReference,
  supportingInformation: _supportingInformation,
  basedOn: _basedOn,
  requestedPeriod: _requestedPeriod,
  participant,
  ...same
}: Loose<R4.Appointment>) => ({ ...same, participant: participant.map(({ period: _period, ...one }) => one) });

type Name = Loose<R2.HumanName>;

/** DSTU2 has several family name parts. https://hl7.org/fhir/DSTU2/datatypes.html#HumanName */
const nameToR4 = ({ family, _family: _parts, ...same }: Name & { _family?: unknown }): Loose<R4.HumanName> => ({
  ...same,
  // A part that has only an extension is null.
  ...(family && { family: family.filter((part) => part !== null).join(" ") }),
});
const nameToNative = ({ family, ...same }: Loose<R4.HumanName>): Name => ({
  ...same,
  ...(family !== undefined && { family: [family] }),
});

const contactSystem = codeMap([
  ["other", "other"],
  ["other", "url"],
  ["other", "sms"],
]);

/** DSTU2 has no contact systems for URLs and text messages. */
const telecomToNative = ({ system, ...same }: Loose<R4.ContactPoint>): Loose<R2.ContactPoint> => ({
  ...same,
  ...(system !== undefined && { system: contactSystem.toNative(system) }),
});

const addressToNative = ({ use, ...same }: Loose<R4.Address>): Loose<R2.Address> => ({ ...same, ...(use !== "billing" && { use }) });
