import type { Address, CodeableConcept, ContactPoint, HumanName, Identifier, Reference } from "fhir/r4.js";
import type { ResourceOf, ResourceType } from "./resource.ts";

export interface Token {
  system?: string | undefined;
  code?: string | undefined;
  text?: string | undefined;
}

/** What a search parameter looks at in a resource, and how it compares. */
export type SearchParam<R> =
  | { type: "string"; values: (resource: R) => (string | undefined)[] }
  | { type: "token"; values: (resource: R) => Token[] }
  | { type: "date"; values: (resource: R) => (string | undefined)[] }
  | { type: "reference"; values: (resource: R) => (string | undefined)[] };

type ParamTable = { [T in ResourceType]: Record<string, SearchParam<ResourceOf<T>>> };

/** Every search this server answers; its CapabilityStatement is printed from this table. */
export const searchParams: ParamTable = {
  Patient: {
    family: { type: "string", values: ({ name = [] }) => name.map(({ family }) => family) },
    given: { type: "string", values: ({ name = [] }) => name.flatMap(({ given = [] }) => given) },
    name: { type: "string", values: ({ name = [] }) => name.flatMap(nameParts) },
    birthdate: { type: "date", values: ({ birthDate }) => [birthDate] },
    identifier: { type: "token", values: ({ identifier = [] }) => identifier.map(identifierToken) },
    phone: { type: "token", values: ({ telecom = [] }) => contacts(telecom, "phone").map((value) => ({ code: phoneDigits(value) })) },
    email: { type: "token", values: ({ telecom = [] }) => contacts(telecom, "email").map((value) => ({ code: value })) },
    "address-postalcode": { type: "string", values: ({ address = [] }) => address.map((one: Address) => one.postalCode) },
    gender: { type: "token", values: ({ gender }) => [{ code: gender }] },
  },
  Practitioner: {
    name: { type: "string", values: ({ name = [] }) => name.flatMap(nameParts) },
    family: { type: "string", values: ({ name = [] }) => name.map(({ family }) => family) },
    given: { type: "string", values: ({ name = [] }) => name.flatMap(({ given = [] }) => given) },
  },
  PractitionerRole: {
    practitioner: { type: "reference", values: ({ practitioner }) => [practitioner?.reference] },
    location: { type: "reference", values: ({ location = [] }) => references(location) },
    specialty: { type: "token", values: ({ specialty = [] }) => specialty.flatMap(conceptTokens) },
  },
  Location: {
    name: { type: "string", values: ({ name }) => [name] },
  },
  Schedule: {
    actor: { type: "reference", values: ({ actor }) => references(actor) },
    "service-type": { type: "token", values: ({ serviceType = [] }) => serviceType.flatMap(conceptTokens) },
    specialty: { type: "token", values: ({ specialty = [] }) => specialty.flatMap(conceptTokens) },
  },
  Slot: {
    schedule: { type: "reference", values: ({ schedule }) => [schedule.reference] },
    status: { type: "token", values: ({ status }) => [{ code: status }] },
    start: { type: "date", values: ({ start }) => [start] },
    "service-type": { type: "token", values: ({ serviceType = [] }) => serviceType.flatMap(conceptTokens) },
    specialty: { type: "token", values: ({ specialty = [] }) => specialty.flatMap(conceptTokens) },
  },
  Appointment: {
    patient: { type: "reference", values: ({ participant }) => actors(participant, "Patient") },
    practitioner: { type: "reference", values: ({ participant }) => actors(participant, "Practitioner") },
    location: { type: "reference", values: ({ participant }) => actors(participant, "Location") },
    slot: { type: "reference", values: ({ slot = [] }) => references(slot) },
    date: { type: "date", values: ({ start }) => [start] },
    status: { type: "token", values: ({ status }) => [{ code: status }] },
    identifier: { type: "token", values: ({ identifier = [] }) => identifier.map(identifierToken) },
  },
};

/** A phone number is compared by its last ten digits, however it is written. */
export const phoneDigits = (text: string) => text.replace(/\D/g, "").slice(-10);

const nameParts = ({ family, given = [], prefix = [], text }: HumanName) => [family, ...given, ...prefix, text];
const identifierToken = ({ system, value }: Identifier): Token => ({ system, code: value });
const contacts = (telecom: ContactPoint[], system: ContactPoint["system"]) =>
  telecom.flatMap((contact) => (contact.system === system && contact.value ? [contact.value] : []));
const references = (list: Reference[]) => list.map(({ reference }) => reference);
const actors = (participant: { actor?: Reference }[], type: string) =>
  participant.map(({ actor }) => actor?.reference).filter((reference) => reference?.startsWith(`${type}/`));
const conceptTokens = ({ coding = [], text }: CodeableConcept): Token[] =>
  coding.map(({ system, code, display }) => ({ system, code, text: display ?? text }));
