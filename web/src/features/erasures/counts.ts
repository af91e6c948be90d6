import type { ErasedCounts } from "@vitaline/contract";

const names: Record<keyof ErasedCounts, string> = {
  calls: "Calls",
  toolRuns: "Tool runs",
  files: "Files of conversations",
  leads: "Leads",
  tasks: "Tasks",
  messages: "Messages",
  users: "Accounts",
  others: "Other records",
};
const kinds = Object.keys(names) as (keyof ErasedCounts)[];

export const totalOf = (counts: ErasedCounts): number => kinds.reduce((sum, kind) => sum + counts[kind], 0);

/** Each kind of record in words, with how many of it there were; what there was none of is left out. */
export const countsInWords = (counts: ErasedCounts): [name: string, count: number][] =>
  kinds.filter((kind) => counts[kind] > 0).map((kind) => [names[kind], counts[kind]]);
