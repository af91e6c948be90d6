import type { ToolUsage } from "@vitaline/contract";

/** The five most used, most used first; equals by name, so that the order holds still between refreshes. */
export const topTools = (usage: readonly ToolUsage[]): ToolUsage[] =>
  usage.toSorted((one, other) => other.count - one.count || one.toolName.localeCompare(other.toolName)).slice(0, 5);
