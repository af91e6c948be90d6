import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { codeSystems } from "../convert/code-systems.ts";
import { converter, list, type Loose, retargetReference } from "../convert/converter.ts";
import { crossVersionExtension } from "../convert/cross-version-extension.ts";

const classes = ["group", "plan", "subPlan"] as const;
const classCode = (field: string): string => field.toLowerCase();
const coverageExtensions = crossVersionExtension<Pick<Loose<R4.Coverage>, "relationship">>("Coverage", { relationship: "CodeableConcept" });

/**
 * https://hl7.org/fhir/DSTU2/coverage.html: no status; without a `dependent` number the subscriber is the beneficiary; R4's classes are
 * string fields.
 */
export const coverage = converter<R2.Coverage, R4.Coverage>(
  "Coverage",
  "Coverage",
  ({ issuer, type, subscriberId, subscriber, group, plan, subPlan, dependent, sequence, network, bin: _b, ...same }) => {
    const values = { group, plan, subPlan };
    const coverageClasses = classes.flatMap((field) => {
      const value = values[field];
      return value === undefined ? [] : [{ type: { coding: [{ system: codeSystems.coverageClass, code: classCode(field) }] }, value }];
    });
    return {
      ...same,
      ...coverageExtensions.read(same),
      status: "active",
      type: type && { coding: [type] },
      subscriberId: subscriberId?.value,
      subscriber,
      beneficiary: subscriber ?? {},
      dependent: dependent === undefined ? undefined : String(dependent),
      payor: list(issuer) ?? [],
      class: coverageClasses.length ? coverageClasses : undefined,
      order: sequence,
      network: network?.value,
    };
  },
);

/** The DSTU2 resources lack these elements. */
const requestExtensions = crossVersionExtension<Pick<Loose<R4.CoverageEligibilityRequest>, "patient" | "servicedDate">>(
  "CoverageEligibilityRequest",
  {
    patient: "Reference",
    servicedDate: "Date",
  },
);
const coverageExtension = crossVersionExtension<{ coverage?: Loose<R4.Reference> }>("CoverageEligibilityRequest.insurance", {
  coverage: "Reference",
});

/** https://hl7.org/fhir/DSTU2/eligibilityrequest.html */
export const eligibilityRequest = converter<R2.EligibilityRequest, R4.CoverageEligibilityRequest>(
  "EligibilityRequest",
  "CoverageEligibilityRequest",
  ({ created, target, provider, organization: _o, ruleset: _r, originalRuleset: _f, ...same }) => {
    const insured = coverageExtension.read(same);
    const about = requestExtensions.read({ ...same, ...insured });
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
    const withPatient = requestExtensions.write({ patient, servicedDate }, same);
    return {
      ...same,
      ...withPatient,
      ...coverageExtension.write({ coverage: insurance?.[0]?.coverage }, { ...same, ...withPatient }),
      created,
      target: insurer,
      provider,
    };
  },
);

const insuranceExtensions = crossVersionExtension<{ coverage?: Loose<R4.Reference>; inforce?: boolean }>(
  "CoverageEligibilityResponse.insurance",
  {
    coverage: "Reference",
    inforce: "Boolean",
  },
);

/** https://hl7.org/fhir/DSTU2/eligibilityresponse.html: an outcome and a disposition, no benefits. */
export const eligibilityResponse = converter<R2.EligibilityResponse, R4.CoverageEligibilityResponse>(
  "EligibilityResponse",
  "CoverageEligibilityResponse",
  ({ created, request, outcome, organization, requestProvider, requestOrganization, ruleset: _r, originalRuleset: _o, ...same }) => {
    const { coverage: insured, inforce, ...rest } = { ...same, ...insuranceExtensions.read(same) };
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
