import type { AuditLog } from "@vitaline/contract";

/** Who the actor is by kind. */
export const actorKindNames: Record<AuditLog["actorKind"], string> = {
  user: "User",
  api_key: "API key",
  voice_provider: "Voice platform",
  system: "The platform itself",
  nobody: "Not signed in",
};

const abbreviations: Readonly<Record<string, string>> = { api: "API", fhir: "FHIR", ehr: "EHR", id: "ID", ms: "ms", url: "URL" };

/** "fhirProviderId" and "not_found" as people write them: "FHIR provider ID", "Not found". */
export const inWords = (name: string): string => {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s_.-]+/)
    .filter(Boolean)
    .map((word) => abbreviations[word] ?? word)
    .join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
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
