import type { CodeableConcept, Patient, Period, RelatedPerson } from "fhir/r4.js";
import type { Ehr } from "@vitaline/fhir-providers";
import { dayMs, isAppError } from "@vitaline/core";
import { isCurrent } from "../patient/person.ts";
import { ownResources } from "../patient/chart.ts";
import type { Run } from "../sdk/run.ts";
import { matchesSpeaker, type Speaker } from "./speaker.ts";

type Guardian = "parent" | "guardian";

/**
 * Natural and adoptive parents, and guardians. Not step-parents, foster parents and parents-in-law, whose authority staff must check.
 * https://terminology.hl7.org/CodeSystem-v3-RoleCode.html, https://terminology.hl7.org/CodeSystem-v2-0063.html,
 * https://hl7.org/fhir/DSTU2/valueset-patient-contact-relationship.html
 */
const codes: Readonly<Record<Guardian, readonly string[]>> = {
  parent: ["PRN", "NPRN", "MTH", "NMTH", "NMTHF", "GESTM", "FTH", "NFTH", "NFTHF", "ADOPTP", "ADOPTM", "ADOPTF", "PAR", "PARENT"],
  guardian: ["GUARD", "GRD", "GUARDIAN"],
};
const words: Readonly<Record<Guardian, RegExp>> = {
  parent: /^(?:(?:natural|biological|adoptive) )?(?:parent|mother|father|mom|dad)$/i,
  guardian: /^(?:legal )?guardian$/i,
};

/** By its codes; by its text only if it has none. */
function guardianIn(relationship: readonly CodeableConcept[] = []): Guardian | undefined {
  const isOne = (guardian: Guardian): boolean =>
    relationship.some(({ coding = [], text = "" }) =>
      coding.length > 0 ? coding.some(({ code = "" }) => codes[guardian].includes(code.toUpperCase())) : words[guardian].test(text.trim()),
    );
  return (["guardian", "parent"] as const).find(isOne);
}

/** A day begins when it does in the first time zone, and lasts until it is over in the last one. */
const hasBegun = ({ start }: Period, now: Date): boolean =>
  start === undefined || Date.parse(start) - (start.includes("T") ? 0 : 0.5 * dayMs) <= now.getTime();
const isWithin = (period: Period, now: Date): boolean => hasBegun(period, now) && isCurrent({ period }, now);

export const relatedPersonScope = "system/RelatedPerson.rs";
const maxRelated = 50;

/** The related people of a patient; `[]` for a patient that does not exist. AppError `ehr_invalid` for another patient's. */
export async function readRelatedPersons({ signal }: Run, ehr: Ehr, patientId: string): Promise<RelatedPerson[]> {
  const found = await ehr
    .search<RelatedPerson>("RelatedPerson", { patient: `Patient/${patientId}` }, { signal, maxResources: maxRelated })
    .catch((error: unknown) => {
      // A locked chart must look like none.
      if (isAppError(error, "ehr_forbidden", "ehr_not_found")) return [];
      throw error;
    });
  return ownResources(
    found.filter(({ resourceType }) => resourceType === "RelatedPerson"),
    ({ patient }) => patient,
    patientId,
  );
}

/** A parent or guardian who is active, within their period, and whom the speaker's details name. */
export const findGuardian = (speaker: Speaker, related: readonly RelatedPerson[], now: Date): Guardian | undefined =>
  related
    .map(({ active, period = {}, relationship, ...onFile }) => {
      const isSpeaker = matchesSpeaker(speaker, onFile, now);
      return isSpeaker && active !== false && isWithin(period, now) ? guardianIn(relationship) : undefined;
    })
    .find((guardian) => guardian !== undefined);

/** A parent or guardian among the chart's contacts. */
export const findContact = (speaker: Speaker, { contact = [] }: Pick<Patient, "contact">, now: Date): Guardian | undefined =>
  contact
    .map(({ name, telecom = [], period = {}, relationship }) => {
      const isSpeaker = matchesSpeaker(speaker, { name: name ? [name] : [], telecom }, now);
      return isSpeaker && isWithin(period, now) ? guardianIn(relationship) : undefined;
    })
    .find((guardian) => guardian !== undefined);
