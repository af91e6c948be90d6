import type { Tool } from "./sdk/define-tool.ts";

/** Loaded when it is first asked for, so that a caller does not wait for the tools of others. */
const loaders: Readonly<Record<string, () => Promise<Tool>>> = {
  verifyPatientIdentity: async () => (await import("./verifyPatientIdentity/index.ts")).verifyPatientIdentity,
  getPatientInfo: async () => (await import("./getPatientInfo/index.ts")).getPatientInfo,
  createPatientFhir: async () => (await import("./createPatientFhir/index.ts")).createPatientFhir,
  updatePatientFhir: async () => (await import("./updatePatientFhir/index.ts")).updatePatientFhir,
  getPatientClinicalData: async () => (await import("./getPatientClinicalData/index.ts")).getPatientClinicalData,
  getMedicationHistoryFhir: async () => (await import("./getMedicationHistoryFhir/index.ts")).getMedicationHistoryFhir,
  verifyInsurance: async () => (await import("./verifyInsurance/index.ts")).verifyInsurance,
  logRoutingEvent: async () => (await import("./logRoutingEvent/index.ts")).logRoutingEvent,
  getFhirProviders: async () => (await import("./getFhirProviders/index.ts")).getFhirProviders,
  scheduleAppointment: async () => (await import("./scheduleAppointment/index.ts")).scheduleAppointment,
  sendCommunicationFhir: async () => (await import("./sendCommunicationFhir/index.ts")).sendCommunicationFhir,
  sendSMS: async () => (await import("./sendSMS/index.ts")).sendSMS,
  sendEmail: async () => (await import("./sendEmail/index.ts")).sendEmail,
  getOfficeInfo: async () => (await import("./getOfficeInfo/index.ts")).getOfficeInfo,
};

export const isTool = (name: string): boolean => Object.hasOwn(loaders, name);

export const loadTool = async (name: string): Promise<Tool | undefined> => (isTool(name) ? loaders[name]?.() : undefined);

/** All of them, in the order in which models see them. */
export const loadTools = async (): Promise<Readonly<Record<string, Tool>>> =>
  Object.fromEntries(await Promise.all(Object.entries(loaders).map(async ([name, load]): Promise<[string, Tool]> => [name, await load()])));
