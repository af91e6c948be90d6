import type { ListedTool, TenantFhirProvider } from "@vitaline/contract";

export type Operation = {
  name: string;
  title: string;
  effect: ListedTool["effect"];
  /** The record systems that allow it, where not all in use do; empty means all of them. */ onlyAt: string[];
};

type Provider = Pick<TenantFhirProvider, "providerName" | "isActive" | "operations">;
type Tool = Pick<ListedTool, "name" | "title" | "effect">;

/** What voice agents can do at the record systems that are switched on, in the order of the tools. */
export const operationsAt = (providers: readonly Provider[], tools: readonly Tool[]): Operation[] => {
  const active = providers.filter(({ isActive }) => isActive);
  return tools.flatMap(({ name, title, effect }) => {
    const allowing = active.filter(({ operations }) => operations.includes(name));
    if (allowing.length === 0) return [];
    return [{ name, title, effect, onlyAt: allowing.length === active.length ? [] : allowing.map(({ providerName }) => providerName) }];
  });
};
