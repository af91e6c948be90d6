import { randomUUID } from "node:crypto";
import type { Bundle, BundleEntry } from "fhir/r4.js";
import { Refusal, type Reply } from "../http/http.ts";
import type { Resource, ResourceType } from "../store/resource.ts";
import type { FhirVersion } from "../versions/version.ts";
import { checkSearch, checkWrite, isMerged } from "./cerner-rules.ts";
import type { Abilities, FhirRequest, Interaction, Personality } from "./personality.ts";

const looks: readonly Interaction[] = ["read", "search-type"];
const readable: readonly ResourceType[] = [
  "RelatedPerson",
  "Practitioner",
  "Organization",
  "Location",
  "Group",
  "Schedule",
  "Slot",
  "Condition",
  "AllergyIntolerance",
  "Observation",
  "MedicationRequest",
  "MedicationDispense",
  "Coverage",
];
const everyRead: Abilities["interactions"] = Object.fromEntries(readable.map((type) => [type, looks]));
const maxRemembered = 200;

const interactionsOf = (version: FhirVersion): Abilities["interactions"] => {
  const change: Interaction = version === "R4" ? "patch" : "update";
  return {
    ...everyRead,
    Medication: ["read"],
    ...(version === "DSTU2" && { MedicationStatement: looks }),
    Patient: [...looks, "create", change],
    Appointment: [...looks, "create", change],
    Communication: [...looks, "create"],
  };
};

/**
 * Like Oracle Health: RS384 only, a tenant in the address, strict searches, empty 201, JSON Patch with If-Match, messages to staff only.
 */
export function cernerLike(): Personality {
  /** The last entry of a page by the address of the next page, where it is repeated. */
  const carried = new Map<string, BundleEntry>();

  const paged = (request: FhirRequest, reply: Reply): Reply => {
    const bundle = reply.body as Bundle;
    const again = carried.get(request.params.get("_page") ?? "");
    const entry = (bundle.entry ?? []).filter(({ resource }) => !isMerged(resource as Resource | undefined));
    const next = bundle.link?.find(({ relation }) => relation === "next")?.url;
    const last = entry.findLast(({ search }) => search?.mode === "match");
    if (next && last) {
      if (carried.size >= maxRemembered) carried.delete(carried.keys().next().value!);
      carried.set(new URL(next).searchParams.get("_page") ?? "", last);
    }
    return { ...reply, body: { ...bundle, entry: again ? [again, ...entry] : entry } };
  };

  return {
    name: "cerner-like",
    software: { name: "Sandbox like Oracle Health", version: "1" },
    vendor: "cerner",
    summary:
      "RS384 only and no wildcard scopes; each search needs certain parameters, and dates in pairs; a create has no body in its answer; R4 is updated by JSON Patch with If-Match; bookings by slot (DSTU2: proposals only); messages to staff only; no STU3.",
    paths: { R4: "/cerner-like/r4/sandbox", DSTU2: "/cerner-like/dstu2/sandbox" },
    tokenPath: "/cerner-like/tenants/sandbox/protocols/oauth2/profiles/smart-v1/token",
    algorithms: ["RS384"],
    wildcardScopes: false,
    abilities: (version) => ({ interactions: interactionsOf(version), operations: [], transaction: false, conditionalCreate: false }),
    tenant: (path) =>
      /^\/cerner-like\/(r4|dstu2|tenants)(\/|$)/.test(path) ? new Refusal(403, "forbidden", "Tenant not valid or accessible") : undefined,
    check(request) {
      if (request.interaction === "search-type") checkSearch(request);
      else if (request.interaction !== "read") checkWrite(request);
    },
    reply(request, reply) {
      const requestId = randomUUID();
      const headers = { ...reply.headers, "X-Request-Id": requestId, "opc-request-id": `/${requestId}` };
      if (request.interaction === "search-type") return paged(request, { ...reply, headers });
      return reply.status === 201 ? { status: 201, headers } : { ...reply, headers };
    },
    refuse: (refusal) => (refusal.status === 412 ? new Refusal(409, refusal.issue, refusal.message, refusal.headers) : refusal),
  };
}
