import type * as r3 from "fhir/r3.js";
import type * as r4 from "fhir/r4.js";
import { Refusal } from "../../http/http.ts";
import { compact, pick, type Plain } from "../older.ts";
import { base } from "./elements.ts";

const kinds = ["group", "plan", "class"] as const;
const subKinds: Record<string, "subGroup" | "subPlan" | "subClass"> = { subgroup: "subGroup", subplan: "subPlan", subclass: "subClass" };

/** STU3 has one element per R4 coverage class. */
function grouping(classes: Plain<r4.CoverageClass[]>): r3.CoverageGrouping {
  const said: r3.CoverageGrouping = {};
  for (const { type, value, name } of classes) {
    const code = type.coding?.[0]?.code ?? "";
    const element = kinds.find((kind) => kind === code) ?? subKinds[code];
    if (!element) continue;
    said[element] = value;
    if (name) said[`${element}Display`] = name;
  }
  return said;
}

export const coverage = (one: Plain<r4.Coverage>): r3.Coverage =>
  compact({
    resourceType: "Coverage",
    ...base(one),
    ...pick(one, "identifier", "status", "type", "policyHolder", "subscriber", "subscriberId", "beneficiary", "relationship", "period"),
    ...pick(one, "payor", "dependent", "order", "network", "contract"),
    grouping: one.class && grouping(one.class),
  });

export const eligibilityRequest = (one: Plain<r4.CoverageEligibilityRequest>): r3.EligibilityRequest =>
  compact({
    resourceType: "EligibilityRequest",
    ...base(one),
    ...pick(one, "identifier", "status", "priority", "patient", "servicedDate", "servicedPeriod", "created", "enterer", "provider"),
    ...pick(one, "insurer", "facility"),
    coverage: one.insurance?.[0]?.coverage,
    businessArrangement: one.insurance?.[0]?.businessArrangement,
    benefitCategory: one.item?.[0]?.category,
  });

export function eligibilityRequestToR4(one: r3.EligibilityRequest): r4.CoverageEligibilityRequest {
  const { status, patient, created, insurer, coverage: covered, businessArrangement, benefitCategory } = one;
  if (!patient || !insurer || !created) throw new Refusal(422, "required", "An EligibilityRequest needs patient, insurer and created here");
  return compact({
    resourceType: "CoverageEligibilityRequest",
    ...pick(
      one,
      "id",
      "meta",
      "text",
      "extension",
      "identifier",
      "priority",
      "servicedDate",
      "servicedPeriod",
      "enterer",
      "provider",
      "facility",
    ),
    status: (status ?? "active") as r4.CoverageEligibilityRequest["status"],
    purpose: ["benefits"],
    patient,
    created,
    insurer,
    ...(covered && { insurance: [compact({ coverage: covered, businessArrangement })] }),
    ...(benefitCategory && { item: [{ category: benefitCategory }] }),
  } as r4.CoverageEligibilityRequest);
}

const outcomeSystem = "http://hl7.org/fhir/remittance-outcome";

export const eligibilityResponse = (one: Plain<r4.CoverageEligibilityResponse>): r3.EligibilityResponse =>
  compact({
    resourceType: "EligibilityResponse",
    ...base(one),
    ...pick(one, "identifier", "status", "created", "request", "disposition", "insurer", "form", "error"),
    requestProvider: one.requestor,
    outcome: { coding: [{ system: outcomeSystem, code: one.outcome === "queued" ? "partial" : one.outcome }] },
    inforce: one.insurance?.[0]?.inforce,
    insurance: one.insurance?.map(({ coverage: covered, item }) =>
      compact({
        coverage: covered,
        benefitBalance: item?.map(({ category, benefit, ...line }) =>
          compact({
            category: category ?? {},
            ...pick(line, "excluded", "name", "description", "network", "unit", "term"),
            financial: benefit?.map(financial),
          }),
        ),
      }),
    ),
  });

/** STU3's Money is a Quantity with a currency. */
const money = (one: Plain<r4.Money> | undefined): r3.Money | undefined =>
  one && compact({ value: one.value, unit: one.currency, system: "urn:iso:std:iso:4217", code: one.currency });

const financial = (
  one: Plain<r4.CoverageEligibilityResponseInsuranceItemBenefit>,
): r3.EligibilityResponseInsuranceBenefitBalanceFinancial =>
  compact({
    ...pick(one, "type", "allowedUnsignedInt", "allowedString", "usedUnsignedInt"),
    allowedMoney: money(one.allowedMoney),
    usedMoney: money(one.usedMoney),
  });
