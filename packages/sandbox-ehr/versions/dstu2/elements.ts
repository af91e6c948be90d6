import type * as r2 from "fhir/r2.js";
import type * as r4 from "fhir/r4.js";
import { compact, first, listOf, pick, type Plain } from "../older.ts";

export function base(of: object): object {
  const resource = of as r4.DomainResource;
  return compact({
    ...pick(resource, "id", "implicitRules", "language", "text", "contained", "extension", "modifierExtension"),
    meta: resource.meta && pick(resource.meta, "versionId", "lastUpdated", "profile", "security", "tag"),
  });
}

export const reference = (one: Plain<r4.Reference>): r2.Reference => pick(one, "reference", "display");
export const referenceIf = (one: Plain<r4.Reference> | undefined): r2.Reference | undefined => one && reference(one);
export const references = (list: Plain<r4.Reference[]> | undefined): r2.Reference[] | undefined => list?.map(reference);

export const name = ({ family, ...one }: Plain<r4.HumanName>): r2.HumanName =>
  compact({ ...pick(one, "use", "text", "given", "prefix", "suffix", "period"), family: listOf(family) });
export const nameToR4 = ({ family, ...one }: r2.HumanName): r4.HumanName => compact({ ...one, family: family?.join(" ") } as r4.HumanName);

const systems = new Set(["phone", "fax", "email", "pager", "other"]);
export const telecom = (one: Plain<r4.ContactPoint>): r2.ContactPoint =>
  compact({ ...pick(one, "value", "use", "rank", "period"), system: one.system && (systems.has(one.system) ? one.system : "other") });

export const identifier = (one: Plain<r4.Identifier>): r2.Identifier =>
  compact({
    ...pick(one, "type", "system", "value", "period"),
    use: one.use === "old" ? "temp" : one.use,
    assigner: referenceIf(one.assigner),
  });
export const address = (one: Plain<r4.Address>): r2.Address =>
  compact({
    ...pick(one, "type", "text", "line", "city", "district", "state", "postalCode", "country", "period"),
    use: one.use === "billing" ? "home" : one.use,
  });

export const noteText = (notes: Plain<r4.Annotation[]> | undefined): string | undefined => notes?.map(({ text }) => text).join("\n");
export const annotation = (notes: Plain<r4.Annotation[]> | undefined): r2.Annotation | undefined => {
  const note = first(notes);
  return note && compact({ ...pick(note, "authorString", "time", "text"), authorReference: referenceIf(note.authorReference) });
};

/** DSTU2 writes units in the plural and `when` once. */
function timing(one: Plain<r4.Timing>): r2.Timing {
  const { repeat } = one;
  return compact({
    ...pick(one, "event", "code"),
    repeat:
      repeat &&
      compact({
        ...pick(repeat, "boundsPeriod", "count", "duration", "durationMax", "frequency", "frequencyMax", "period", "periodMax"),
        durationUnits: repeat.durationUnit,
        periodUnits: repeat.periodUnit,
        when: repeat.when?.[0],
      }),
  } as r2.Timing);
}

export function dosageInstruction(one: Plain<r4.Dosage>): r2.MedicationOrderDosageInstruction & r2.MedicationDispenseDosageInstruction {
  const given = first(one.doseAndRate);
  return compact({
    ...pick(one, "text", "asNeededBoolean", "asNeededCodeableConcept", "route", "method", "maxDosePerPeriod"),
    additionalInstructions: one.additionalInstruction?.[0],
    timing: one.timing && timing(one.timing),
    siteCodeableConcept: one.site,
    ...(given && pick(given, "doseRange", "doseQuantity", "rateRatio", "rateRange")),
  });
}
