import type { Bundle, Resource as FhirResource } from "fhir/r4.js";
import { type Call, Refusal, type Reply } from "./http/http.ts";
import { create, read, type Server, update } from "./fhir/interactions.ts";
import { patch } from "./fhir/patch.ts";
import type { ResourceType, Stored } from "./store/resource.ts";
import { createSearch } from "./search/search.ts";
import { defaultSeed, seedStore } from "./seed/index.ts";
import { openStore } from "./store/store.ts";

export const someMonday = new Date("2026-11-23T08:00:00-05:00");

export async function openClinic({ dataDir, now = someMonday }: { dataDir?: string; now?: Date } = {}) {
  const store = await openStore({ dataDir, now: () => now });
  await seedStore(store, now, defaultSeed);
  const server: Server = { store, baseUrl: "https://ehr.test/r4", now: () => now };
  const searches = createSearch(store, server.baseUrl);
  const search = (type: ResourceType, query: string) => searches.run(type, new URLSearchParams(query));
  return {
    server,
    store,
    search,
    found: <T extends FhirResource>(type: ResourceType, query: string) => resourcesIn<T>(search(type, query)),
    read: <T extends ResourceType>(type: T, id: string) => read(server, type, id).body as Stored<T>,
    create: (type: ResourceType, body: object, headers: Record<string, string> = {}) =>
      answer(() => create(server, type, callOf(body, headers))),
    update: (type: ResourceType, id: string, body: object, headers: Record<string, string> = {}) =>
      answer(() => update(server, type, id, callOf(body, headers))),
    patch: (type: ResourceType, id: string, operations: object[], headers: Record<string, string> = {}) =>
      answer(() => patch(server, type, id, callOf(operations, { "content-type": "application/json-patch+json", ...headers }))),
    freeSlot: (service = "primary-care", skip = 0) =>
      resourcesIn<Stored<"Slot">>(search("Slot", `status=free&start=ge2026-11-24&service-type=${service}&_sort=start&_count=${skip + 1}`))[
        skip
      ]!,
  };
}

export const callOf = (body: object | string, headers: Record<string, string> = {}): Call => ({
  method: "POST",
  path: "/",
  query: new URLSearchParams(),
  headers: { "content-type": "application/fhir+json", ...headers },
  body: typeof body === "string" ? body : JSON.stringify(body),
});

export async function answer<B = Record<string, never>>(
  work: () => Reply | Promise<Reply>,
): Promise<{ status: number; headers: Record<string, string>; body: B; issue?: string }> {
  try {
    const { status, headers = {}, body } = await work();
    return { status, headers, body: body as B };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, headers: error.headers, body: undefined as B, issue: error.issue };
  }
}

export const resourcesIn = <T extends FhirResource>({ entry = [] }: Bundle, mode = "match"): T[] =>
  entry.flatMap(({ resource, search }) => (search?.mode === mode ? [resource as unknown as T] : []));

export const bookingOf = (slotId: string, patientId = "patient-1001", more: object = {}) => ({
  resourceType: "Appointment",
  status: "booked",
  slot: [{ reference: `Slot/${slotId}` }],
  participant: [{ actor: { reference: `Patient/${patientId}` }, status: "accepted" }],
  ...more,
});
