import type { Bundle, Patient } from "fhir/r4.js";
import type { Reply } from "../http/http.ts";
import type { ResourceType } from "../store/resource.ts";
import { type Abilities, epicIds, type FhirRequest, type Interaction, type Operation, type Personality } from "./personality.ts";
import { epicCodes, epicOutcome, EpicRefusal, epicWarning } from "./epic-outcome.ts";
import { checkNewPatient, checkPatientSearch, searchPatients } from "./epic-patients.ts";

const readable: readonly ResourceType[] = [
  "Patient",
  "RelatedPerson",
  "Practitioner",
  "PractitionerRole",
  "Organization",
  "Location",
  "Group",
  "Condition",
  "AllergyIntolerance",
  "Observation",
  "Medication",
  "MedicationRequest",
  "MedicationDispense",
  "Coverage",
  "Communication",
];
const looks: readonly Interaction[] = ["read", "search-type"];
const withCreate: readonly Interaction[] = ["read", "search-type", "create"];
const match: Operation = { type: "Patient", name: "match" };

/** At Epic, appointments are read in R4 and created in STU3, and DSTU2 is read-only. */
const abilitiesOf: Record<"R4" | "STU3" | "DSTU2", Pick<Abilities, "interactions" | "operations">> = {
  R4: {
    interactions: { ...every(readable), Patient: withCreate, Communication: withCreate, Appointment: looks },
    operations: [match],
  },
  STU3: {
    interactions: { ...every(readable), Patient: withCreate, Communication: withCreate, MedicationStatement: looks },
    operations: [match, { type: "Appointment", name: "find" }, { type: "Appointment", name: "book" }],
  },
  DSTU2: { interactions: { ...every(readable.filter((type) => type !== "Communication")), MedicationStatement: looks }, operations: [] },
};

function every(types: readonly ResourceType[]): Abilities["interactions"] {
  return Object.fromEntries(types.map((type) => [type, looks]));
}

/** Like Epic: weighted patient search, $match, no updates, booking by $find and $book, numbered errors. */
export const epicLike: Personality = {
  name: "epic-like",
  software: { name: "Sandbox like Epic", version: "1" },
  vendor: "epic",
  summary:
    "A patient search needs enough parameters and also finds patients who differ in one; $match; no updates; appointments are read in R4 and booked by Appointment/$find and $book in STU3; DSTU2 is read-only; errors have numbers.",
  paths: { R4: "/epic-like/api/FHIR/R4", STU3: "/epic-like/api/FHIR/STU3", DSTU2: "/epic-like/api/FHIR/DSTU2" },
  tokenPath: "/epic-like/oauth2/token",
  algorithms: ["RS384", "ES384", "RS256"],
  wildcardScopes: true,
  abilities: (version) => ({ ...abilitiesOf[version], transaction: false, conditionalCreate: false }),
  ids: epicIds,
  check(request, store) {
    const { interaction, type, resource } = request;
    if (interaction === "search-type") checkSearch(request);
    if (interaction === "create" && type === "Patient") {
      checkNewPatient(resource as Patient, store);
      for (const element of droppedElements) delete (resource as Patient)[element];
    }
  },
  search: (request, server) => (request.type === "Patient" ? searchPatients(request, server) : undefined),
  reply: (request, reply) => (request.interaction === "search-type" ? withEmptyResultWarning(reply) : reply),
  outcome: epicOutcome,
};

const droppedElements = ["contact", "photo", "multipleBirthBoolean", "multipleBirthInteger"] as const;

const dates = /^(?:(?:eq|lt|le|gt|ge)?\d{4}(?!\d)|[^\d]*$)/;
const dateNames = new Set(["date", "start", "birthdate", "_lastUpdated", "authoredon", "whenhandedover", "onset-date", "recorded-date"]);

function checkSearch(request: FhirRequest): void {
  const { type, params } = request;
  if (params.has("_page")) return;
  if (type === "Patient") checkPatientSearch(request);
  if ((type === "Observation" || type === "Condition") && !["_id", "category", "code"].some((name) => params.has(name)))
    throw new EpicRefusal(400, "required", epicCodes.missingParameter, `A search of ${type} needs a category or a code`);
  for (const [name, value] of params)
    if (dateNames.has(name) && !dates.test(value))
      throw new EpicRefusal(400, "invalid", epicCodes.badParameter, `"${name}" takes the prefixes eq, lt, le, gt and ge only`);
}

/** An empty result contains an OperationOutcome entry. */
function withEmptyResultWarning(reply: Reply): Reply {
  const bundle = reply.body as Bundle;
  if (bundle.entry?.length) return reply;
  const resource = epicWarning(epicCodes.nothingFound, "Resource request returns no results.");
  return { ...reply, body: { ...bundle, total: 0, entry: [{ resource, search: { mode: "outcome" } }] } };
}
