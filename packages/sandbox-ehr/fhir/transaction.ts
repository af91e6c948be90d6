import { randomUUID } from "node:crypto";
import type { Bundle, BundleEntry } from "fhir/r4.js";
import * as z from "zod/mini";
import { type Call, operationOutcome, Refusal, type Reply } from "../http/http.ts";
import { parseBody, type Server, versionUrl } from "./interactions.ts";
import { isResourceType, parseReference, type ResourceType, type Stored } from "../store/resource.ts";
import type { Draft } from "../store/store.ts";
import { checkReferences } from "./validate.ts";
import { current, etag, existing, putChanged, putNew } from "./write.ts";

export type Permit = (interaction: "create" | "update", type: ResourceType) => void;

const maxEntries = 100;
const bundleSchema = z.object({
  resourceType: z.literal("Bundle"),
  type: z.enum(["transaction", "batch"]),
  entry: z
    .array(
      z.object({
        fullUrl: z.optional(z.string()),
        resource: z.looseObject({}),
        request: z.object({
          method: z.enum(["POST", "PUT"]),
          url: z.string(),
          ifMatch: z.optional(z.string()),
          ifNoneExist: z.optional(z.string()),
        }),
      }),
    )
    .check(z.minLength(1), z.maxLength(maxEntries)),
});
type Entry = z.infer<typeof bundleSchema>["entry"][number];

/**
 * `transaction`: all entries or none; `batch`: each entry separately. Entries are POST and PUT, and `urn:uuid:` references are resolved.
 * https://hl7.org/fhir/R4/http.html#transaction
 */
export async function transaction(server: Server, call: Call, permit: Permit = () => {}): Promise<Reply> {
  const parsed = bundleSchema.safeParse(parseBody(call));
  if (!parsed.success)
    throw new Refusal(400, "structure", `The body is not a transaction or batch of 1 to ${maxEntries} POST and PUT entries`);
  const { type, entry: entries } = parsed.data;
  const answered = type === "transaction" ? await together(server, entries, permit) : await runBatch(server, entries, permit);
  const body: Bundle = { resourceType: "Bundle", type: `${type}-response`, entry: answered };
  return { status: 200, body };
}

async function together(server: Server, entries: Entry[], permit: Permit): Promise<BundleEntry[]> {
  const draft = server.store.begin();
  const answered = stage(server, draft, entries, permit);
  await draft.commit();
  return answered;
}

async function runBatch(server: Server, entries: Entry[], permit: Permit): Promise<BundleEntry[]> {
  const answered: BundleEntry[] = [];
  for (const entry of entries) {
    answered.push(
      ...(await together(server, [entry], permit).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        return [{ response: { status: String(error.status), outcome: operationOutcome(error) } }];
      })),
    );
  }
  return answered;
}

interface Placed {
  entry: Entry;
  index: number;
  type: ResourceType;
  id: string;
  found: Stored | undefined;
}

function stage(server: Server, draft: Draft, entries: Entry[], permit: Permit): BundleEntry[] {
  const placed = entries.map((entry, index) => placeOf(draft, entry, index, permit));
  refuseDuplicates(placed);
  const places = new Map(placed.map(({ entry, type, id }) => [entry.fullUrl ?? "", `${type}/${id}`]));
  const answered: BundleEntry[] = [];
  const written: Stored[] = [];
  for (const { entry, index, type, id, found } of [...placed].sort(byProcessingOrder)) {
    const created = entry.request.method === "POST" && !found;
    const body = resolved(entry.resource, places);
    // If-Match refers to the version before the transaction, which another entry may have changed already
    if (!created) current(server.store, type, id, entry.request.ifMatch);
    const stored = found ?? (created ? putNew(draft, type, body, server.now(), id) : putChanged(draft, type, id, body, server.now()));
    if (!found) written.push(stored);
    answered[index] = answerOf(server, stored, created);
  }
  for (const resource of written) checkReferences(draft, resource);
  return answered;
}

function placeOf(draft: Draft, entry: Entry, index: number, permit: Permit): Placed {
  const { method, url, ifNoneExist } = entry.request;
  const target = method === "POST" ? { type: url, id: randomUUID() } : /^[A-Z]/.test(url) ? parseReference(url) : undefined;
  if (!target || !isResourceType(target.type)) throw new Refusal(400, "not-found", "The address of an entry is not on this server");
  const { type, id } = target;
  permit(method === "POST" ? "create" : "update", type);
  const found = method === "POST" ? existing(draft, type, ifNoneExist) : undefined;
  return { entry, index, type, id: found?.id ?? id, found };
}

/** https://hl7.org/fhir/R4/http.html#trules: no resource may be named by two entries. */
function refuseDuplicates(placed: Placed[]): void {
  const changed = placed.filter(({ found }) => !found).map(({ type, id }) => `${type}/${id}`);
  const urls = placed.flatMap(({ entry }) => entry.fullUrl ?? []);
  if (new Set(changed).size < changed.length || new Set(urls).size < urls.length)
    throw new Refusal(400, "invariant", "Two entries of the transaction are for the same resource");
}

/** FHIR runs POST before PUT; appointments come after the patients they refer to. */
const processingOrder = ({ entry, type }: Placed) => (entry.request.method === "POST" ? 0 : 2) + (type === "Appointment" ? 1 : 0);
const byProcessingOrder = (a: Placed, b: Placed) => processingOrder(a) - processingOrder(b);

function resolved(value: unknown, places: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((part) => resolved(part, places));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === "reference" && typeof part === "string" ? (places.get(part) ?? part) : resolved(part, places),
    ]),
  );
}

const answerOf = (server: Server, stored: Stored, created: boolean): BundleEntry => ({
  fullUrl: `${server.baseUrl}/${stored.resourceType}/${stored.id}`,
  resource: stored,
  response: {
    status: created ? "201 Created" : "200 OK",
    location: versionUrl(server, stored),
    etag: etag(stored),
    lastModified: stored.meta.lastUpdated,
  },
});
