import { Badge } from "@chakra-ui/react/badge";
import type { DeliveryStatus } from "@vitaline/contract";
import { deliveryStatuses } from "./delivery-words.ts";

export const DeliveryBadge = ({ status }: { status: DeliveryStatus }) => (
  <Badge colorPalette={deliveryStatuses[status].colorPalette}>{deliveryStatuses[status].name}</Badge>
);
