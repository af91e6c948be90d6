import type { Patient } from "fhir/r4.js";
import type { Resource } from "../store/resource.ts";
import type { Store } from "../store/store.ts";
import { chartResources, chartTypes, medicationResources } from "./chart-resources.ts";
import { clinicResources, familyDoctors } from "./clinic.ts";
import { demoCharts } from "./demo-charts.ts";
import { clinicOrganizationId, organizationResources } from "./organizations.ts";
import { generatePatients, hashText, pick, seededRandom } from "./patients.ts";
import { randomChart } from "./random-chart.ts";
import { generateSlots, type SlotDays } from "./slots.ts";
import { relatedPersons, servedMinors, specialPatient } from "./special-patients.ts";

export const defaultSeed = 20;

export interface DemoPatient {
  id: string;
  given: string;
  family: string;
  birthDate: string;
  phone: string;
  zip: string;
  mrn: string;
}

export function demoPatients(seed = defaultSeed): DemoPatient[] {
  return generatePatients(seed).slice(0, 6).map(demoPatient);
}

const toE164 = (phone: string): string => `+1${phone.replace(/\D/g, "").slice(-10)}`;

export function demoPatient({ id, name, birthDate, telecom, address, identifier }: Patient & { id: string }): DemoPatient {
  const phone = telecom?.find(({ system }) => system === "phone")?.value ?? "";
  return {
    id,
    given: name?.[0]?.given?.[0] ?? "",
    family: name?.[0]?.family ?? "",
    birthDate: birthDate ?? "",
    phone: toE164(phone),
    zip: address?.[0]?.postalCode ?? "",
    mrn: identifier?.[0]?.value ?? "",
  };
}

/** A child whose parent may call. */
export type DemoChild = DemoPatient & { parent: { name: string; phone: string } };

export const demoChildren = (store: Store): DemoChild[] =>
  servedMinors.flatMap(({ id, parent, phone }) => {
    const patient = store.get("Patient", id);
    if (!patient) return [];
    const child = demoPatient(patient);
    return [{ ...child, parent: { name: `${parent} ${child.family}`, phone: toE164(phone) } }];
  });

/** Fills an empty store; an existing one gets only missing resources, e.g. slots of new days. Charts are dated by the first seeding. */
export async function seedStore(store: Store, now: Date, seed: number, slotDays?: SlotDays): Promise<void> {
  const writtenAt = new Date(store.get("Organization", clinicOrganizationId)?.meta.lastUpdated ?? now);
  const people = generatePatients(seed).map((patient) => specialPatient(patient, writtenAt));
  const clinic = [...organizationResources(), ...medicationResources(), ...clinicResources()];
  await commitMissing(store, [...people, ...relatedPersons(people, writtenAt), ...clinic]);
  const bookable = store.all("Patient").filter((patient) => patient.active && !patient.deceasedBoolean);
  await commitMissing(store, generateSlots(store.all("Schedule"), bookable, now, seed, slotDays));

  const byId = new Map(people.map((patient) => [patient.id, patient]));
  store.growFrom({
    types: chartTypes,
    patientIds: [...byId.keys()],
    writtenAt: writtenAt.toISOString(),
    chartOf: (patientId) => chartOf(byId.get(patientId)!, writtenAt, seed),
  });
}

async function commitMissing(store: Store, planned: Resource[]): Promise<void> {
  const missing = planned.filter(({ resourceType, id }) => !store.get(resourceType, id ?? ""));
  if (missing.length > 0) await store.commit(missing);
}

/** Seeded per patient, so that the order in which charts are opened does not matter. */
function chartOf(patient: Patient & { id: string }, writtenAt: Date, seed: number): Resource[] {
  const random = seededRandom(hashText(patient.id) ^ seed);
  const ageYears = Math.floor((writtenAt.getTime() - Date.parse(patient.birthDate ?? "1970-01-01")) / (365.25 * 86_400_000));
  const practitioner = pick(random, familyDoctors);
  return chartResources(demoCharts[patient.id] ?? randomChart(ageYears, random), { patient, practitioner, writtenAt });
}
