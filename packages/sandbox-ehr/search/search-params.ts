import type { Address, CodeableConcept, ContactPoint, HumanName, Identifier, Reference } from "fhir/r4.js";
import type { Resource, ResourceOf, ResourceType } from "../store/resource.ts";

export interface Token {
  system?: string | undefined;
  code?: string | undefined;
  text?: string | undefined;
}

export type SearchParam<R> =
  | { type: "string"; values: (resource: R) => (string | undefined)[] }
  | { type: "token"; values: (resource: R) => Token[] }
  | { type: "date"; values: (resource: R) => (string | undefined)[] }
  | { type: "reference"; values: (resource: R) => (string | undefined)[] };

type ParamTable = { [T in ResourceType]: Record<string, SearchParam<ResourceOf<T>>> };

/** Both names that FHIR has for the patient of a resource. */
const ofSubject = <R extends { subject?: Reference }>(): Record<"patient" | "subject", SearchParam<R>> => ({
  patient: { type: "reference", values: ({ subject }) => [subject?.reference] },
  subject: { type: "reference", values: ({ subject }) => [subject?.reference] },
});
const ofPatient = <R extends { patient?: Reference }>(): SearchParam<R> => ({
  type: "reference",
  values: ({ patient }) => [patient?.reference],
});
const byStatus = <R extends { status?: string }>(): SearchParam<R> => ({ type: "token", values: ({ status }) => [{ code: status }] });
const byIdentifier = <R extends { identifier?: Identifier[] }>(): SearchParam<R> => ({
  type: "token",
  values: ({ identifier = [] }) => identifier.map(identifierToken),
});
const byCode = <R extends { code?: CodeableConcept }>(): SearchParam<R> => ({ type: "token", values: ({ code }) => conceptTokens(code) });
const byCategory = <R extends { category?: CodeableConcept[] }>(): SearchParam<R> => ({
  type: "token",
  values: ({ category = [] }) => category.flatMap(conceptTokens),
});
const byMedication = <R extends { medicationCodeableConcept?: CodeableConcept; medicationReference?: Reference }>(): Record<
  "medication" | "code",
  SearchParam<R>
> => ({
  medication: { type: "reference", values: ({ medicationReference }) => [medicationReference?.reference] },
  code: { type: "token", values: ({ medicationCodeableConcept }) => conceptTokens(medicationCodeableConcept) },
});
const byPersonName = <R extends { name?: HumanName[] }>(): Record<"name" | "family" | "given", SearchParam<R>> => ({
  name: { type: "string", values: ({ name = [] }) => name.flatMap(nameParts) },
  family: { type: "string", values: ({ name = [] }) => name.map(({ family }) => family) },
  given: { type: "string", values: ({ name = [] }) => name.flatMap(({ given = [] }) => given) },
});
const contactParams = <R extends { telecom?: ContactPoint[] }>(): Record<"phone" | "email", SearchParam<R>> => ({
  phone: { type: "token", values: ({ telecom = [] }) => contacts(telecom, "phone").map((value) => ({ code: phoneDigits(value) })) },
  email: { type: "token", values: ({ telecom = [] }) => contacts(telecom, "email").map((value) => ({ code: value })) },
});

