import type { Call, Reply } from "./http.ts";
import { headerOf, parseBody, type Server, written } from "./interactions.ts";
import { applyPatch } from "./json-patch.ts";
import { Refusal } from "./refusal.ts";
import { patchableTypes, type ResourceType } from "./resource.ts";
import { checkReferences } from "./validate.ts";
import { current, putChanged } from "./write.ts";

/** PATCH with a JSON Patch (`application/json-patch+json`); the result must be what an update could have sent. A stale If-Match is a 412. */
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
