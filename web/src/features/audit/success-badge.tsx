import { Badge } from "@chakra-ui/react/badge";

/** Whether an act came about. */
export const SuccessBadge = ({ success }: { success: boolean }) => (
  <Badge colorPalette={success ? "green" : "red"}>{success ? "Success" : "Failed"}</Badge>
);
