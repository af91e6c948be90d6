import { applyPatch, createPatch } from "rfc6902";

/**
 * The JSON Patch from one resource to another. What is replaced or removed inside a list is preceded by a test: of the id of the element
 * that it is in, where that has one, else of the value that goes. What is added is tested by that id alone; that a list without ids
 * stands as it was read is for the version to say. https://www.rfc-editor.org/rfc/rfc6902
 */
export function patchOf(before: object, after: object): JsonPatchOperation[] {
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

/** As it travels: without what is undefined. */
export const plain = (resource: object): object => JSON.parse(JSON.stringify(resource)) as object;

const isSame = (one: JsonPatchOperation | undefined, other: JsonPatchOperation): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What has to hold before an operation inside a list; undefined outside lists, and for what is added at the end of one. */
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

/** Keys of a resource hold neither "~" nor "/", so a path's steps are its keys. */
const childOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;

/** RFC 6902, as far as records are changed by it. */
export type JsonPatchOperation = { op: "add" | "replace" | "test"; path: string; value: unknown } | { op: "remove"; path: string };
