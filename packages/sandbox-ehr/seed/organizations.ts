import type { Resource } from "../store/resource.ts";
import { testData } from "./patients.ts";

export const clinicOrganizationId = "organization-clinic";

export const payers = [
  { id: "organization-payer-1", name: "Sampleton Mutual Health" },
  { id: "organization-payer-2", name: "Mockford Care Plan" },
  { id: "organization-payer-3", name: "Exampleville Basic Insurance" },
];

/** Shared staff mailboxes that receive messages to the office. */
export const groups = [
  { id: "group-front-desk", name: "Front desk", members: ["practitioner-1", "practitioner-3"] },
  { id: "group-refills", name: "Prescription refills", members: ["practitioner-1", "practitioner-2", "practitioner-3"] },
] as const;

const typeOf = (code: string, display: string) => [
  { coding: [{ system: "http://terminology.hl7.org/CodeSystem/organization-type", code, display }], text: display },
];

export function organizationResources(): Resource[] {
  return [
    {
      resourceType: "Organization",
      id: clinicOrganizationId,
      meta: testData,
      active: true,
      type: typeOf("prov", "Healthcare Provider"),
      name: "Sampleton Clinics",
      telecom: [{ system: "phone", value: "(617) 555-0190" }],
    },
    ...payers.map(({ id, name }, index): Resource => ({
      resourceType: "Organization",
      id,
      meta: testData,
      identifier: [{ system: "https://sandbox-ehr.example/payer", value: `PAY${100 + index}` }],
      active: true,
      type: typeOf("ins", "Insurance Company"),
      name,
    })),
    ...groups.map(({ id, name, members }): Resource => ({
      resourceType: "Group",
      id,
      meta: testData,
      active: true,
      type: "practitioner",
      actual: true,
      code: { text: name },
      name,
      quantity: members.length,
      member: members.map((member) => ({ entity: { reference: `Practitioner/${member}` } })),
    })),
  ];
}
