import { isToolName, type ToolName } from "@vitaline/contract";
import type { AuditRow } from "@vitaline/store";

/** The data that is read or changed, by act. */
const subjects: Readonly<Record<string, string>> = {
  "call.read": "Call: transcript, summary, phone numbers, tool runs",
  "call.found": "Call: excerpt of the summary",
  "call.search": "Summaries of calls",
  "call.followUp": "Call: follow-up",
  "call.export": "List of calls",
  "lead.create": "Lead: name and contact",
  "lead.read": "Lead: name and contact",
  "lead.handle": "Lead",
  "lead.export": "Leads: names and contacts",
  "lead.send": "Lead: name and contact, to the organization's own system",
  "task.read": "Task: patient and request",
  "task.close": "Task",
  "task.reopen": "Task",
  "toDo.read": "To-do item: note",
  "toDo.update": "To-do item: owner, due time, note, done or open",
  "message.send": "Message to the patient",
  "reminder.send": "Reminder to the patient",
  "patient.search": "Chart: name, date of birth, record number",
  "fhirProvider.test": "Chart: name, date of birth, gender",
  "erasure.writeCopy": "Copy of the data to erase",
  "erasure.downloadCopy": "Copy of the erased data",
  "accessReport.request": "Report of accesses",
  "accessReport.list": "Reports of accesses: who asked for which",
  "accessReport.read": "Report of accesses",
  "accessReport.download": "Report of accesses",
};

/** undefined: called by the resource of its row. */
const subjectsOfTools: Readonly<Record<ToolName, string | undefined>> = {
  verifyPatientIdentity: "Chart: name, date of birth, contact details",
  getPatientInfo: "Chart: name, contact details, care team",
  createPatientFhir: "Chart: registration",
  updatePatientFhir: "Chart: contact details",
  scheduleAppointment: "Appointments",
  getPatientClinicalData: "Chart: clinical data",
  getMedicationHistoryFhir: "Chart: medications",
  sendCommunicationFhir: "Message to the care team",
  verifyInsurance: "Chart: insurance",
  sendSMS: "Message to the patient, with contact details of the chart",
  sendEmail: "Message to the patient, with contact details of the chart",
  logRoutingEvent: "Routing, and contact details left",
  getFhirProviders: undefined,
  getOfficeInfo: undefined,
};

const byNoun: Readonly<Record<string, string>> = {
  Proxy: "Approval to speak for the patient",
  Patient: "Chart",
  Call: "Call",
  Task: "Task",
};

/** No summary is read for these. */
const byNumber: Readonly<Record<string, string>> = {
  "call.search": "Calls of a phone number",
  "call.found": "Call: found by its phone number",
};

export const whatOf = ({ action, resourceType, detail }: Pick<AuditRow, "action" | "resourceType" | "detail">): string => {
  const tool = action.startsWith("tool.") ? action.slice("tool.".length) : "";
  const subject = isToolName(tool) ? subjectsOfTools[tool] : (detail?.["by"] === "number" && byNumber[action]) || subjects[action];
  const what = subject ?? byNoun[resourceType] ?? (tool === "" ? resourceType : "Chart");
  return detail?.["testCall"] === true ? `${what}; in a test call` : what;
};

/** In a test call, these send and keep nothing. */
const unkept = /^tool\.(?:sendSMS|sendEmail|logRoutingEvent)$/;

const reads =
  /^(?:\w+\.(?:read|list|found|export|exportReady|download\w*|writeCopy|search|test|viewAs|reveal|request)|lead\.send|tool\.(?:get|verify)\w*|session\.\w+)$/;

/** A failed act changed nothing. `scheduleAppointment` also searches. */
export const isChange = ({ action, success, detail = {} }: Pick<AuditRow, "action" | "success" | "detail">): boolean =>
  success &&
  !reads.test(action) &&
  !(detail["testCall"] === true && unkept.test(action)) &&
  !(action === "tool.scheduleAppointment" && (detail["action"] === "find" || detail["action"] === "list") && detail["booked"] !== true);
