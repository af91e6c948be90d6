import { Badge } from "@chakra-ui/react/badge";
import type { ApprovedProxy, ProxyRelationship, ProxyScope } from "@vitaline/contract";

export const relationshipNames: Record<ProxyRelationship, string> = {
  parent: "Parent",
  guardian: "Guardian",
  representative: "Legal representative",
  spouse: "Spouse",
  relative: "Relative",
  caregiver: "Caregiver",
};

export const scopeNames: Record<ProxyScope, string> = {
  all: "Everything",
  no_clinical: "All but the medical record",
  appointments: "Appointments only",
};

type Limits = Pick<ApprovedProxy, "onHold" | "validUntil">;

export const proxyStatus = ({ onHold, validUntil }: Limits, today: string): { name: string; colorPalette: "green" | "orange" | "gray" } => {
  if (validUntil < today) return { name: "Expired", colorPalette: "gray" };
  return onHold ? { name: "On hold", colorPalette: "orange" } : { name: "May call", colorPalette: "green" };
};

export const ProxyStatusBadge = ({ proxy, today }: { proxy: Limits; today: string }) => {
  const { name, colorPalette } = proxyStatus(proxy, today);
  return <Badge colorPalette={colorPalette}>{name}</Badge>;
};
