import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { crossVersionExtension } from "../convert/cross-version-extension.ts";
import { codeSystems } from "../convert/code-systems.ts";
import { converter, list, type Loose, retargetReference } from "../convert/converter.ts";

const classes = ["group", "plan", "subPlan"] as const;
const codeOf = (field: string): string => field.toLowerCase();
const extra = crossVersionExtension<Pick<Loose<R4.Coverage>, "relationship">>("Coverage", { relationship: "CodeableConcept" });

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
      return value === undefined ? [] : [{ type: { coding: [{ system: codeSystems.coverageClass, code: codeOf(field) }] }, value }];
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

/** DSTU2 has the two resources but no words yet for whom and what they are about. */
const asked = crossVersionExtension<Pick<Loose<R4.CoverageEligibilityRequest>, "patient" | "servicedDate">>("CoverageEligibilityRequest", {
  patient: "Reference",
  servicedDate: "Date",
});
const eligibilityRequestCoverage = crossVersionExtension<{ coverage?: Loose<R4.Reference> }>("CoverageEligibilityRequest.insurance", {
  coverage: "Reference",
});

/** https://hl7.org/fhir/DSTU2/eligibilityrequest.html */
export const eligibilityRequest = converter<R2.EligibilityRequest, R4.CoverageEligibilityRequest>(
  "EligibilityRequest",
  "CoverageEligibilityRequest",
  ({ created, target, provider, organization: _o, ruleset: _r, originalRuleset: _f, ...same }) => {
    const insured = eligibilityRequestCoverage.take(same);
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
      ...eligibilityRequestCoverage.put({ coverage: insurance?.[0]?.coverage }, { ...same, ...withPatient }),
      created,
      target: insurer,
      provider,
    };
  },
);

const answered = crossVersionExtension<{ coverage?: Loose<R4.Reference>; inforce?: boolean }>("CoverageEligibilityResponse.insurance", {
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
      request: request ? retargetReference("EligibilityRequest", "CoverageEligibilityRequest", request) : {},
      outcome: outcome ?? "queued",
      insurer: organization ?? {},
      insurance: insured || inforce !== undefined ? [{ coverage: insured ?? {}, inforce }] : undefined,
    };
  },
);
