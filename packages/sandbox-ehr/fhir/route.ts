import { type Call, formOf, Refusal } from "../http/http.ts";
import type { Operation } from "../personalities/personality.ts";
import type { ResourceType } from "../store/resource.ts";
import type { Dialect } from "./dialect.ts";

/** https://hl7.org/fhir/R4/http.html */
type Route = { what: "metadata" } | { what: "smart-configuration" } | { what: "transaction" } | ResourceRoute;
export type ResourceRoute =
  | { what: "search-type"; type: ResourceType; params: URLSearchParams }
  | { what: "create"; type: ResourceType }
  | { what: "read" | "update" | "patch"; type: ResourceType; id: string }
  | { what: "operation"; type: ResourceType; name: Operation["name"] };

const operationNames: readonly Operation["name"][] = ["match", "find", "book"];
const changes = { GET: "read", PUT: "update", PATCH: "patch" } as const;

/** `path` follows the server's address. Type names and ids are those of the server. */
export function route(call: Call, path: string, { typeOf, ids }: Dialect): Route {
  const { method } = call;
  const [name = "", place, ...rest] = path.split("/").slice(1);
  if (method === "GET" && name === "metadata" && place === undefined) return { what: "metadata" };
  if (method === "GET" && path === "/.well-known/smart-configuration") return { what: "smart-configuration" };
  if (method === "POST" && name === "" && place === undefined) return { what: "transaction" };
  const type = typeOf(name);
  if (!type) throw new Refusal(404, "not-supported", "This server has no such resource type");
  if (rest.length > 0) throw new Refusal(404, "not-supported", "Unknown address");

  if (place === undefined && method === "GET") return { what: "search-type", type, params: call.query };
  if (place === undefined && method === "POST") return { what: "create", type };
  if (place === "_search" && method === "POST") return { what: "search-type", type, params: searchForm(call) };
  if (place?.startsWith("$") && method === "POST") {
    const operation = operationNames.find((one) => one === place.slice(1));
    if (!operation) throw new Refusal(404, "not-supported", "This server has no such operation");
    return { what: "operation", type, name: operation };
  }
  const what = changes[method as keyof typeof changes] as (typeof changes)[keyof typeof changes] | undefined;
  if (what && place !== undefined && !place.startsWith("_")) return { what, type, id: ids.decode(place) };
  throw new Refusal(405, "not-supported", "This server does not support this interaction");
}

/** The query string of a POST search is ignored. */
function searchForm(call: Call): URLSearchParams {
  const form = formOf(call);
  if (!form) throw new Refusal(415, "not-supported", "A POST search needs a form as its body");
  return form;
}
