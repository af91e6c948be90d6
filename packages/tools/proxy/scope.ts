import { ageOn } from "@vitaline/core";
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

export const isMinorOn = (today: string, birthDate: string): boolean => ageOn(today, birthDate) < adultYears;

/** From the tenant's age on, no one but the patient hears a minor's medical record. */
export const scopeForAge = (scope: ProxyScope, age: number, confidentialFrom: number): ProxyScope =>
  scope === "all" && age < adultYears && age >= confidentialFrom ? "no_clinical" : scope;
