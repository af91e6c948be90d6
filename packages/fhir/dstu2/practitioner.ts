import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { converter, list, type Loose } from "../convert/converter.ts";
import { nameToR4 } from "./people.ts";

/** One name, and the roles inside. https://hl7.org/fhir/DSTU2/practitioner.html */
export const practitioner = converter<R2.Practitioner, R4.Practitioner>("Practitioner", "Practitioner", ({ name, ...same }) => ({
  ...same,
  name: list(name)?.map(nameToR4),
}));

/** A role's id is its practitioner's with its place among the roles behind it: "prac-3.role-0". */
const mark = ".role-";

/** The practitioner that a role's id names; other ids are the practitioner's own. */
export const practitionerIdOf = (roleId: string): string => roleId.replace(/\.role-\d+$/, "");

type Role = Loose<R2.PractitionerPractitionerRole>;

/** The roles within a practitioner as resources of their own; who has none listed has one that says nothing more. */
export function rolesOf(holder: object): R4.PractitionerRole[] {
  const { id = "", active, name, telecom, practitionerRole } = holder as Loose<R2.Practitioner>;
  const display = list(name)?.[0]?.text;
  const roleOf = ({ managingOrganization, role, ...same }: Role, index: number): Loose<R4.PractitionerRole> => ({
    ...same,
    id: `${id}${mark}${index}`,
    active,
    practitioner: { reference: `Practitioner/${id}`, display },
    organization: managingOrganization,
    code: list(role),
    telecom,
  });
  const roles = practitionerRole?.length ? practitionerRole : [{}];
  return roles.map((role, index) => ({ ...roleOf(role, index), resourceType: "PractitionerRole" }) as R4.PractitionerRole);
}
