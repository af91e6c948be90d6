/** The groups in which screens list the tools. */
export const toolGroupNames = ["Patient management", "Clinical actions", "Communication", "Internal operations"] as const;

/**
 * What people call each tool, and its group; a group keeps this order. `ownLevel`: of a tool whose identity level a tenant may raise, its
 * own level (the highest one if it varies). verifyPatientIdentity has none: it is how a level is reached.
 */
export const toolCatalog = {
  verifyPatientIdentity: { title: "Verify patient identity", group: "Patient management" },
  getPatientInfo: { title: "Get patient information", group: "Patient management", ownLevel: 1 },
  createPatientFhir: { title: "Register a new patient", group: "Patient management", ownLevel: 0 },
  updatePatientFhir: { title: "Update contact details", group: "Patient management", ownLevel: 2 },
  scheduleAppointment: { title: "Schedule appointments", group: "Clinical actions", ownLevel: 1 },
  getPatientClinicalData: { title: "Get clinical data", group: "Clinical actions", ownLevel: 2 },
  getMedicationHistoryFhir: { title: "Get medication history", group: "Clinical actions", ownLevel: 2 },
  sendCommunicationFhir: { title: "Message the care team", group: "Clinical actions", ownLevel: 1 },
  verifyInsurance: { title: "Verify insurance", group: "Internal operations", ownLevel: 2 },
  sendSMS: { title: "Send a text message", group: "Communication", ownLevel: 1 },
  sendEmail: { title: "Send an email", group: "Communication", ownLevel: 1 },
  logRoutingEvent: { title: "Route to staff", group: "Internal operations" },
  getFhirProviders: { title: "Find providers", group: "Internal operations" },
  getOfficeInfo: { title: "Office information", group: "Internal operations" },
} as const satisfies Record<string, { title: string; group: (typeof toolGroupNames)[number]; ownLevel?: 0 | 1 | 2 }>;

export type ToolName = keyof typeof toolCatalog;
export const isToolName = (name: string): name is ToolName => Object.hasOwn(toolCatalog, name);
