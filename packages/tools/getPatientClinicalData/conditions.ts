import type { CodeableConcept, Condition } from "fhir/r4.js";
import { conceptText } from "../in-words.ts";
import type { Read } from "./gather.ts";

const present = new Set(["active", "recurrence", "relapse"]);
const denied = new Set(["refuted", "entered-in-error"]);

const codes = ({ coding = [] }: CodeableConcept = {}): string[] => coding.flatMap(({ code }) => code ?? []);

/** Whether a record's own status says that it still counts; what says nothing does. */
export const isPresent = ({ clinicalStatus, verificationStatus }: Pick<Condition, "clinicalStatus" | "verificationStatus">): boolean => {
  const clinical = codes(clinicalStatus);
  return (
    (clinical.length === 0 || clinical.some((code) => present.has(code))) && !codes(verificationStatus).some((code) => denied.has(code))
  );
};

/** The active entries of the problem list, each name once. */
export const readConditions: Read = async ({ search, own }) => {
  const found = await search<Condition>("Condition", { "clinical-status": "active", category: "problem-list-item" });
  const conditions = found.filter(({ resourceType }) => resourceType === "Condition");
  const names = own(conditions, ({ subject }) => subject)
    .filter(isPresent)
    .map(({ code }) => conceptText(code) ?? "a condition without a name");
  return { conditions: [...new Set(names)] };
};
