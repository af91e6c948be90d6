import type { Bundle, Condition } from "fhir/r4.js";
import { matchAccents } from "../faults/fault-effects.ts";
import { Refusal, type Reply } from "../http/http.ts";
import type { Resource } from "../store/resource.ts";
import { plainServerRecords } from "../seed/plain-server.ts";
import type { Personality } from "./personality.ts";
import { plain } from "./plain.ts";

const largestPage = 20;
const everyRequest = 40;
const everyCreate = 4;
const pauseMs = 1000;

/**
 * A plain FHIR server without an implementation guide: slots stay free after a booking, references have no display, conditions no
 * category, and result parameters are hints.
 */
export function hapiLike(): Personality {
  let requests = 0;
  let creates = 0;
  const turns = new Map<string, number>();
  const isTurn = (kind: string): boolean => {
    turns.set(kind, (turns.get(kind) ?? 0) + 1);
    return turns.get(kind)! % 2 === 0;
  };
  return {
    ...plain,
    name: "hapi-like",
    software: { name: "Sandbox like a plain FHIR server", version: "1" },
    summary:
      "Twelve doctors over three months, whose slots stay free after a booking; schedules of former doctors, merged and retired charts; references without display, conditions without category; _sort, _include and :exact are ignored and refused alternately, and accents ignored or not; pages of 20; no search by POST; no eligibility answers; every fourth create gets a temporary conflict; sometimes a 429 with a date in Retry-After.",
    paths: { R4: "/hapi-like/r4" },
    tokenPath: "/hapi-like/oauth2/token",
    keepsSlotsFree: true,
    records: plainServerRecords,
    check(request) {
      requests += 1;
      if (requests % everyRequest === 0)
        throw new Refusal(429, "throttled", "Too many requests", { "Retry-After": new Date(Date.now() + pauseMs).toUTCString() });
      if (request.interaction === "create" && (creates += 1) % everyCreate === 0)
        throw new Refusal(409, "conflict", "ERROR: could not serialize access due to concurrent update");
      if (request.interaction !== "search-type") return;
      if (request.call.method === "POST") throw new Refusal(400, "not-supported", "Searches are sent as GET");
      for (const name of new Set(request.params.keys()))
        if ((hints.has(name) || name.endsWith(":exact")) && isTurn(name.replace(/.*:/, ":")))
          throw new Refusal(400, "not-supported", `${name} is not supported`);
      dropUnknownParameters(request.params);
    },
    search: ({ type }, { search }) =>
      type === "CoverageEligibilityResponse" ? { status: 200, body: search.run(type, new URLSearchParams({ _id: "none" })) } : undefined,
    reply(request, reply) {
      const isOfNames =
        request.interaction === "search-type" && request.type === "Patient" && nameParams.some((name) => request.params.has(name));
      return bare(isOfNames && isTurn("accents") ? matchAccents(request.call, reply) : reply);
    },
  };
}

const hints = new Set(["_sort", "_include"]);
const nameParams = ["name", "family", "given"];

function dropUnknownParameters(params: URLSearchParams): void {
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

function withoutDisplay(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDisplay);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !(name === "display" && "reference" in value));
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutDisplay(inner)]));
}
