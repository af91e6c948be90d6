import { Badge } from "@chakra-ui/react/badge";
import type { Lead } from "@vitaline/contract";
import { leadStatus } from "./lead-words.ts";

export const LeadStatusBadge = ({ lead }: { lead: Pick<Lead, "handledAt"> }) => {
  const { name, colorPalette } = leadStatus(lead);
  return <Badge colorPalette={colorPalette}>{name}</Badge>;
};
