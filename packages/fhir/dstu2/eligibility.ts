import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { carried } from "../convert/carried.ts";
import { converter, pointing, type Loose } from "../convert/converter.ts";

/** DSTU2 has the two resources but no words yet for whom and what they are about. */
const asked = carried<Pick<Loose<R4.CoverageEligibilityRequest>, "patient" | "servicedDate">>("CoverageEligibilityRequest", {
  patient: "Reference",
  servicedDate: "Date",
});
const coverage = carried<{ coverage?: Loose<R4.Reference> }>("CoverageEligibilityRequest.insurance", { coverage: "Reference" });

/** https://hl7.org/fhir/DSTU2/eligibilityrequest.html */
export const eligibilityRequest = converter<R2.EligibilityRequest, R4.CoverageEligibilityRequest>(
  "EligibilityRequest",
  "CoverageEligibilityRequest",
  ({ created, target, provider, organization: _o, ruleset: _r, originalRuleset: _f, ...same }) => {
    const insured = coverage.take(same);
    const about = asked.take({ ...same, ...insured });
    return {
      ...same,
      ...about,
      patient: about.patient ?? {},
      status: "active",
      purpose: ["benefits"],
      created: created ?? "",
      insurer: target ?? {},
      provider,
      insurance: insured.coverage && [{ coverage: insured.coverage }],
    };
  },
  ({ patient, servicedDate, created, insurer, provider, insurance, ...others }) => {
    const {
      status: _s,
      priority: _p,
      purpose: _u,
      servicedPeriod: _d,
      enterer: _e,
      facility: _f,
      supportingInfo: _i,
      item: _t,
      ...same
    } = others;
    const withPatient = asked.put({ patient, servicedDate }, same);
    return {
      ...same,
      ...withPatient,
      ...coverage.put({ coverage: insurance?.[0]?.coverage }, { ...same, ...withPatient }),
      created,
      target: insurer,
      provider,
    };
  },
);

const answered = carried<{ coverage?: Loose<R4.Reference>; inforce?: boolean }>("CoverageEligibilityResponse.insurance", {
  coverage: "Reference",
  inforce: "Boolean",
});

/** https://hl7.org/fhir/DSTU2/eligibilityresponse.html: an outcome and a sentence, no benefits. */
export const eligibilityResponse = converter<R2.EligibilityResponse, R4.CoverageEligibilityResponse>(
  "EligibilityResponse",
  "CoverageEligibilityResponse",
  ({ created, request, outcome, organization, requestProvider, requestOrganization, ruleset: _r, originalRuleset: _o, ...same }) => {
    const { coverage: insured, inforce, ...rest } = { ...same, ...answered.take(same) };
    return {
      ...rest,
      status: "active",
      purpose: ["benefits"],
      patient: {},
      created: created ?? "",
      requestor: requestProvider ?? requestOrganization,
      request: request ? pointing("EligibilityRequest", "CoverageEligibilityRequest", request) : {},
      outcome: outcome ?? "queued",
      insurer: organization ?? {},
      insurance: insured || inforce !== undefined ? [{ coverage: insured ?? {}, inforce }] : undefined,
    };
  },
);
