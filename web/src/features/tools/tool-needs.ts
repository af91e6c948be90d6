type Needs = {
  /** What has to be filled in, in sentences. */ text: string;
  /** Those of the fields that a usual run does not do without. */ fields: readonly string[];
};

const nothing: Needs = { text: "", fields: [] };

/** Tools that take any of several arguments: their schemas leave all of these open, and the tool itself says no. */
export const toolNeeds: Readonly<Record<string, Needs>> = {
  verifyPatientIdentity: {
    text: "First name, last name, date of birth and one detail on file are needed: phone number, zip code, address, medical record number or email. After that, a second detail alone, or “Send code” and then the code, verifies twice.",
    fields: ["firstName", "lastName", "dateOfBirth"],
  },
  createPatientFhir: { text: "A phone number or an email address is needed, too.", fields: [] },
  updatePatientFhir: { text: "Fill in what is to change: one field at least.", fields: [] },
  scheduleAppointment: {
    text: "To find or to list, nothing more is needed. To book: a slot ID or start that was found, or a date with a time. To cancel: an appointment ID or its date, unless the patient has only one. To reschedule: both of these.",
    fields: [],
  },
};

export const needsOf = (tool: string): Needs => toolNeeds[tool] ?? nothing;
