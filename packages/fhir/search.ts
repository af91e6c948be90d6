import type { OutboundResponse } from "@vitaline/outbound";
import { pageUrl } from "./address.ts";
import { ehrError } from "./errors.ts";
import type { Send } from "./send.ts";
import { refusalOf } from "./refusal.ts";
import type { CallOptions, FhirContext, SearchParams } from "./types.ts";
import { bodyAs, Bundle, type Resource } from "./wire.ts";

const defaultMaxResources = 100;
const maxPages = 20;
const maxBundleBytes = 4 << 20;

/** Searches for these say nothing of a patient; all others are sent as a form, out of sight of proxies' logs. */
const impersonal = new Set(["Practitioner", "PractitionerRole", "Organization", "Location", "HealthcareService", "Schedule", "Slot"]);
/** Servers that refused a search by POST. */
const onlyByGet = new Set<string>();

/** Every match and what was included, each once, in the order of the pages. */
export async function searchAll(
  ctx: FhirContext,
  baseUrl: string,
  send: Send,
  type: string,
  params: SearchParams,
  options: CallOptions & { maxResources?: number },
): Promise<Resource[]> {
  const { maxResources = defaultMaxResources, signal } = options;
  const matches = new Map<string, Resource>();
  const included = new Map<string, Resource>();
  const visited = new Set<string>();
  let response = await firstPage(baseUrl, send, type, params, signal);
  for (;;) {
    const bundle = bundleOf(ctx, response);
    for (const { resource, search } of bundle.entry ?? []) {
      // Warnings of a search come as an entry of their own.
      if (!resource || resource.resourceType === "OperationOutcome" || search?.mode === "outcome") continue;
      const into = search?.mode === "include" ? included : matches;
      into.set(`${resource.resourceType}/${resource.id ?? into.size}`, resource);
    }
    const next = bundle.link?.find(({ relation }) => relation === "next")?.url;
    if (next === undefined || matches.size >= maxResources) break;
    const url = pageUrl(baseUrl, next);
    if (visited.has(url) || visited.size >= maxPages) throw ehrError("ehr_invalid");
    visited.add(url);
    response = await send({ url, operation: `search ${type}`, effect: "read", maxBytes: maxBundleBytes, signal });
  }
  return [...[...matches.values()].slice(0, maxResources), ...included.values()];
}

async function firstPage(
  baseUrl: string,
  send: Send,
  type: string,
  params: SearchParams,
  signal: AbortSignal | undefined,
): Promise<OutboundResponse> {
  const query = new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  ).toString();
  const common = { operation: `search ${type}`, effect: "read", maxBytes: maxBundleBytes, signal } as const;
  if (!impersonal.has(type) && !onlyByGet.has(baseUrl)) {
    const form = { method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: query } as const;
    const response = await send({ ...common, ...form, url: `${baseUrl}/${type}/_search` });
    if (response.status !== 405 && response.status !== 501) return response;
    onlyByGet.add(baseUrl);
  }
  return send({ ...common, url: `${baseUrl}/${type}?${query}` });
}

function bundleOf(ctx: FhirContext, response: OutboundResponse): Bundle {
  const refusal = refusalOf(response, "read", ctx.clock());
  if (refusal) throw refusal;
  const bundle = bodyAs(Bundle, response);
  if (!bundle) throw ehrError("ehr_invalid");
  return bundle;
}
