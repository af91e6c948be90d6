import type * as R4 from "fhir/r4.js";
import type * as R3 from "fhir/r3.js";
import { systems } from "../convert/codes.ts";
import { converter, list } from "../convert/converter.ts";

/** The groups and plans of a coverage by the names of both versions. https://hl7.org/fhir/STU3/coverage-definitions.html#Coverage.grouping */
const classes = [
  ["group", "group", "groupDisplay"],
  ["subgroup", "subGroup", "subGroupDisplay"],
  ["plan", "plan", "planDisplay"],
  ["subplan", "subPlan", "subPlanDisplay"],
  ["class", "class", "classDisplay"],
  ["subclass", "subClass", "subClassDisplay"],
] as const;
/** Classes of R4 that STU3 says as fields of their own. */
const sequence = "sequence";

type Class = NonNullable<R4.Coverage["class"]>[number];

const classOf = (code: string, value: string | undefined, name?: string): Class[] =>
  value === undefined ? [] : [{ type: { coding: [{ system: systems.coverageClass, code }] }, value, ...(name !== undefined && { name }) }];

/** https://hl7.org/fhir/STU3/coverage.html */
export const coverage = converter<R3.Coverage, R4.Coverage>(
  "Coverage",
  "Coverage",
  ({ status, beneficiary, payor, grouping, sequence: order, ...same }) => {
    const found = [
      ...classes.flatMap(([code, value, name]) => classOf(code, grouping?.[value], grouping?.[name])),
      ...classOf(sequence, order),
    ];
    return {
      ...same,
      status: status ?? "active",
      beneficiary: beneficiary ?? {},
      payor: list(payor) ?? [],
      class: found.length ? found : undefined,
    };
  },
);
