import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { type Call, Refusal, type Reply } from "../http/http.ts";
import { headerOf, parseBody, type Server, written } from "./interactions.ts";
import { patchableTypes, type ResourceType } from "../store/resource.ts";
import { checkReferences } from "./validate.ts";
import { current, putChanged } from "./write.ts";

const pointer = z.string().check(z.regex(/^(\/([^~/]|~[01])*)+$/));
const value = z.unknown();
const operationSchema = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("test"), path: pointer, value }),
  z.strictObject({ op: z.literal("add"), path: pointer, value }),
  z.strictObject({ op: z.literal("replace"), path: pointer, value }),
  z.strictObject({ op: z.literal("remove"), path: pointer }),
]);
const patchSchema = z.array(operationSchema).check(z.minLength(1));
type Operation = z.infer<typeof operationSchema>;

/**
 * Applies test, add, replace and remove of JSON Patch (https://www.rfc-editor.org/rfc/rfc6902) to a copy. Throws a Refusal: 400 for a
 * malformed patch, 422 for one that does not apply.
 */
export function applyPatch(document: unknown, patch: unknown): unknown {
  const parsed = patchSchema.safeParse(patch);
  if (!parsed.success) throw new Refusal(400, "structure", "The body is not a JSON Patch of test, add, replace and remove");
  const copy: unknown = structuredClone(document);
  for (const operation of parsed.data) {
    if (operation.op !== "remove" && operation.value === undefined)
      throw new Refusal(400, "structure", `The ${operation.op} operation needs a value`);
    apply(copy, operation);
  }
  return copy;
}

function apply(document: unknown, operation: Operation): void {
  const steps = operation.path
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = steps.pop()!;
  const parent = steps.reduce((part: unknown, step) => (isContainer(part) ? memberOf(part, step) : undefined), document);
  if (!isContainer(parent)) notApplicable(operation);
  if (Array.isArray(parent)) applyToList(parent, last, operation);
  else applyToObject(parent, last, operation);
}

function applyToList(list: unknown[], step: string, operation: Operation): void {
  const index = step === "-" ? list.length : /^(0|[1-9]\d*)$/.test(step) ? Number(step) : -1;
  const last = operation.op === "add" ? list.length : list.length - 1;
  if (index < 0 || index > last) notApplicable(operation);
  if (operation.op === "test") checkEqual(list[index], operation);
  else if (operation.op === "remove") list.splice(index, 1);
  else list.splice(index, operation.op === "add" ? 0 : 1, operation.value);
}

function applyToObject(object: Record<string, unknown>, name: string, operation: Operation): void {
  if (operation.op !== "add" && !Object.hasOwn(object, name)) notApplicable(operation);
  if (operation.op === "test") checkEqual(object[name], operation);
  else if (operation.op === "remove") delete object[name];
  else Object.defineProperty(object, name, { value: operation.value, writable: true, enumerable: true, configurable: true });
}

type Container = Record<string, unknown> | unknown[];
const isContainer = (part: unknown): part is Container => typeof part === "object" && part !== null;

function memberOf(container: Container, step: string): unknown {
  if (Array.isArray(container)) return /^(0|[1-9]\d*)$/.test(step) ? container[Number(step)] : undefined;
  return Object.hasOwn(container, step) ? container[step] : undefined;
}

function checkEqual(found: unknown, operation: Operation & { op: "test" }): void {
  if (!isDeepStrictEqual(found, operation.value)) throw new Refusal(422, "processing", `The test of ${operation.path} fails`);
}

function notApplicable({ op, path }: Operation): never {
  throw new Refusal(422, "processing", `There is nothing at ${path} to ${op}`);
}

export async function patch(server: Server, type: ResourceType, id: string, call: Call): Promise<Reply> {
  if (!patchableTypes.includes(type)) throw new Refusal(405, "not-supported", `${type} cannot be patched here`, { Allow: "GET" });
  const operations = parseBody(call, /^application\/json-patch\+json\b/i);
  const draft = server.store.begin();
  const before = current(draft, type, id, headerOf(call, "if-match"));
  const stored = putChanged(draft, type, id, applyPatch(before, operations), server.now());
  checkReferences(draft, stored);
  await draft.commit();
  return written(200, stored, call, {});
}
