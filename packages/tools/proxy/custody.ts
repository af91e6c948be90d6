import { isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { CodeableConcept, Flag } from "fhir/r4.js";
import { ownResources } from "../patient/own-patient.ts";
import type { Run } from "../sdk/run.ts";

export const flagScope = "system/Flag.rs";
const maxFlags = 100;

/** FHIR has no code for it, so clinics use their own codes and words. https://terminology.hl7.org/CodeSystem-flag-category.html */
const words =
  /custod|guardianship|visitation|parental (?:rights|access)|legal[ _-]?(?:hold|restriction|dispute)|court[ _-]?order|(?:restraining|protective|protection)[ _-]?order|no[ _-]?(?:contact|information)|do not (?:release|disclose)/i;

const isAboutCustody = ({ coding = [], text = "" }: CodeableConcept): boolean =>
  [text, ...coding.flatMap(({ code = "", display = "" }) => [code, display])].some((one) => words.test(one));

/** Whether the chart has an active flag about custody or a legal hold. `false` for a patient that does not exist. */
export async function hasCustodyFlag({ signal }: Run, ehr: Ehr, patientId: string): Promise<boolean> {
  const found = await ehr
    .search<Flag>("Flag", { patient: `Patient/${patientId}` }, { signal, maxResources: maxFlags })
    .catch((error: unknown): Flag[] => {
      if (isAppError(error, "ehr_forbidden", "ehr_not_found")) return [];
      throw error;
    });
  const own = ownResources(
    found.filter(({ resourceType }) => resourceType === "Flag"),
    ({ subject }) => subject,
    patientId,
  );
  return own.some(({ status, category = [], code }) => status === "active" && [...category, code].some(isAboutCustody));
}
