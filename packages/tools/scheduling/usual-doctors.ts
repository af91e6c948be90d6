import { dayMs } from "@vitaline/core";
import type { Appointment, Practitioner, Reference } from "fhir/r4.js";
import { patientIdOf } from "../patient/chart.ts";
import { isInScope } from "../patient/call-patient.ts";
import type { Run } from "../sdk/run.ts";
import { actorKeys, cachedActor, searchActors, withDisplay } from "./schedules.ts";
import { canSearchAppointments, isForPatient, isVoid } from "./appointments.ts";
import type { UsualDoctors } from "./slot-source.ts";
import { doctorKey } from "./matching.ts";

const pastMs = 3 * 366 * dayMs;
const maxVisits = 50;
const comparedVisits = 5;

/**
 * The general practitioners in the chart; else the doctor of most of the last five visits within three years, of the latest where two
 * have as many. undefined if neither is known. One search beside the chart, and one for names that the chart leaves out.
 */
export function findUsualDoctors(run: Run): Promise<UsualDoctors | undefined> {
  const reading = doctorsOfRun.get(run) ?? readUsualDoctors(run);
  doctorsOfRun.set(run, reading);
  return reading;
}

const doctorsOfRun = new WeakMap<Run, Promise<UsualDoctors | undefined>>();

async function readUsualDoctors(run: Run): Promise<UsualDoctors | undefined> {
  // A doctor can tell what a visit is for.
  if (!isInScope(run.state?.actsFor, "clinical")) return undefined;
  const { generalPractitioner = [] } = await run.chart();
  const charted = generalPractitioner.filter(isDoctor);
  const doctors = charted.length > 0 ? charted : await doctorOfPastVisits(run);
  if (doctors.length === 0) return undefined;
  const unnamed = doctors.filter(({ display }) => !display);
  await searchActors<Practitioner>(
    run,
    "Practitioner",
    actorKeys("Practitioner", unnamed).filter((key) => !cachedActor(run, key)),
  );
  return {
    references: doctors.flatMap(({ reference }) => doctorKey(reference) ?? []),
    names: doctors.flatMap((one) => withDisplay(run, one).display ?? []),
  };
}

const isDoctor = ({ reference, display, type }: Reference): boolean =>
  reference === undefined ? display !== undefined && type !== "Organization" : doctorKey(reference) !== undefined;

async function doctorOfPastVisits(run: Run): Promise<Reference[]> {
  const { ehr, signal, ctx } = run;
  if (!(await canSearchAppointments(run))) return [];
  const now = ctx.clock();
  const patientId = patientIdOf(run);
  const date = [`ge${new Date(now.getTime() - pastMs).toISOString()}`, `lt${now.toISOString()}`];
  const found = await ehr.search<Appointment>(
    "Appointment",
    { patient: `Patient/${patientId}`, date },
    { signal, maxResources: maxVisits },
  );
  const doctors = found
    .filter((one) => one.resourceType === "Appointment" && isForPatient(one, patientId) && !isVoid(one))
    .filter(({ start = "" }) => Date.parse(start) < now.getTime())
    .toSorted((a, b) => Date.parse(b.start ?? "") - Date.parse(a.start ?? ""))
    .slice(0, comparedVisits)
    .flatMap(({ participant }) => participant.flatMap(({ actor }) => (actor && doctorKey(actor.reference) ? [actor] : [])).slice(0, 1));
  const countOf = (doctor: Reference): number => doctors.filter((one) => doctorKey(one.reference) === doctorKey(doctor.reference)).length;
  const most = Math.max(0, ...doctors.map(countOf));
  return doctors.filter((one) => countOf(one) === most).slice(0, 1);
}
