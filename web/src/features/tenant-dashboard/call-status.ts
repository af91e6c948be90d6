import type { CallStatus } from "@vitaline/contract";

const names: Record<CallStatus, string> = {
  queued: "Queued",
  ringing: "Ringing",
  in_progress: "In progress",
  completed: "Completed",
  no_answer: "No answer",
  failed: "Failed",
  cancelled: "Cancelled",
  unknown: "Unknown",
};

/** A call's status as a badge shows it: completed is green, anything else red. */
export const callStatus = (status: CallStatus): { name: string; colorPalette: "green" | "red" } => ({
  name: names[status],
  colorPalette: status === "completed" ? "green" : "red",
});
