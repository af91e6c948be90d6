import type { ListedTool } from "@vitaline/contract";

/** What the tools are for, as people who configure a voice platform look for them. */
export const toolGroups = [
  { name: "Patient management", tools: ["verifyPatientIdentity", "getPatientInfo", "createPatientFhir", "updatePatientFhir"] },
  {
    name: "Clinical actions",
    tools: ["scheduleAppointment", "getPatientClinicalData", "getMedicationHistoryFhir", "sendCommunicationFhir"],
  },
  { name: "Communication", tools: ["sendSMS", "sendEmail"] },
  { name: "Internal operations", tools: ["verifyInsurance", "logRoutingEvent", "getFhirProviders"] },
];

export type ToolGroup = { name: string; tools: ListedTool[] };

/** The tools in their groups and order; one that has no group yet stands under "More", so that none is left out. */
export const grouped = (listed: readonly ListedTool[]): ToolGroup[] => {
  const known = new Set(toolGroups.flatMap(({ tools }) => tools));
  return [
    ...toolGroups.map(({ name, tools }) => ({ name, tools: tools.flatMap((tool) => listed.filter((one) => one.name === tool)) })),
    { name: "More", tools: listed.filter(({ name }) => !known.has(name)) },
  ].filter(({ tools }) => tools.length > 0);
};

/** What a tool asks to be known about the caller. */
export const identityOf: Record<ListedTool["level"], string> = {
  0: "Works for any caller.",
  1: "Works once the caller is verified by name, birth date and one more fact on file.",
  2: "Works once the caller is verified by name, birth date and two more facts on file.",
};
