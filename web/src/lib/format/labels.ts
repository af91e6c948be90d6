import type { OrganizationType, Range, Snippet } from "@vitaline/contract";

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
