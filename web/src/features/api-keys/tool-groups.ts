import { type ListedTool, toolCatalog, toolGroupNames } from "@vitaline/contract";

export const toolGroups: readonly { name: string; tools: string[] }[] = toolGroupNames.map((name) => ({
  name,
  tools: Object.entries(toolCatalog).flatMap(([tool, { group }]) => (group === name ? [tool] : [])),
}));

export type ToolGroup = { name: string; tools: ListedTool[] };

/** Groups in display order, without empty ones. Tools that belong to no group are listed under "More". */
export const groupTools = (listed: readonly ListedTool[]): ToolGroup[] => {
  const known = new Set(toolGroups.flatMap(({ tools }) => tools));
  return [
    ...toolGroups.map(({ name, tools }) => ({ name, tools: tools.flatMap((tool) => listed.filter((one) => one.name === tool)) })),
    { name: "More", tools: listed.filter(({ name }) => !known.has(name)) },
  ].filter(({ tools }) => tools.length > 0);
};

export const identityTexts: Record<ListedTool["level"], string> = {
  0: "Works for any caller.",
  1: "Works once the caller is verified by name, birth date and one more fact on file.",
  2: "Works once the caller is verified by name, birth date and two more facts on file.",
};
