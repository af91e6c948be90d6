import type { Practitioner, Schedule } from "fhir/r4.js";
import type { Resource, Stored } from "../store/resource.ts";
import type { View } from "../store/store.ts";
import { testData } from "./patients.ts";
import { demoPatients } from "./index.ts";
import { generateSlots } from "./slots.ts";

const threeMonths = 92;
const further = [
  ["Ingrid", "Ashdown"],
  ["Jonas", "Birkmere"],
  ["Kamala", "Coldridge"],
  ["Lorenzo", "Drumwick"],
] as const;

/**
 * Records of a long-running server with little data quality: twelve doctors with sixteen slots a day over three months, all free;
 * schedules of former doctors, and merged or retired charts.
 */
export function plainServerRecords(view: View, now: Date, seed: number): Resource[] {
  const schedules = view.all("Schedule");
  const [model] = schedules;
  if (!model) return [];
  const doctors = further.map(([given, family], index) => doctorOf(`practitioner-${schedules.length + 1 + index}`, given, family, true));
  const gone = doctorOf("practitioner-gone", "Maxine", "Elsewhere", false);
  const known = view.get("Practitioner", "practitioner-1");
  const added = doctors.map(({ id }) => scheduleOf(`schedule-${id}`, model, id, true));
  const left = [
    scheduleOf("schedule-practitioner-gone", model, gone.id, true),
    scheduleOf("schedule-practitioner-closed", model, known?.id ?? "", false),
  ];
  const bookable = view.all("Patient").filter((patient) => patient.active && !patient.deceasedBoolean);
  const calendar = generateSlots([...schedules, ...added, ...left], bookable, now, seed, { count: threeMonths });
  const isOfThoseHere = (id: string) => !id.includes("-gone-") && !id.includes("-closed-");
  return [
    ...doctors,
    gone,
    ...added,
    ...left,
    ...calendar.flatMap((one): Resource[] => {
      if (one.resourceType === "Slot") return [{ ...one, status: "free" }];
      return isOfThoseHere(one.id) && !view.get("Appointment", one.id) ? [one] : [];
    }),
    ...demoPatients(seed).flatMap(({ id }) => formerCharts(view.get("Patient", id))),
  ];
}

const doctorOf = (id: string, given: string, family: string, active: boolean): Practitioner & { id: string } => ({
  resourceType: "Practitioner",
  id,
  meta: testData,
  active,
  name: [{ use: "official", family, given: [given], prefix: ["Dr."] }],
});

const scheduleOf = (
  id: string,
  { serviceType, specialty, actor }: Schedule,
  doctor: string,
  active: boolean,
): Schedule & { id: string } => ({
  resourceType: "Schedule",
  id,
  meta: testData,
  active,
  ...(serviceType ? { serviceType } : {}),
  ...(specialty ? { specialty } : {}),
  actor: [{ reference: `Practitioner/${doctor}` }, ...actor.filter(({ reference }) => reference?.startsWith("Location/"))],
});

const formerCharts = (patient: Stored<"Patient"> | undefined): Resource[] =>
  patient
    ? [
        {
          ...patient,
          id: `${patient.id}-merged`,
          active: false,
          link: [{ type: "replaced-by", other: { reference: `Patient/${patient.id}` } }],
        },
        { ...patient, id: `${patient.id}-retired`, active: false },
      ]
    : [];
