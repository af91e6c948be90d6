import { applyPatch, createPatch } from "rfc6902";

/**
 * Guards every replace and remove inside a list by a test: of the enclosing element's id if it has one, else of the old value. An add is
 * guarded by that id only; the caller's If-Match covers lists without ids. https://www.rfc-editor.org/rfc/rfc6902
 */
export function createGuardedPatch(before: object, after: object): JsonPatchOperation[] {
  const current: unknown = plain(before);
  const guarded: JsonPatchOperation[] = [];
  for (const operation of createPatch(current, plain(after)) as JsonPatchOperation[]) {
    const guard = guardOf(current, operation);
    if (guard && !isSame(guarded.at(-1), guard)) guarded.push(guard);
    guarded.push(operation);
    applyPatch(current, [operation]);
  }
  return guarded;
}

/** As JSON: without undefined fields. */
export const plain = (resource: object): object => JSON.parse(JSON.stringify(resource)) as object;

const isSame = (one: JsonPatchOperation | undefined, other: JsonPatchOperation): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The test before an operation inside a list; undefined outside lists, and for an add without an id to test. */
function guardOf(current: unknown, { op, path }: JsonPatchOperation): JsonPatchOperation | undefined {
  const steps = path.split("/").slice(1);
  let value = current;
  let inList = false;
  let element: JsonPatchOperation | undefined;
  for (const [index, step] of steps.entries()) {
    const at = Array.isArray(value);
    const isLast = index === steps.length - 1;
    value = childOf(value, step);
    if (!at || (isLast && op === "add")) continue;
    inList = true;
    const id = childOf(value, "id");
    if (typeof id === "string") element = { op: "test", path: `/${steps.slice(0, index + 1).join("/")}/id`, value: id };
  }
  return element ?? (inList && op !== "add" && value !== undefined ? { op: "test", path, value } : undefined);
}

/** FHIR field names contain neither "~" nor "/", so path steps need no unescaping. */
const childOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;

/** The RFC 6902 operations that we use. */
export type JsonPatchOperation = { op: "add" | "replace" | "test"; path: string; value: unknown } | { op: "remove"; path: string };
