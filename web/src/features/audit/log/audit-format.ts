import type { AuditLog } from "@vitaline/contract";
import type { AuditFilters } from "./audit-filters.ts";

export const actorKindNames: Record<AuditLog["actorKind"], string> = {
  user: "User",
  api_key: "API key",
  voice_provider: "Voice platform",
  system: "The platform itself",
  nobody: "Not signed in",
};

export const formatDetail = (value: string | number | boolean): string =>
  typeof value === "boolean"
    ? value
      ? "Yes"
      : "No"
    : typeof value === "number"
      ? value.toLocaleString("en-US")
      : value.replaceAll(",", ", ");

export const actionTypeNames: Record<AuditFilters["actionType"], string> = {
  all: "All actions",
  patient_access: "Patient access",
  data_query: "Data query",
  api_call: "API call",
  configuration_change: "Configuration change",
};
