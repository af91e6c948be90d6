import type { Patient } from "fhir/r4.js";
import { hidden } from "../hidden.ts";
import { familyName, firstGiven, namesOf } from "./names.ts";
import { same, type Person } from "./person.ts";

/** Keyed, of a name and birth date as they were verified. */
export const personMark = (tenantId: string, { firstName, lastName, dateOfBirth }: Person): string =>
  hidden("person", tenantId, [firstGiven(firstName), familyName(lastName), dateOfBirth]);

/** The mark of whom a chart is of, by its first name; undefined for a chart without one. */
export const markOf = (tenantId: string, patient: Patient): string | undefined => marksOf(tenantId, patient)[0];

/** Whether a chart is of somebody with the name and birth date of the mark. Looks at every name. */
export const isMarked = (tenantId: string, mark: string, patient: Patient): boolean =>
  marksOf(tenantId, patient)
    .map((one) => same(one, mark))
    .includes(true);

const marksOf = (tenantId: string, patient: Patient): string[] =>
  namesOf(patient).map((name) => personMark(tenantId, { ...name, dateOfBirth: patient.birthDate ?? "" }));
