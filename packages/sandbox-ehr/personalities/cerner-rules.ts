import type { Appointment, Communication } from "fhir/r4.js";
import { Refusal } from "../http/http.ts";
import { parseReference, type Resource, type ResourceType } from "../store/resource.ts";
import type { FhirVersion } from "../versions/version.ts";
import type { FhirRequest } from "./personality.ts";

const ofOnePatient: readonly ResourceType[] = [
  "RelatedPerson",
  "Condition",
  "AllergyIntolerance",
  "Observation",
  "MedicationRequest",
  "MedicationDispense",
  "MedicationStatement",
  "Coverage",
];
const requiredParameters: Partial<Record<ResourceType, readonly string[]>> = {
  ...Object.fromEntries(ofOnePatient.map((type) => [type, ["_id", "patient", "subject", "beneficiary"]])),
  Patient: ["_id", "identifier", "name", "family", "given", "birthdate", "phone", "email"],
  Practitioner: ["_id", "identifier", "name", "family", "given", "specialty", "location", "organization"],
  Communication: ["_id", "patient", "subject", "recipient", "sender", "category", "identifier"],
  Slot: ["_id", "start"],
  Appointment: ["_id", "date", "identifier"],
};
const pairs: Partial<Record<ResourceType, string>> = { Slot: "start", Appointment: "date" };
const dated = new Set(["start", "date", "_lastUpdated", "authoredon", "whenhandedover", "sent", "effective"]);
const edge = /^(ge|lt)\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

const refuse = (status: number, text: string): never => {
  throw new Refusal(status, status === 400 ? "invalid" : "business-rule", text);
};

export function checkSearch({ type, params }: FhirRequest): void {
  if (params.has("_page")) return;
  const wanted = requiredParameters[type];
  if (wanted && !wanted.some((name) => params.get(name))) refuse(400, `A search of ${type} needs one of ${wanted.join(", ")}`);
  for (const name of new Set(params.keys()))
    if (!dated.has(name) && !name.startsWith("_") && params.getAll(name).length > 1) refuse(400, `"${name}" may be given once`);
  const pair = pairs[type];
  if (!pair || !params.has(pair)) return;
  const edges = params.getAll(pair).map((value) => edge.exec(value)?.[1]);
  if (edges.toSorted().join() !== "ge,lt") refuse(400, `"${pair}" is a pair of ge and lt, both with time and offset`);
}

export function checkWrite({ interaction, type, resource, call, version }: FhirRequest): void {
  if (resource && hasElement(resource, "modifierExtension")) refuse(422, "modifierExtension is not supported");
  if (resource && "implicitRules" in resource) refuse(422, "implicitRules is not supported");
  if (interaction !== "create" && call.headers["if-match"] === undefined) refuse(400, "If-Match is required");
  if (resource?.resourceType === "Appointment") (interaction === "create" ? checkNewAppointment : checkMove)(resource, version);
  if (type === "Communication") checkMessage(resource as Communication);
}

const hasElement = (value: unknown, name: string): boolean =>
  typeof value === "object" && value !== null && (name in value || Object.values(value).some((inner) => hasElement(inner, name)));

const actorsOf = ({ participant }: Appointment) => participant.map(({ actor }) => parseReference(actor?.reference)?.type);

/** https://fhir.cerner.com: R4 books one slot for one patient, or takes a request; DSTU2 takes requests only. */
function checkNewAppointment(appointment: Appointment, version: FhirVersion): void {
  const { status, slot = [], participant, serviceType = [], requestedPeriod = [] } = appointment;
  const [only] = participant;
  if (version === "DSTU2") {
    if (status !== "proposed") refuse(422, "An appointment can only be proposed");
    if (slot.length !== 1 || participant.length !== 1 || only?.status !== "needs-action")
      refuse(422, "A proposed appointment names one slot and one participant who needs action");
  } else if (status === "booked") {
    if (slot.length !== 1) refuse(422, "A booked appointment names exactly one slot");
    if (participant.length !== 1 || actorsOf(appointment)[0] !== "Patient" || only?.status !== "accepted" || only.type)
      refuse(422, "A booked appointment has exactly one participant: a patient who has accepted");
  } else if (status === "proposed") {
    const actors = actorsOf(appointment).toSorted().join();
    if (
      serviceType.length !== 1 ||
      requestedPeriod.length !== 1 ||
      actors !== "Location,Patient" ||
      participant.some((one) => one.status !== "needs-action")
    )
      refuse(422, "A proposed appointment has one service type, one requested period, a patient and a location who need action");
  } else refuse(422, "An appointment is created as booked or proposed");
}

function checkMove({ status }: Appointment, version: FhirVersion): void {
  if (version === "DSTU2" && status !== "arrived" && status !== "cancelled")
    refuse(422, "An appointment can only be set to arrived or cancelled");
}

/** Messages go from staff to staff: http://fhir.cerner.com/millennium/r4/base/workflow/communication/ */
function checkMessage({ recipient = [], sender, payload = [] }: Communication): void {
  const isOf = (types: string[]) => (one: { reference?: string } | undefined) => types.includes(parseReference(one?.reference)?.type ?? "");
  if (recipient.length === 0 || !recipient.every(isOf(["Practitioner", "Group"])))
    refuse(422, "The recipient must be a Practitioner or a Group");
  if (!isOf(["Practitioner"])(sender)) refuse(422, "The sender must be a Practitioner");
  if (payload.length === 0 || !payload.every(({ contentAttachment }) => contentAttachment))
    refuse(422, "The payload must be a contentAttachment");
}

/** A merged chart can be read by id but is not found by a search. */
export const isMerged = (resource: Resource | undefined): boolean =>
  resource?.resourceType === "Patient" && (resource.link ?? []).some(({ type }) => type === "replaced-by");
