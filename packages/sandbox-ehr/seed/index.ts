import type { Patient } from "fhir/r4.js";
import type { Store } from "../store.ts";
import { clinicResources } from "./clinic.ts";
import { generatePatients } from "./patients.ts";
import { generateSlots } from "./slots.ts";

export const defaultSeed = 20;

/** What a caller has to say to be recognised as this patient. */
export interface DemoPatient {
  id: string;
  given: string;
  family: string;
  birthDate: string;
  /** E.164. */
  phone: string;
  zip: string;
  mrn: string;
}

/** The first six generated patients. */
export function demoPatients(seed = defaultSeed): DemoPatient[] {
  return generatePatients(seed).slice(0, 6).map(demoPatient);
}

export function demoPatient({ id, name, birthDate, telecom, address, identifier }: Patient & { id: string }): DemoPatient {
  const phone = telecom?.find(({ system }) => system === "phone")?.value ?? "";
  return {
    id,
    given: name?.[0]?.given?.[0] ?? "",
    family: name?.[0]?.family ?? "",
    birthDate: birthDate ?? "",
    phone: `+1${phone.replace(/\D/g, "").slice(-10)}`,
    zip: address?.[0]?.postalCode ?? "",
    mrn: identifier?.[0]?.value ?? "",
  };
}

/** Fills an empty store; a used one only gets the slots of days it has not seen. */
export async function seedStore(store: Store, now: Date, seed: number): Promise<void> {
  const fresh = store.all("Patient").length === 0 ? [...generatePatients(seed), ...clinicResources()] : [];
  if (fresh.length > 0) await store.commit(fresh);
  const bookable = store.all("Patient").filter((patient) => patient.active && !patient.deceasedBoolean);
  const planned = generateSlots(store.all("Schedule"), bookable, now, seed);
  const missing = planned.filter(({ resourceType, id }) => !store.get(resourceType, id));
  if (missing.length > 0) await store.commit(missing);
}
