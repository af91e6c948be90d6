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

/** A diagnosis of one visit is no condition any more unless it says so. */
const isOneVisits = ({ category = [], clinicalStatus }: Condition): boolean => {
  const categories = category.flatMap((one) => codes(one));
  return categories.length > 0 && categories.every((code) => code === "encounter-diagnosis") && codes(clinicalStatus).length === 0;
};

const mostConditions = 500;
/**
 * What the patient has, each name once: recurrences and relapses too, and what has no category. The status is looked at here, as servers
 * take several of them in different ways.
 */
export const readConditions: Read = async ({ ehr, signal, search, own }) => {
  const { conditionsNeedCategory } = await ehr.strategy({ signal });
  const found = await search<Condition>("Condition", conditionsNeedCategory ? { category: "problem-list-item" } : {}, mostConditions);
  const conditions = found.filter(({ resourceType }) => resourceType === "Condition");
  const names = own(conditions, ({ subject }) => subject)
    .filter((one) => isPresent(one) && !isOneVisits(one))
    .map(({ code }) => conceptText(code) ?? "a condition without a name");
  return { conditions: [...new Set(names)] };
};
