import type * as r3 from "fhir/r3.js";
import type * as r4 from "fhir/r4.js";
import { compact, first, pick, type Plain } from "../older.ts";

export function base(of: object): object {
  const resource = of as r4.DomainResource;
  return compact({
    ...pick(resource, "id", "implicitRules", "language", "text", "contained", "extension", "modifierExtension"),
    meta: resource.meta && pick(resource.meta, "versionId", "lastUpdated", "profile", "security", "tag"),
  });
}

export const reference = (one: Plain<r4.Reference>): r3.Reference => pick(one, "reference", "display") as r3.Reference;

export function dosage({ doseAndRate, ...one }: Plain<r4.Dosage>): r3.Dosage {
  const given = first(doseAndRate);
  return {
    ...pick(one, "sequence", "text", "additionalInstruction", "patientInstruction", "asNeededBoolean", "asNeededCodeableConcept"),
    ...pick(one, "site", "route", "method", "maxDosePerPeriod", "maxDosePerAdministration", "maxDosePerLifetime"),
    ...(one.timing && { timing: one.timing as r3.Timing }),
    ...(given && pick(given, "doseRange", "doseQuantity", "rateRatio", "rateRange", "rateQuantity")),
  };
}
