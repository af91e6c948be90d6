import type { OrganizationType, Range, Snippet } from "@vitaline/contract";

/** Whether the texts together contain all words of the query, in any order and case. An empty query matches. */
export const hasWords = (texts: readonly (string | null | undefined)[], typed: string): boolean => {
  const text = texts.join(" ").toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

/** Shorter lists need no search. */
export const minRowsForSearch = 6;

const abbreviations: Readonly<Record<string, string>> = { api: "API", fhir: "FHIR", ehr: "EHR", id: "ID", ms: "ms", url: "URL" };

/** "HIPAA" and "GET" stay in capitals. */
const isAcronym = (name: string): boolean => /^[A-Z\d]+$/.test(name);

/** "fhirProviderId" → "FHIR provider ID", "customer-ended-call" → "Customer ended call" */
export const formatName = (name: string): string => {
  if (isAcronym(name)) return name;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s_.-]+/)
    .filter(Boolean)
    .map((word) => abbreviations[word] ?? word)
    .join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const rangeNames: Record<Range, string> = {
  "24hours": "Last 24 hours",
  "7days": "Last 7 days",
  "30days": "Last 30 days",
  "90days": "Last 90 days",
  all: "All time",
};

/** In each platform's own spelling. */
export const platformNames: Record<Snippet["platform"], string> = {
  vapi: "Vapi",
  retellai: "Retell AI",
  elevenlabs: "ElevenLabs",
  openai: "OpenAI Realtime",
  mcp: "MCP",
};

export const organizationTypeNames: Record<OrganizationType, string> = {
  hospital: "Hospital",
  clinic: "Clinic",
  private_practice: "Private practice",
  urgent_care: "Urgent care",
  specialty_center: "Specialty center",
  telehealth: "Telehealth",
};
