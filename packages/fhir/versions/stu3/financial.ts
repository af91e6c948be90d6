import type * as R3 from "fhir/r3.js";
import type * as R4 from "fhir/r4.js";
import { codeSystems, firstCode } from "../convert/code-systems.ts";
import { converter, first, list, retargetReference } from "../convert/converter.ts";

/** R4 class code, STU3 field, STU3 display field. https://hl7.org/fhir/STU3/coverage-definitions.html#Coverage.grouping */
const classes = [
  ["group", "group", "groupDisplay"],
  ["subgroup", "subGroup", "subGroupDisplay"],
  ["plan", "plan", "planDisplay"],
  ["subplan", "subPlan", "subPlanDisplay"],
  ["class", "class", "classDisplay"],
  ["subclass", "subClass", "subClassDisplay"],
] as const;
/** An R4 class that is a field of its own in STU3. */
const sequence = "sequence";

type Class = NonNullable<R4.Coverage["class"]>[number];

const classOf = (code: string, value: string | undefined, name?: string): Class[] =>
  value === undefined
    ? []
    : [{ type: { coding: [{ system: codeSystems.coverageClass, code }] }, value, ...(name !== undefined && { name }) }];

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

/** https://hl7.org/fhir/STU3/eligibilityrequest.html: one coverage, one category; the purpose is always benefits. */
export const eligibilityRequest = converter<R3.EligibilityRequest, R4.CoverageEligibilityRequest>(
  "EligibilityRequest",
  "CoverageEligibilityRequest",
  ({
    status,
    patient,
    created,
    insurer,
    coverage,
    businessArrangement,
    benefitCategory,
    organization: _o,
    benefitSubCategory: _s,
    ...same
  }) => ({
    ...same,
    status: status ?? "active",
    purpose: ["benefits"],
    patient: patient ?? {},
    created: created ?? "",
    insurer: insurer ?? {},
    insurance: coverage && [{ coverage, businessArrangement }],
    item: benefitCategory && [{ category: benefitCategory }],
  }),
  ({ purpose: _p, supportingInfo: _s, insurance, item, ...same }) => {
    const { coverage, businessArrangement } = insurance?.find(({ focal }) => focal) ?? insurance?.[0] ?? {};
    return { ...same, coverage, businessArrangement, benefitCategory: first(item)?.category };
  },
);

/** https://hl7.org/fhir/STU3/eligibilityresponse.html */
export const eligibilityResponse = converter<R3.EligibilityResponse, R4.CoverageEligibilityResponse>(
  "EligibilityResponse",
  "CoverageEligibilityResponse",
  ({ status, created, requestProvider, requestOrganization, request, outcome, insurer, inforce, insurance, ...same }) => ({
    ...same,
    status: status ?? "active",
    purpose: ["benefits"],
    patient: {},
    created: created ?? "",
    requestor: requestProvider ?? requestOrganization,
    request: request ? retargetReference("EligibilityRequest", "CoverageEligibilityRequest", request) : {},
    outcome: firstCode(outcome) ?? "queued",
    insurer: insurer ?? {},
    insurance: insurance?.map(({ coverage, benefitBalance, contract: _c }) => ({
      coverage: coverage ?? {},
      inforce,
      item: benefitBalance?.map(({ financial, subCategory: _s, ...balance }) => ({ ...balance, benefit: financial })),
    })),
  }),
);
