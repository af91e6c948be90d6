import type { Usage } from "../aws/types.ts";
import { totalUnits, type Capacity } from "./capacity.ts";

const KEPT_REQUESTS = 10_000;

/** A ring of what the last requests cost. */
export function createUsageLog() {
  let entries: Usage[] = [];
  let nextId = 1;
  return {
    add(request: { operation: string; principalArn: string; trace?: string; error?: string }, spent: Capacity[]) {
      entries.push({
        id: nextId++,
        ...request,
        tables: [...new Set(spent.map((part) => part.table))],
        readUnits: totalUnits(spent, "read"),
        writeUnits: totalUnits(spent, "write"),
      });
      if (entries.length > KEPT_REQUESTS * 2) entries = entries.slice(-KEPT_REQUESTS);
    },
    since(id = 0): Usage[] {
      return entries.slice(-KEPT_REQUESTS).filter((entry) => entry.id > id);
    },
    reset() {
      entries = [];
    },
  };
}
