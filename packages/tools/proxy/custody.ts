import { isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { CodeableConcept, Flag } from "fhir/r4.js";
import { ownResources } from "../patient/chart.ts";
import { withoutAccents } from "../nlu/names.ts";
import type { Run } from "../sdk/run.ts";

export const flagScope = "system/Flag.rs";
const maxFlags = 100;

/** FHIR has no code for it, so clinics use their own codes and words. https://terminology.hl7.org/CodeSystem-flag-category.html */
const words =
  /custod|guardianship|visitation|parental[ _-](?:rights|access)|legal[ _-]?(?:hold|alert|restriction|dispute)|court[ _-]?order|(?:restraining|protective|protection)[ _-]?order|orders? of protection|\btro\b|orden de (?:alejamiento|proteccion)|emancipat|no[ _-]?(?:contact|info)|(?:do|does|may|must|shall|can) ?not (?:\w+ ){0,2}(?:release|disclose|share|contact|access)|\b(?:cps|dcfs|dcf|acs)\b|ward of|foster|domestic violence|abuse|protective services|supervised (?:visit|contact)|parental rights?|(?:parent|father|mother)\S* rights?|legal decision|no (?:visit|phone)|not (?:allowed to |to )?pick ?up|confidentiality program|safe at home|tutela|patria potestad|violencia|maltrato|abuso|no (?:divulgar|compartir|informar|contactar|dar (?:informacion|datos|acceso))|visitas? (?:supervisad|restringid|prohibid)/i;

const isAboutCustody = ({ coding = [], text = "" }: CodeableConcept): boolean =>
  [text, ...coding.flatMap(({ code = "", display = "" }) => [code, display])].some((one) => words.test(withoutAccents(one)));

/**
 * Whether the chart has an active flag about custody or a legal hold, or flags that cannot all be read: then staff decide. `false` for a
 * patient that does not exist.
 */
export async function hasCustodyFlag({ signal }: Run, ehr: Ehr, patientId: string): Promise<boolean> {
  const found = await ehr
    .search<Flag>("Flag", { patient: `Patient/${patientId}` }, { signal, maxResources: maxFlags })
    .catch((error: unknown): Flag[] | "unread" => {
      if (isAppError(error, "ehr_not_found")) return [];
      if (isAppError(error, "ehr_forbidden")) return "unread";
      throw error;
    });
  if (found === "unread" || found.length >= maxFlags) return true;
  const own = ownResources(
    found.filter(({ resourceType }) => resourceType === "Flag"),
    ({ subject }) => subject,
    patientId,
  );
  return own.some(({ status, category = [], code }) => status === "active" && [...category, code].some(isAboutCustody));
}
