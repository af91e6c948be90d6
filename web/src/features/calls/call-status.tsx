import { Badge } from "@chakra-ui/react/badge";
import type { CallStatus } from "@vitaline/contract";
import { isLive } from "./call-format.ts";

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

/** Beside the status, which is red for every call that has not been completed. */
export const LiveBadge = ({ status }: { status: CallStatus }) => (isLive(status) ? <Badge colorPalette="blue">Live</Badge> : null);

/** Of a call that was made in the console. */
export const TestBadge = () => (
  <Badge colorPalette="purple" flexShrink="0">
    Test
  </Badge>
);
