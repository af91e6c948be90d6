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

export const leadFilterNames = { all: "All leads", open: "To be handled", handled: "Handled" } as const;
export type LeadFilter = keyof typeof leadFilterNames;

const isLeadFilter = (value: string | undefined): value is LeadFilter => value !== undefined && Object.hasOwn(leadFilterNames, value);
export const readLeadFilter = (value: string | undefined): LeadFilter => (isLeadFilter(value) ? value : "all");

const handledFlags = { all: undefined, open: "false", handled: "true" } as const;
export const handledFlag = (shown: LeadFilter): "true" | "false" | undefined => handledFlags[shown];

export const leadStatus = ({ handledAt }: Pick<Lead, "handledAt">): { name: string; colorPalette: "green" | "orange" } =>
  handledAt === null ? { name: "To be handled", colorPalette: "orange" } : { name: "Handled", colorPalette: "green" };

export const LeadStatusBadge = ({ lead }: { lead: Pick<Lead, "handledAt"> }) => {
  const { name, colorPalette } = leadStatus(lead);
  return <Badge colorPalette={colorPalette}>{name}</Badge>;
};
