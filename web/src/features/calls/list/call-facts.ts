import type { CallResult, ListedCall } from "@vitaline/contract";
import { formatName } from "../../../lib/format/labels.ts";
import { reasonNames } from "../analytics/routing-reasons.ts";

export const resultNames: Record<CallResult, string> = {
  booked: "Appointment booked",
  rescheduled: "Appointment rescheduled",
  canceled: "Appointment canceled",
  visit_requested: "Visit requested",
  refill_requested: "Refill requested",
  message_taken: "Message taken",
  registered: "Registered",
  details_changed: "Details changed",
  insurance_checked: "Insurance checked",
  callback_promised: "Callback promised",
  emergency: "Emergency: told whom to call",
};

type Facts = Pick<ListedCall, "results" | "forwarded" | "outcome" | "abandoned" | "status" | "resolved">;

/** What came of a call, the most telling first; empty while it goes on. */
export const resultsOf = ({ results, forwarded, outcome, abandoned, status, resolved }: Facts): string[] => {
  const done = [...results.map((result) => resultNames[result]), ...(forwarded ? ["Transferred to a person"] : [])];
  if (done.length > 0) return done;
  if (outcome !== null) return [formatName(outcome)];
  if (status === "no_answer") return ["Not answered"];
  if (abandoned) return ["Caller gave up"];
  if (resolved) return ["Answered by the agent"];
  return ["queued", "ringing", "in_progress"].includes(status) ? [] : ["No action taken"];
};

/** "Refill requested" needs no "Prescription" before it, but a call without either says so. */
export const intentName = ({ intent }: Pick<ListedCall, "intent">): string => (intent === null ? "Unknown reason" : reasonNames[intent]);

export const maskedNumber = (ending: string): string => `••• ${ending}`;
