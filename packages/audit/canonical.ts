import { createHash } from "node:crypto";
import { digest } from "@vitaline/core";

/**
 * One text for one row, whoever wrote it down: JSON without spaces, the names of every object in the order of their code
 * units, absent values left out. Throws at what JSON cannot say.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${sorted.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(",")}}`;
  }
  const plain = value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
  if (!plain) throw new TypeError("Not a value of JSON");
  return JSON.stringify(value);
}

/** Where a chain begins: each tenant's somewhere else, so that one cannot stand for another. */
export const chainStart = (tenantId: string | undefined): string =>
  tenantId === undefined ? digest("audit-chain-of-the-platform") : digest("audit-chain", tenantId);

/** The hash of a row in its chain: SHA-256 over the hash before it and the row's text, as 64 hex digits. */
export const chainHash = (before: string, row: string): string => createHash("sha256").update(before).update(row).digest("hex");
