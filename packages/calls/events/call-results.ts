import type { CallResult, RoutingReason, ToolName } from "@vitaline/contract";
import type { CallRow } from "@vitaline/store";

/** What a tool's audit row tells. `made`: an appointment was created; `canceled`: one was canceled. */
export type RunFacts = {
  tool: string;
  success: boolean;
  code?: string | undefined;
  action?: string | undefined;
  outcome?: string | undefined;
  booked: boolean;
  made: boolean;
  canceled: boolean;
};

const messageActions: ReadonlySet<string> = new Set(["clinical_question", "appointment_request", "billing_question", "other"]);

export function resultsOf({ tool, success, code, action = "", outcome, booked, made, canceled }: RunFacts): CallResult[] {
  if (code === "emergency" || (success && outcome === "emergency")) return ["emergency"];
  if (!success) return [];
  switch (tool) {
    case "scheduleAppointment":
      if (booked) return ["booked"];
      if (action === "reschedule" && made) return [canceled ? "rescheduled" : "visit_requested"];
      if (action === "book" && made) return ["visit_requested"];
      return action === "cancel" && canceled ? ["canceled"] : [];
    case "sendCommunicationFhir":
      if (action === "refill_request") return ["refill_requested"];
      if (action === "callback_request") return ["callback_promised"];
      return messageActions.has(action) ? ["message_taken"] : [];
    case "createPatientFhir":
      return action === "create" || action === "refer" ? ["registered"] : [];
    case "updatePatientFhir":
      return action === "update" ? ["details_changed"] : [];
    case "verifyInsurance":
      return ["insurance_checked"];
    case "logRoutingEvent":
      return outcome === "callback" ? ["callback_promised"] : [];
    default:
      return [];
  }
}

/** What a tool is used for, where the agent logged no reason; the first that fits. */
const reasonOfResult: readonly (readonly [CallResult, RoutingReason])[] = [
  ["emergency", "emergency"],
  ["refill_requested", "prescription"],
  ["registered", "new_patient"],
];
/** In this order; undefined for a tool that tells nothing of why the patient called. */
const reasonOfTool: Readonly<Record<ToolName, RoutingReason | undefined>> = {
  scheduleAppointment: "appointment",
  getMedicationHistoryFhir: "prescription",
  verifyInsurance: "insurance",
  createPatientFhir: "new_patient",
  getPatientClinicalData: "clinical",
  verifyPatientIdentity: undefined,
  getPatientInfo: undefined,
  updatePatientFhir: undefined,
  sendCommunicationFhir: undefined,
  sendSMS: undefined,
  sendEmail: undefined,
  logRoutingEvent: undefined,
  getFhirProviders: undefined,
  getOfficeInfo: undefined,
};

export const intentOf = ({ intent, results, toolsUsed }: Pick<CallRow, "intent" | "results" | "toolsUsed">): RoutingReason | undefined =>
  intent ??
  reasonOfResult.find(([result]) => results?.has(result))?.[1] ??
  Object.entries(reasonOfTool).find(([tool, reason]) => reason !== undefined && toolsUsed?.has(tool))?.[1];
