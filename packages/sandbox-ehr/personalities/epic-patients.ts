import type { Patient } from "fhir/r4.js";
import type { Reply } from "../http/http.ts";
import type { Stored } from "../store/resource.ts";
import { matching } from "../search/search.ts";
import type { View } from "../store/store.ts";
import type { FhirRequest, Personality } from "./personality.ts";
import { epicCodes, EpicRefusal } from "./epic-outcome.ts";

const maxPatients = 100;
/** A search must name all parameters of one of these sets. */
const parameterSets = [
  ["_id"],
  ["identifier"],
  ["given", "family", "birthdate"],
  ["given", "family", "gender", "phone"],
  ["given", "family", "gender", "email"],
];
const weighed = ["given", "family", "birthdate", "gender", "phone", "email", "address-postalcode", "name"];

export function checkPatientSearch({ params }: FhirRequest): void {
  const given = (name: string) => [...params].some(([key, value]) => key.split(":")[0] === name && value !== "");
  if (!parameterSets.some((names) => names.every(given)))
    throw new EpicRefusal(400, "required", epicCodes.missingParameter, "Too few parameters to look for a patient");
  const identifier = params.get("identifier");
  if (identifier && !identifier.includes("|"))
    throw new EpicRefusal(400, "invalid", epicCodes.badParameter, "An identifier is searched as type|value");
}

/** Weighs matching values, so that a patient who differs in one value is found too. */
export function searchPatients(
  { params }: FhirRequest,
  { store, search }: Parameters<NonNullable<Personality["search"]>>[1],
): Reply | undefined {
  const criteria = [...params].filter(([key, value]) => weighed.includes(key.split(":")[0] ?? "") && value !== "");
  if (params.has("_page") || params.has("identifier") || criteria.length < 3) return undefined;
  const hits = new Map<Stored<"Patient">, number>();
  for (const criterion of criteria)
    for (const patient of matching(store, "Patient", new URLSearchParams([criterion]))) hits.set(patient, (hits.get(patient) ?? 0) + 1);
  const found = [...hits].filter(([, count]) => count >= criteria.length - 1).toSorted((a, b) => b[1] - a[1]);
  if (found.length > maxPatients) throw new EpicRefusal(400, "too-costly", epicCodes.tooMany, "Too many patients were found");
  const bundle = search.run(
    "Patient",
    new URLSearchParams({ _id: found.map(([{ id }]) => id).join(",") || "none", _count: String(maxPatients) }),
  );
  const scoreOf = (id: string | undefined) => (found.find(([one]) => one.id === id)?.[1] ?? 0) / criteria.length;
  const entry = (bundle.entry ?? [])
    .map((one) => ({ ...one, search: { mode: "match" as const, score: scoreOf(one.resource?.id) } }))
    .toSorted((a, b) => b.search.score - a.search.score);
  return { status: 200, body: { ...bundle, entry } };
}

export function checkNewPatient(patient: Patient, store: View): void {
  const [name] = patient.name ?? [];
  if (!name?.family || !name.given?.[0] || !patient.birthDate)
    throw new EpicRefusal(400, "required", epicCodes.requiredElement, "A patient needs given and family name and birth date");
  const same = store
    .all("Patient")
    .some(
      (other) =>
        other.birthDate === patient.birthDate &&
        other.name?.some((one) => one.family === name.family && one.given?.[0] === name.given?.[0]),
    );
  if (same) throw new EpicRefusal(422, "duplicate", epicCodes.duplicate, "This patient is on file");
}
