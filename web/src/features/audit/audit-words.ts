import type { AuditLog } from "@vitaline/contract";

/** Who the actor is by kind. */
export const actorKindNames: Record<AuditLog["actorKind"], string> = {
  user: "User",
  api_key: "API key",
  voice_provider: "Voice platform",
  system: "The platform itself",
  nobody: "Not signed in",
};

/** A value of a row's detail; a list comes as text with commas. */
export const detailText = (value: string | number | boolean): string =>
  typeof value === "boolean"
    ? value
      ? "Yes"
      : "No"
    : typeof value === "number"
      ? value.toLocaleString("en-US")
      : value.replaceAll(",", ", ");
