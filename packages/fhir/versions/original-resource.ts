import type { FhirResource } from "fhir/r4.js";
import { isDeepStrictEqual as isSame } from "node:util";
import type { Resource } from "../http/payload-schemas.ts";

/** What a record was before it became R4: as the server's version has it, and under which ETag it came, where it had one. */
type Source = { native: Resource; etag?: string | undefined };

const sources = new WeakMap<FhirResource, Source>();

export const rememberOriginal = (resource: FhirResource, source: Source): void => void sources.set(resource, source);
/** Undefined for what was not read, copies included. */
export const originalOf = (resource: FhirResource): Source | undefined => sources.get(resource);

type Held = Record<string, unknown>;
const isHeld = (value: unknown): value is Held => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * `after` with all that is as in `before` taken from `native`, which holds more than either can say: both are what R4 made of it,
 * before and after a change.
 */
export function applyChange(native: unknown, before: unknown, after: unknown): unknown {
  if (isSame(before, after)) return native;
  if (Array.isArray(native) && Array.isArray(before) && Array.isArray(after)) return untouchedItems(native, before, after);
  return isHeld(native) && isHeld(before) && isHeld(after) ? untouchedFields(native, before, after) : after;
}

function untouchedItems(native: unknown[], before: unknown[], after: unknown[]): unknown[] {
  if (native.length !== before.length) return after;
  return after.map((one, index) => {
    const at = isSame(before[index], one) ? index : before.findIndex((other) => isSame(other, one));
    if (at >= 0) return native[at];
    return before.length === after.length ? applyChange(native[index], before[index], one) : one;
  });
}

function untouchedFields(native: Held, before: Held, after: Held): Held {
  const merged: Held = {};
  for (const [field, value] of Object.entries(after)) merged[field] = applyChange(native[field], before[field], value);
  for (const [field, value] of Object.entries(native)) if (!(field in before) && !(field in after)) merged[field] = value;
  // What is said of a value in its "_" field is said of no other value.
  for (const field of Object.keys(merged)) {
    const value = field.slice(1);
    const isOfOld = field.startsWith("_") && !isSame(merged[value], native[value]) && isSame(merged[field], native[field]);
    if (isOfOld) delete merged[field];
  }
  return merged;
}
