import {
  type AuditLog,
  Language,
  type OrganizationType,
  type Range,
  type Snippet,
  type ToolRun,
  isToolName,
  toolCatalog,
} from "@vitaline/contract";

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

/** "Our Retell (Retell AI)"; "Retell AI" where the name says it already. */
export const providerLabel = ({ providerName, providerType }: { providerName: string; providerType: Snippet["platform"] }): string =>
  providerName === platformNames[providerType] ? providerName : `${providerName} (${platformNames[providerType]})`;

export const organizationTypeNames: Record<OrganizationType, string> = {
  hospital: "Hospital",
  clinic: "Clinic",
  private_practice: "Private practice",
  urgent_care: "Urgent care",
  specialty_center: "Specialty center",
  telehealth: "Telehealth",
};

export const languageNames: Record<Language, string> = { en: "English", es: "Spanish" };

export const languageOptions = Language.options.map((value) => ({ value, label: languageNames[value] }));

/** In words; a tool that is no longer there has its name taken apart. */
export const toolTitle = (name: string): string => {
  if (isToolName(name)) return toolCatalog[name].title;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** In a sentence: "Send a text message (sendSMS)". */
export const toolInText = (name: string): string => `${toolTitle(name)} (${name})`;

/** How what someone did, or a tool's run, ended. An emergency is neither a success nor a failure. */
export const results = {
  succeeded: { palette: "green", word: "Success" },
  failed: { palette: "red", word: "Failed" },
  emergency: { palette: "orange", word: "Emergency" },
} as const satisfies Record<ToolRun["status"], object>;

export const auditResult = ({ success, code }: Pick<AuditLog, "success" | "code">): (typeof results)[ToolRun["status"]] =>
  results[success ? "succeeded" : code === "emergency" ? "emergency" : "failed"];
