import { faultOf } from "./faults.ts";
import type { Call } from "./platforms.ts";

/** Pages with a cursor. A faulty list starts again from the beginning and never ends. */
export function pageOf<T>(all: T[], { query, key }: Call, size: string, cursor: string): { items: T[]; next?: string } {
  const repeating = faultOf(key) === "repeating";
  const from = repeating ? 0 : Number(query.get(cursor) ?? 0);
  const to = from + Number(query.get(size) ?? 30);
  return { items: all.slice(from, to), ...(repeating || to < all.length ? { next: String(to) } : {}) };
}
