import { randomUUID } from "node:crypto";
import type { MinorsPolicy } from "@vitaline/contract";
import { approveProxy } from "@vitaline/proxies";
import { keys, type TenantRow, update } from "@vitaline/store";
import type { Flag, Patient, RelatedPerson } from "fhir/r4.js";
import type { Tools, Which } from "../../test/tools.fixture.ts";

const dayMs = 86_400_000;
export const dayFromNow = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
/** `days` after the birthday of that many years. */
export const yearsAgo = (years: number, days = 0): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth(), now.getUTCDate() - days)).toISOString().slice(0, 10);
};

export const parentCode = { coding: [{ system: "http://terminology.hl7.org/CodeSystem/v3-RoleCode", code: "PRN" }] };
const mrType = { coding: [{ system: "http://terminology.hl7.org/CodeSystem/v2-0203", code: "MR" }] };

/** Families at the sandbox of one tenant. */
export const familiesOf = (t: Tools, which: Which) => {
  const { sandbox } = t.platform.clinics[which];
  const put = (resource: object): Promise<unknown> => sandbox.put(resource as never);

  /** A patient of that age with no one related, and what a caller says about them. */
  const patientOf = async (years: number, change: Partial<Patient> = {}) => {
    const id = `family-${randomUUID().slice(0, 13)}`;
    const lastName = `Own${randomUUID().replaceAll(/[^a-f]/g, "")}`;
    const [dateOfBirth, zipCode, mrn] = [yearsAgo(years, 40), "02199", `F${randomUUID().slice(0, 8)}`];
    await put({
      ...{ resourceType: "Patient", id, active: true, birthDate: dateOfBirth },
      name: [{ use: "official", family: lastName, given: ["Robin"] }],
      telecom: [{ system: "phone", value: "(617) 555-0123", use: "mobile" }],
      address: [{ postalCode: zipCode, line: ["1 Sample Street"] }],
      identifier: [{ type: mrType, value: mrn }],
      ...change,
    });
    return { id, mrn, lastName, claim: { firstName: "Robin", lastName, dateOfBirth, zipCode } };
  };
  type Child = Awaited<ReturnType<typeof patientOf>>;

  const related = async (child: Child, change: Partial<RelatedPerson> = {}) =>
    put({
      ...{ resourceType: "RelatedPerson", id: `related-${randomUUID().slice(0, 13)}`, active: true },
      patient: { reference: `Patient/${child.id}` },
      relationship: [parentCode],
      name: [{ family: child.lastName, given: ["Nora", "Jane"] }],
      telecom: [{ system: "phone", value: "(617) 555-0181" }],
      birthDate: "1988-05-06",
      ...change,
    });

  /** What Nora says: the child's details and her own. */
  const asNora = ({ claim, lastName }: Child, more: object = {}) => ({
    ...{ ...claim, callingFor: "child", callerName: `Nora ${lastName}`, callerPhone: "617 555 0181" },
    ...more,
  });

  return {
    put,
    patientOf,
    related,
    asNora,
    async childOf(years: number, relation: Partial<RelatedPerson> = {}, change: Partial<Patient> = {}) {
      const child = await patientOf(years, change);
      await related(child, relation);
      return child;
    },
    flag: (child: Child, change: Partial<Flag> = {}) =>
      put({
        ...{ resourceType: "Flag", id: `flag-${randomUUID().slice(0, 13)}`, status: "active" },
        subject: { reference: `Patient/${child.id}` },
        category: [{ coding: [{ system: "http://terminology.hl7.org/CodeSystem/flag-category", code: "admin" }] }],
        code: { text: "Custody dispute: see legal" },
        ...change,
      }),
    approve: (child: Child, change: object = {}) =>
      approveProxy(t.context(which), {
        people: {
          ...{ name: "Sam Carer", phone: "617-555-0155", patientFirstName: "Robin", patientLastName: child.lastName },
          ...{ patientBirthDate: child.claim.dateOfBirth, medicalRecordNumber: child.mrn },
        },
        ...{ relationship: "caregiver" as const, scope: "all" as const, validUntil: dayFromNow(30) },
        ...change,
      }),
    asSam: ({ claim }: Child, more: object = {}) => ({
      ...{ ...claim, callingFor: "other", callerName: "Sam Carer", callerPhone: "6175550155" },
      ...more,
    }),
    async minors(change: Partial<MinorsPolicy>): Promise<void> {
      const { store } = t.context(which);
      const row = await store.get<TenantRow>(keys.tenantConfig());
      await store.commit([update<TenantRow>(keys.tenantConfig(), { set: { policies: { ...row?.policies, minors: change } } })], {
        category: "configuration_change",
        action: "tenant.update",
        resourceType: "Tenant",
      });
    },
  };
};
export type Families = ReturnType<typeof familiesOf>;
