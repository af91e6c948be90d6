import { randomUUID } from "node:crypto";
import type { Coverage, CoverageEligibilityRequest, CoverageEligibilityResponse, CoverageEligibilityResponseInsurance } from "fhir/r4.js";
import { clinicDate } from "../store/clinic-time.ts";
import { parseReference, type Stored } from "../store/resource.ts";
import type { View } from "../store/store.ts";

/**
 * One insurance entry per named coverage (none: all of the patient's), in force on the day of service or not, with the cost of a visit.
 * https://hl7.org/fhir/R4/coverageeligibilityresponse.html
 */
export function eligibilityResponse(
  view: View,
  request: CoverageEligibilityRequest & { id: string },
  now: Date,
): CoverageEligibilityResponse {
  const patientId = parseReference(request.patient.reference)?.id;
  const held = patientId ? view.all("Coverage", patientId) : [];
  const named = new Set((request.insurance ?? []).map(({ coverage }) => parseReference(coverage.reference)?.id));
  const asked = named.size > 0 ? held.filter(({ id }) => named.has(id)) : held;
  const day = request.servicedDate ?? request.servicedPeriod?.start?.slice(0, 10) ?? clinicDate(now);
  const insurance = asked.map((coverage) => insuranceOn(coverage, day, request.purpose.includes("benefits")));
  const inForce = insurance.some(({ inforce }) => inforce);
  return {
    resourceType: "CoverageEligibilityResponse",
    id: randomUUID(),
    status: "active",
    purpose: request.purpose,
    patient: request.patient,
    servicedDate: day,
    created: now.toISOString(),
    request: { reference: `CoverageEligibilityRequest/${request.id}` },
    insurer: request.insurer,
    ...(insurance.length > 0
      ? { outcome: "complete", disposition: inForce ? "Coverage is in force" : "Coverage is not in force", insurance }
      : { outcome: "error", disposition: "No coverage found", error: [noCoverage] }),
  };
}

const noCoverage = {
  code: {
    coding: [
      { system: "https://sandbox-ehr.example/eligibility-error", code: "no-coverage", display: "No coverage of this patient is known" },
    ],
  },
};

function insuranceOn(coverage: Stored<"Coverage">, day: string, withBenefits: boolean): CoverageEligibilityResponseInsurance {
  const inforce = inForceOn(coverage, day);
  return {
    coverage: { reference: `Coverage/${coverage.id}` },
    inforce,
    ...(coverage.period && { benefitPeriod: coverage.period }),
    ...(withBenefits && inforce && { item: [visitBenefit(coverage)] }),
  };
}

const inForceOn = ({ status, period }: Coverage, day: string): boolean =>
  status === "active" && (period?.start ?? "") <= day && day <= (period?.end ?? "9999-12-31");

function visitBenefit({ costToBeneficiary = [] }: Coverage) {
  const copay = costToBeneficiary[0]?.valueMoney;
  return {
    category: {
      coding: [{ system: "http://terminology.hl7.org/CodeSystem/ex-benefitcategory", code: "1", display: "Medical Care" }],
    },
    network: { coding: [{ system: "http://terminology.hl7.org/CodeSystem/benefit-network", code: "in", display: "In Network" }] },
    ...(copay && {
      benefit: [
        {
          type: {
            coding: [{ system: "http://terminology.hl7.org/CodeSystem/benefit-type", code: "copay", display: "Copayment per service" }],
          },
          allowedMoney: copay,
        },
      ],
    }),
  };
}
