import type { CallStatus } from "@vitaline/contract";

const names: Record<CallStatus, string> = {
  queued: "Queued",
  ringing: "Ringing",
  in_progress: "In progress",
  completed: "Completed",
  no_answer: "No answer",
  failed: "Failed",
  cancelled: "Canceled",
  unknown: "Unknown",
};

/** Completed is green, every other status red. */
export const callStatus = (status: CallStatus): { name: string; colorPalette: "green" | "red" } => ({
  name: names[status],
  colorPalette: status === "completed" ? "green" : "red",
});
