import type * as R4 from "fhir/r4.js";
import type * as R3 from "fhir/r3.js";
import { codeIn } from "../convert/codes.ts";
import { converter, first, pointing } from "../convert/converter.ts";

/** https://hl7.org/fhir/STU3/eligibilityrequest.html: one coverage, one category; the purpose was always the benefits. */
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
    request: request ? pointing("EligibilityRequest", "CoverageEligibilityRequest", request) : {},
    outcome: codeIn(outcome) ?? "queued",
    insurer: insurer ?? {},
    insurance: insurance?.map(({ coverage, benefitBalance, contract: _c }) => ({
      coverage: coverage ?? {},
      inforce,
      item: benefitBalance?.map(({ financial, subCategory: _s, ...balance }) => ({ ...balance, benefit: financial })),
    })),
  }),
);
