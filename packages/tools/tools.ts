import type { Tool } from "./sdk/define-tool.ts";
import { createPatientFhir } from "./createPatientFhir/index.ts";
import { getFhirProviders } from "./getFhirProviders/index.ts";
import { getMedicationHistoryFhir } from "./getMedicationHistoryFhir/index.ts";
import { getOfficeInfo } from "./getOfficeInfo/index.ts";
import { getPatientClinicalData } from "./getPatientClinicalData/index.ts";
import { getPatientInfo } from "./getPatientInfo/index.ts";
import { logRoutingEvent } from "./logRoutingEvent/index.ts";
import { scheduleAppointment } from "./scheduleAppointment/index.ts";
import { sendCommunicationFhir } from "./sendCommunicationFhir/index.ts";
import { sendEmail } from "./sendEmail/index.ts";
import { sendSMS } from "./sendSMS/index.ts";
import { updatePatientFhir } from "./updatePatientFhir/index.ts";
import { verifyInsurance } from "./verifyInsurance/index.ts";
import { verifyPatientIdentity } from "./verifyPatientIdentity/index.ts";

export const tools: Readonly<Record<string, Tool>> = {
  verifyPatientIdentity,
  getPatientInfo,
  createPatientFhir,
  updatePatientFhir,
  getPatientClinicalData,
  getMedicationHistoryFhir,
  verifyInsurance,
  logRoutingEvent,
  getFhirProviders,
  scheduleAppointment,
  sendCommunicationFhir,
  sendSMS,
  sendEmail,
  getOfficeInfo,
};
