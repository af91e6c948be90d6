import type { Patient } from "fhir/r4.js";
import { hidden } from "../hidden.ts";
import { familyName, firstGiven } from "./names.ts";
import { same, type Person } from "./person.ts";

/** Keyed, of a name and birth date as they were verified. */
export const personMark = (tenantId: string, { firstName, lastName, dateOfBirth }: Person): string =>
  hidden("person", tenantId, [firstGiven(firstName), familyName(lastName), dateOfBirth]);

/** Whether a chart is of somebody with the name and birth date of the mark. Looks at every name. */
export const isMarked = (tenantId: string, mark: string, { name = [], birthDate = "" }: Patient): boolean =>
  name
    .map(({ given = [], family = "" }) =>
      same(personMark(tenantId, { firstName: given.join(" "), lastName: family, dateOfBirth: birthDate }), mark),
    )
    .includes(true);
