import { Badge } from "@chakra-ui/react/badge";
import type { OperatorRequestStatus } from "@vitaline/contract";

export const requestStatusNames: Record<OperatorRequestStatus, string> = {
  open: "Open",
  in_progress: "In progress",
  done: "Done",
  declined: "Declined",
};

export const isClosed = (status: OperatorRequestStatus): boolean => status === "done" || status === "declined";

const palettes: Record<OperatorRequestStatus, "orange" | "blue" | "green" | "gray"> = {
  open: "orange",
  in_progress: "blue",
  done: "green",
  declined: "gray",
};

export const RequestStatusBadge = ({ status }: { status: OperatorRequestStatus }) => (
  <Badge colorPalette={palettes[status]} flexShrink="0">
    {requestStatusNames[status]}
  </Badge>
);
