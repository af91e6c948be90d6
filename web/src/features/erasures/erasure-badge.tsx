import { Badge } from "@chakra-ui/react/badge";
import type { ErasureStatus } from "@vitaline/contract";
import { statuses } from "./erasure-words.ts";

export const ErasureBadge = ({ status }: { status: ErasureStatus }) => (
  <Badge colorPalette={statuses[status].colorPalette} flexShrink="0">
    {statuses[status].name}
  </Badge>
);
