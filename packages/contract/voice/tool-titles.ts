/** What people call each tool: its title for agents, and its name on the screens. */
export const toolTitles: Readonly<Record<string, string>> = {
  createPatientFhir: "Register a new patient",
  getFhirProviders: "Find providers",
  getMedicationHistoryFhir: "Get medication history",
  getOfficeInfo: "Office information",
  getPatientClinicalData: "Get clinical data",
  getPatientInfo: "Get patient information",
  logRoutingEvent: "Route to staff",
  scheduleAppointment: "Schedule appointments",
  sendCommunicationFhir: "Message the care team",
  sendEmail: "Send an email",
  sendSMS: "Send a text message",
  updatePatientFhir: "Update contact details",
  verifyInsurance: "Verify insurance",
  verifyPatientIdentity: "Verify patient identity",
};
