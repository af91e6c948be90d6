import { Badge } from "@chakra-ui/react/badge";

/** Whether a tenant, a provider, an office or a key is switched on. */
export const ActiveBadge = ({ isActive }: { isActive: boolean }) => (
  <Badge colorPalette={isActive ? "green" : "gray"} flexShrink="0">
    {isActive ? "Active" : "Inactive"}
  </Badge>
);
