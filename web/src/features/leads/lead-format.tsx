import type { Lead, LeadReason } from "@vitaline/contract";
import { Badge } from "@chakra-ui/react/badge";

export const leadReasonNames: Record<LeadReason, string> = {
  new_patient: "New patient",
  appointment: "Appointment",
  prescription: "Prescription",
  billing: "Billing",
  insurance: "Insurance",
  records: "Medical records",
  other: "Other",
};

export const shownLeads = { all: "All leads", open: "To be handled", handled: "Handled" } as const;
export type ShownLeads = keyof typeof shownLeads;

const isShown = (value: string | undefined): value is ShownLeads => value !== undefined && Object.hasOwn(shownLeads, value);
export const readShownLeads = (value: string | undefined): ShownLeads => (isShown(value) ? value : "all");

const flags = { all: undefined, open: "false", handled: "true" } as const;
export const handledFlag = (shown: ShownLeads): "true" | "false" | undefined => flags[shown];

export const leadStatus = ({ handledAt }: Pick<Lead, "handledAt">): { name: string; colorPalette: "green" | "orange" } =>
  handledAt === null ? { name: "To be handled", colorPalette: "orange" } : { name: "Handled", colorPalette: "green" };

export const LeadStatusBadge = ({ lead }: { lead: Pick<Lead, "handledAt"> }) => {
  const { name, colorPalette } = leadStatus(lead);
  return <Badge colorPalette={colorPalette}>{name}</Badge>;
};