/** Source of the CapabilityStatement's search parameters. */
export const searchParams: ParamTable = {
  Patient: {
    ...byPersonName<ResourceOf<"Patient">>(),
    ...contactParams<ResourceOf<"Patient">>(),
    birthdate: { type: "date", values: ({ birthDate }) => [birthDate] },
    identifier: byIdentifier(),
    "address-postalcode": { type: "string", values: ({ address = [] }) => address.map((one: Address) => one.postalCode) },
    gender: { type: "token", values: ({ gender }) => [{ code: gender }] },
    active: { type: "token", values: ({ active }) => [{ code: String(active ?? true) }] },
  },
  RelatedPerson: {
    ...byPersonName<ResourceOf<"RelatedPerson">>(),
    ...contactParams<ResourceOf<"RelatedPerson">>(),
    patient: ofPatient(),
    relationship: { type: "token", values: ({ relationship = [] }) => relationship.flatMap(conceptTokens) },
  },
  Flag: ofSubject<ResourceOf<"Flag">>(),
  Practitioner: {
    ...byPersonName<ResourceOf<"Practitioner">>(),
    identifier: byIdentifier(),
    active: { type: "token", values: ({ active }) => [{ code: String(active ?? true) }] },
  },
  PractitionerRole: {
    practitioner: { type: "reference", values: ({ practitioner }) => [practitioner?.reference] },
    location: { type: "reference", values: ({ location = [] }) => references(location) },
    organization: { type: "reference", values: ({ organization }) => [organization?.reference] },
    specialty: { type: "token", values: ({ specialty = [] }) => specialty.flatMap(conceptTokens) },
    active: { type: "token", values: ({ active }) => [{ code: String(active ?? true) }] },
  },
  Organization: {
    name: { type: "string", values: ({ name, alias = [] }) => [name, ...alias] },
    identifier: byIdentifier(),
    type: { type: "token", values: ({ type = [] }) => type.flatMap(conceptTokens) },
  },
  Location: {
    name: { type: "string", values: ({ name }) => [name] },
    "address-city": { type: "string", values: ({ address }) => [address?.city] },
    status: byStatus(),
  },
  Group: {
    identifier: byIdentifier(),
    type: { type: "token", values: ({ type }) => [{ code: type }] },
    code: byCode(),
    member: { type: "reference", values: ({ member = [] }) => member.map(({ entity }) => entity.reference) },
  },
  Schedule: {
    actor: { type: "reference", values: ({ actor }) => references(actor) },
    "service-type": { type: "token", values: ({ serviceType = [] }) => serviceType.flatMap(conceptTokens) },
    specialty: { type: "token", values: ({ specialty = [] }) => specialty.flatMap(conceptTokens) },
  },
  Slot: {
    schedule: { type: "reference", values: ({ schedule }) => [schedule.reference] },
    status: byStatus(),
    start: { type: "date", values: ({ start }) => [start] },
    "service-type": { type: "token", values: ({ serviceType = [] }) => serviceType.flatMap(conceptTokens) },
    specialty: { type: "token", values: ({ specialty = [] }) => specialty.flatMap(conceptTokens) },
  },
  Appointment: {
    patient: { type: "reference", values: ({ participant }) => actors(participant, "Patient") },
    practitioner: { type: "reference", values: ({ participant }) => actors(participant, "Practitioner") },
    location: { type: "reference", values: ({ participant }) => actors(participant, "Location") },
    actor: { type: "reference", values: ({ participant }) => participant.map(({ actor }) => actor?.reference) },
    slot: { type: "reference", values: ({ slot = [] }) => references(slot) },
    date: { type: "date", values: ({ start }) => [start] },
    status: byStatus(),
    "service-type": { type: "token", values: ({ serviceType = [] }) => serviceType.flatMap(conceptTokens) },
    identifier: byIdentifier(),
  },
  Condition: {
    ...ofSubject<ResourceOf<"Condition">>(),
    "clinical-status": { type: "token", values: ({ clinicalStatus }) => conceptTokens(clinicalStatus) },
    "verification-status": { type: "token", values: ({ verificationStatus }) => conceptTokens(verificationStatus) },
    category: byCategory(),
    code: byCode(),
    "onset-date": { type: "date", values: ({ onsetDateTime }) => [onsetDateTime] },
    "recorded-date": { type: "date", values: ({ recordedDate }) => [recordedDate] },
  },
  AllergyIntolerance: {
    patient: ofPatient(),
    "clinical-status": { type: "token", values: ({ clinicalStatus }) => conceptTokens(clinicalStatus) },
    "verification-status": { type: "token", values: ({ verificationStatus }) => conceptTokens(verificationStatus) },
    category: { type: "token", values: ({ category = [] }) => category.map((code) => ({ code })) },
    code: byCode(),
    criticality: { type: "token", values: ({ criticality }) => [{ code: criticality }] },
    date: { type: "date", values: ({ recordedDate }) => [recordedDate] },
  },
  Observation: {
    ...ofSubject<ResourceOf<"Observation">>(),
    category: byCategory(),
    code: byCode(),
    date: { type: "date", values: ({ effectiveDateTime }) => [effectiveDateTime] },
    status: byStatus(),
  },
  Medication: {
    code: byCode(),
    status: byStatus(),
  },
  MedicationRequest: {
    ...ofSubject<ResourceOf<"MedicationRequest">>(),
    ...byMedication<ResourceOf<"MedicationRequest">>(),
    status: byStatus(),
    intent: { type: "token", values: ({ intent }) => [{ code: intent }] },
    authoredon: { type: "date", values: ({ authoredOn }) => [authoredOn] },
    requester: { type: "reference", values: ({ requester }) => [requester?.reference] },
    identifier: byIdentifier(),
  },
  MedicationDispense: {
    ...ofSubject<ResourceOf<"MedicationDispense">>(),
    ...byMedication<ResourceOf<"MedicationDispense">>(),
    status: byStatus(),
    prescription: { type: "reference", values: ({ authorizingPrescription = [] }) => references(authorizingPrescription) },
    whenhandedover: { type: "date", values: ({ whenHandedOver }) => [whenHandedOver] },
  },
  MedicationStatement: {
    ...ofSubject<ResourceOf<"MedicationStatement">>(),
    ...byMedication<ResourceOf<"MedicationStatement">>(),
    status: byStatus(),
    effective: { type: "date", values: ({ effectivePeriod, effectiveDateTime }) => [effectivePeriod?.start ?? effectiveDateTime] },
  },
  Coverage: {
    patient: { type: "reference", values: ({ beneficiary }) => [beneficiary.reference] },
    beneficiary: { type: "reference", values: ({ beneficiary }) => [beneficiary.reference] },
    payor: { type: "reference", values: ({ payor }) => references(payor) },
    status: byStatus(),
    type: { type: "token", values: ({ type }) => conceptTokens(type) },
    identifier: byIdentifier(),
  },
  CoverageEligibilityRequest: {
    patient: ofPatient(),
    status: byStatus(),
    created: { type: "date", values: ({ created }) => [created] },
    identifier: byIdentifier(),
  },
  CoverageEligibilityResponse: {
    patient: ofPatient(),
    request: { type: "reference", values: ({ request }) => [request.reference] },
    status: byStatus(),
    outcome: { type: "token", values: ({ outcome }) => [{ code: outcome }] },
    created: { type: "date", values: ({ created }) => [created] },
    identifier: byIdentifier(),
  },
  Communication: {
    ...ofSubject<ResourceOf<"Communication">>(),
    status: byStatus(),
    category: byCategory(),
    sent: { type: "date", values: ({ sent }) => [sent] },
    sender: { type: "reference", values: ({ sender }) => [sender?.reference] },
    recipient: { type: "reference", values: ({ recipient = [] }) => references(recipient) },
    identifier: byIdentifier(),
  },
  CommunicationRequest: {
    ...ofSubject<ResourceOf<"CommunicationRequest">>(),
    status: byStatus(),
    category: byCategory(),
    authored: { type: "date", values: ({ authoredOn }) => [authoredOn] },
    recipient: { type: "reference", values: ({ recipient = [] }) => references(recipient) },
    identifier: byIdentifier(),
  },
};

export const commonParams: Record<string, SearchParam<Resource>> = {
  _id: { type: "token", values: ({ id }) => [{ code: id }] },
  _lastUpdated: { type: "date", values: ({ meta }) => [meta?.lastUpdated] },
};

/** The last ten digits, so that formats do not matter. */
export const phoneDigits = (text: string) => text.replace(/\D/g, "").slice(-10);

const nameParts = ({ family, given = [], prefix = [], text }: HumanName) => [family, ...given, ...prefix, text];
const identifierToken = ({ system, value }: Identifier): Token => ({ system, code: value });
const contacts = (telecom: ContactPoint[], system: ContactPoint["system"]) =>
  telecom.flatMap((contact) => (contact.system === system && contact.value ? [contact.value] : []));
const references = (list: Reference[]) => list.map(({ reference }) => reference);
const actors = (participant: { actor?: Reference }[], type: string) =>
  participant.map(({ actor }) => actor?.reference).filter((reference) => reference?.startsWith(`${type}/`));
const conceptTokens = ({ coding = [{}], text }: CodeableConcept = {}): Token[] =>
  coding.map(({ system, code, display }) => ({ system, code, text: display ?? text }));
