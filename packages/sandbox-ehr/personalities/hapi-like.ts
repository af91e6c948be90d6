import type { Bundle, Condition } from "fhir/r4.js";
import type { Reply } from "../http.ts";
import { Refusal } from "../refusal.ts";
import type { Resource } from "../resource.ts";
import type { Personality } from "./personality.ts";
import { plain } from "./plain.ts";

const largestPage = 20;
const everyRequest = 40;
const pauseMs = 1000;

/**
 * A server as one sets it up from the specification alone, where nobody has agreed on anything: slots stay free whatever is booked,
 * references come without display and conditions without category, and result parameters are hints.
 */
export function hapiLike(): Personality {
  let requests = 0;
  let includes = 0;
  return {
    ...plain,
    name: "hapi-like",
    software: { name: "Sandbox like a plain FHIR server", version: "1" },
    summary:
      "Slots stay free whatever is booked; references without display, conditions without category; _sort and :exact are ignored, _include is ignored or refused by turns; pages of 20; no search by POST; now and then a pause, with a date in Retry-After.",
    paths: { R4: "/hapi-like/r4" },
    tokenPath: "/hapi-like/oauth2/token",
    keepsSlotsFree: true,
    check(request) {
      requests += 1;
      if (requests % everyRequest === 0)
        throw new Refusal(429, "throttled", "Too many requests", { "Retry-After": new Date(Date.now() + pauseMs).toUTCString() });
      if (request.interaction !== "search-type") return;
      if (request.call.method === "POST") throw new Refusal(400, "not-supported", "Searches are sent as GET");
      if (request.params.has("_include") && (includes += 1) % 2 === 0) throw new Refusal(400, "not-supported", "_include is not supported");
      loosen(request.params);
    },
    reply: (_request, reply) => bare(reply),
  };
}

/** What it does not know it leaves out. */
function loosen(params: URLSearchParams): void {
  params.delete("_include");
  params.delete("_sort");
  params.set("_count", String(Math.min(Number(params.get("_count") ?? largestPage), largestPage)));
  for (const [name, value] of [...params])
    if (name.endsWith(":exact")) {
      params.delete(name, value);
      params.append(name.replace(":exact", ""), value);
    }
}

const bare = (reply: Reply): Reply => {
  const body = reply.body as Bundle | Resource | undefined;
  if (typeof body !== "object" || !("resourceType" in body)) return reply;
  if (body.resourceType !== "Bundle") return { ...reply, body: bareResource(body) };
  const entry = (body.entry ?? []).map((one) => (one.resource ? { ...one, resource: bareResource(one.resource as Resource) } : one));
  return { ...reply, body: { ...body, entry } };
};

function bareResource(resource: Resource): Resource {
  const { category: _category, ...condition } = resource as Condition;
  return withoutDisplay(resource.resourceType === "Condition" ? (condition as Resource) : resource) as Resource;
}

/** References alone lose their names: a coding's display is the vocabulary's. */
function withoutDisplay(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDisplay);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !(name === "display" && "reference" in value));
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutDisplay(inner)]));
}
