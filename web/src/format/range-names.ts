import type { Range } from "@vitaline/contract";

export const rangeNames: Record<Range, string> = {
  "24hours": "Last 24 hours",
  "7days": "Last 7 days",
  "30days": "Last 30 days",
  "90days": "Last 90 days",
  all: "All time",
};
