import type { ProxyScope } from "@vitaline/contract";
import type { ActsFor } from "@vitaline/store";
import type { Matter } from "../sdk/define-tool.ts";

const matters: Record<ProxyScope, readonly Matter[]> = {
  appointments: ["identity", "appointments"],
  no_clinical: ["identity", "appointments", "insurance", "messages", "basics"],
  all: ["identity", "appointments", "insurance", "messages", "basics", "contact", "clinical"],
};

/** Whether the caller may ask for it: everything for the patient, and for a proxy what their scope includes. */
export const isInScope = (actsFor: ActsFor | undefined, matter: Matter): boolean =>
  actsFor === undefined || matters[actsFor.scope].includes(matter);

const adultYears = 18;

/** Age in whole years on `today`; both yyyy-mm-dd. A birthday on February 29 is on March 1 in other years. */
export const ageOn = (today: string, birthDate: string): number =>
  Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4)) - (today.slice(5) < birthDate.slice(5) ? 1 : 0);

export const isMinorOn = (today: string, birthDate: string): boolean => ageOn(today, birthDate) < adultYears;

/** From the tenant's age on, no one but the patient hears a minor's medical record. */
export const scopeForAge = (scope: ProxyScope, age: number, confidentialFrom: number): ProxyScope =>
  scope === "all" && age < adultYears && age >= confidentialFrom ? "no_clinical" : scope;
