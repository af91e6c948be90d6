import type { FoundPatient, PatientSearch } from "@vitaline/contract";
import { AppError, awaitAllThenThrow } from "@vitaline/core";
import { countWithinHour, keys, type TenantRow } from "@vitaline/store";
import type { ScopedContext } from "@vitaline/store/scoped.ts";
import { type Ehr, openEhr } from "../ehr/open-ehr.ts";
import { readUsedOrOwn } from "./tenant-providers.ts";

type Patient = Extract<Awaited<ReturnType<Ehr["search"]>>[number], { resourceType: "Patient" }>;

const maxFound = 20;
/** Of one user. A list of record numbers would otherwise give names and birth dates of all patients. */
const maxSearchesAnHour = 120;
const scopes = ["system/Patient.rs"];

const refuse = (field: string, message: string): AppError => new AppError("invalid_request", message, { fields: { [field]: message } });

/**
 * Patients of a record system that the tenant uses or owns, by default its own: by medical record number, or by family name and birth date.
 * Each one found is audited as a look at the chart, before the answer is sent. AppError `not_found` for another tenant's record system,
 * `too_many_requests`.
 */
export async function findPatients(
  ctx: ScopedContext<"ehr" | "throttle">,
  tenant: TenantRow,
  search: PatientSearch,
): Promise<FoundPatient[]> {
  const params = paramsOf(search);
  await countSearch(ctx, tenant);
  const { fhirProviderId } = search;
  if (fhirProviderId !== undefined) await readUsedOrOwn(ctx, tenant, fhirProviderId);
  const ehr = await openEhr(ctx, fhirProviderId === undefined ? tenant : { ...tenant, fhirProviderId }, { scopes });
  const found = await ehr.search<Patient>("Patient", params, { maxResources: maxFound });
  const patients = found.filter(({ resourceType, id }) => resourceType === "Patient" && id !== undefined);
  const platform = ctx.platform.inTenant(tenant.id);
  const audit = { category: "patient_access", action: "patient.search" } as const;
  const detail = { fhirProviderId: ehr.providerId, found: patients.length };
  if (patients.length === 0) await platform.commit([], { ...audit, resourceType: "FhirProvider", resourceId: ehr.providerId, detail });
  else
    await awaitAllThenThrow(
      patients.map(({ id = "" }) => platform.commit([], { ...audit, resourceType: "Patient", resourceId: id, detail })),
    );
  return patients.map((patient) => ({ ...shown(patient), fhirProviderId: ehr.providerId }));
}

async function countSearch({ platform, actor, clock }: ScopedContext<"throttle">, { id }: TenantRow): Promise<void> {
  const keyOf = (hour: string) => keys.throttle("patientSearch", `${id} ${actor.id}`, hour);
  const refusal = "You have searched for many patients in the last hour. Please try again later.";
  await countWithinHour(platform, keyOf, { limit: maxSearchesAnHour, now: clock(), refusal });
}

/** They join values or name a system: `number,number` and `system|` would list patients. Source: FHIR R4, 3.1.1.3 Escaping. */
const searchSyntax = /[,$|\\]+/g;

const paramsOf = ({ medicalRecordNumber, familyName, birthDate }: PatientSearch): Record<string, string> => {
  if (medicalRecordNumber !== undefined) {
    if (medicalRecordNumber.search(searchSyntax) >= 0) throw refuse("medicalRecordNumber", "Must be one medical record number");
    return { identifier: medicalRecordNumber };
  }
  const family = (familyName ?? "").replaceAll(searchSyntax, " ").trim();
  if (family === "") throw refuse("familyName", "Enter a medical record number, or a family name and a date of birth");
  if (birthDate === undefined) throw refuse("birthDate", "Is needed beside the family name");
  return { family, birthdate: birthDate };
};

const shown = ({ id = "", name = [], birthDate, identifier = [] }: Patient): Omit<FoundPatient, "fhirProviderId"> => {
  const chosen = name.find(({ use }) => use === "official") ?? name[0];
  const text = chosen?.text ?? [...(chosen?.given ?? []), chosen?.family ?? ""].join(" ").trim();
  const number = identifier.find(({ type }) => type?.coding?.some(({ code }) => code === "MR"))?.value ?? identifier[0]?.value;
  return { patientId: id, name: text || null, birthDate: birthDate ?? null, medicalRecordNumber: number ?? null };
};
