import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { carried } from "../convert/carried.ts";
import { systems } from "../convert/codes.ts";
import { converter, list, type Loose } from "../convert/converter.ts";

const classes = ["group", "plan", "subPlan"] as const;
const codeOf = (field: string): string => field.toLowerCase();
const extra = carried<Pick<Loose<R4.Coverage>, "relationship">>("Coverage", { relationship: "CodeableConcept" });

/**
 * https://hl7.org/fhir/DSTU2/coverage.html: the subscriber is who is covered unless a `dependent` is numbered, there is no status, and
 * what R4 calls classes are texts of their own.
 */
export const coverage = converter<R2.Coverage, R4.Coverage>(
  "Coverage",
  "Coverage",
  ({ issuer, type, subscriberId, subscriber, group, plan, subPlan, dependent, sequence, network, bin: _b, ...same }) => {
    const values = { group, plan, subPlan };
    const held = classes.flatMap((field) => {
      const value = values[field];
      return value === undefined ? [] : [{ type: { coding: [{ system: systems.coverageClass, code: codeOf(field) }] }, value }];
    });
    return {
      ...same,
      ...extra.take(same),
      status: "active",
      type: type && { coding: [type] },
      subscriberId: subscriberId?.value,
      subscriber,
      beneficiary: subscriber ?? {},
      dependent: dependent === undefined ? undefined : String(dependent),
      payor: list(issuer) ?? [],
      class: held.length ? held : undefined,
      order: sequence,
      network: network?.value,
    };
  },
);
