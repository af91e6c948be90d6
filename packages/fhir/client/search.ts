import { type AppError, isAppError } from "@vitaline/core";
import type { OutboundResponse } from "@vitaline/outbound";
import type { FhirResource } from "fhir/r4.js";
import * as z from "zod/mini";
import { isId, pageUrl } from "./resource-url.ts";
import type { Connection } from "./connection.ts";
import { ehrError, outcomeError, hasIssueNumber, epicNoResults, epicPagingExpired, responseError } from "../http/errors.ts";
import type { CallOptions } from "../http/exchange.ts";
import type { SearchParams } from "../versions/convert/search-rules.ts";
import { bodyAs, Bundle, OperationOutcome, type Resource } from "../http/payload-schemas.ts";

const defaultMaxResources = 100;
const maxPages = 20;
export const maxBundleBytes = 4 << 20;
/** Of all pages together, in characters. */
const maxSearchLength = 16 << 20;

/** Searches for these say nothing of a patient; all others are sent as a form, out of sight of proxies' logs. */
const impersonal = new Set(["Practitioner", "PractitionerRole", "Organization", "Location", "HealthcareService", "Schedule", "Slot"]);
const refusalMs = 3_600_000;
const mostRefusals = 1000;
/** What searches at an address did without after they had been refused with it: until when that counts. */
type Refusals = Map<string, number>;
const postRefused: Refusals = new Map();
const hintsRefused: Refusals = new Map();
const remember = (refusals: Refusals, address: string, nowMs: number): void => {
  if (refusals.size >= mostRefusals) refusals.clear();
  refusals.set(address, nowMs + refusalMs);
};

type Asked = {
  type: string;
  params: SearchParams;
  keep(resource: FhirResource): boolean;
  maxResources: number;
  further: boolean;
  signal: AbortSignal | undefined;
};

/** Every match and what was included, each once and as new as it was seen, in the order of the pages. */
export async function searchAll(
  connection: Connection,
  type: string,
  asked: SearchParams,
  { maxResources = defaultMaxResources, further = false, signal }: CallOptions & { maxResources?: number; further?: boolean },
): Promise<FhirResource[]> {
  const { params, keep } = await connection.version.translate(type, asked, async (native) => {
    const { types } = await connection.summary({ ...(signal && { signal }) });
    return new Map(Object.entries(types)).get(native)?.searchParams ?? [];
  });
  const search = { type, params, keep, maxResources, further, signal };
  return (await allPages(connection, search)) ?? (await allPages(connection, search)) ?? fail("ehr_unavailable");
}

const fail = (code: Parameters<typeof ehrError>[0]): never => {
  throw ehrError(code);
};

/** Undefined when the server has forgotten the search between two pages. */
async function allPages(connection: Connection, search: Asked): Promise<FhirResource[] | undefined> {
  const { ctx, baseUrl, send } = connection;
  const { type, maxResources, signal } = search;
  const found: Found = { matches: new Map(), included: new Map(), leftOut: 0 };
  const visited = new Set<string>();
  let length = 0;
  let response = await firstPage(connection, search);
  for (;;) {
    const bundle = response.status < 300 ? bodyAs(Bundle, response) : undefined;
    if (!bundle) {
      if (response.status >= 400 && hasIssueNumber(response, epicNoResults)) break;
      if (visited.size > 0 && hasIssueNumber(response, epicPagingExpired)) return undefined;
      throw noBundle(connection, response);
    }
    collect(connection, search, bundle, found);
    const next = bundle.link?.find(({ relation }) => relation === "next")?.url;
    if (next === undefined || found.matches.size >= maxResources) break;
    const url = pageUrl(baseUrl, next);
    length += response.text().length;
    if (visited.has(url) || visited.size >= maxPages || length > maxSearchLength) throw ehrError("ehr_invalid");
    visited.add(url);
    response = await send({ url, operation: `search ${type}`, page: visited.size + 1, effect: "read", maxBytes: maxBundleBytes, signal });
  }
  if (found.leftOut > 0) ctx.log("warn", "ehr.record_left_out", { operation: `search ${type}`, count: found.leftOut });
  return [...[...found.matches.values()].slice(0, maxResources), ...found.included.values()];
}

type Found = { matches: Map<string, FhirResource>; included: Map<string, FhirResource>; leftOut: number };

/** Warnings of a search come as an entry of their own, errors too. */
function heedOutcome(resource: Resource): void {
  const outcome = z.safeParse(OperationOutcome, resource);
  const refused = outcome.success ? outcomeError(outcome.data) : ehrError("ehr_invalid");
  if (refused) throw refused;
}

/**
 * A server's record as R4. One that is not built as FHIR says spoils the search, as nobody must take a chart for whole that is not;
 * where it tells nothing of a patient it is left out: undefined.
 */
function understood({ version }: Connection, resource: Resource, type: string): FhirResource[] | undefined {
  try {
    if (resource.id !== undefined && !isId(resource.id)) throw ehrError("ehr_invalid");
    return version.toR4(resource, type);
  } catch (error) {
    if (isAppError(error, "ehr_invalid") && impersonal.has(resource.resourceType)) return undefined;
    throw error;
  }
}

function collect(connection: Connection, { type, params, keep }: Asked, bundle: Bundle, found: Found): void {
  const { version } = connection;
  const { matches, included } = found;
  const includes = Object.keys(params).some(isInclude) || version.isEmbedded(type);
  for (const entry of bundle.entry ?? []) {
    const { resource, search } = entry;
    if (!resource) continue;
    if (resource.resourceType === "OperationOutcome" || search?.mode === "outcome") {
      heedOutcome(resource);
      continue;
    }
    const records = understood(connection, resource, type);
    if (!records) found.leftOut += 1;
    for (const one of records ?? []) {
      const isMatch = one.resourceType === type && search?.mode !== "include";
      // What was neither asked for nor to be brought along is not let in.
      if (!isMatch && !includes) continue;
      if (isMatch && !keep(one)) continue;
      const into = isMatch ? matches : included;
      const key = `${one.resourceType}/${one.id ?? into.size}`;
      const known = into.get(key);
      if (!known || !isOlder(one, known)) into.set(key, one);
    }
  }
}

const isOlder = (one: FhirResource, than: FhirResource): boolean =>
  Date.parse(one.meta?.lastUpdated ?? "") < Date.parse(than.meta?.lastUpdated ?? "");

/** What servers without POST searches say to one; a 400 may also mean the search itself, and then a GET is told the same. */
const isNoSuchWay = new Set([400, 404, 405, 415, 501]);

const isInclude = (name: string): boolean => /^_(?:rev)?include/.test(name);
/** What a search can do without: who searches looks at the order, and reads one by one what was not brought along. */
const isHint = (name: string): boolean => isInclude(name) || name.startsWith("_sort");
const withoutHints = (params: SearchParams): SearchParams => Object.fromEntries(Object.entries(params).filter(([name]) => !isHint(name)));

/** A server that refuses to bring others along, or to sort, is asked without. */
async function firstPage(connection: Connection, asked: Asked): Promise<OutboundResponse> {
  const { ctx, baseUrl, version } = connection;
  const { type, params } = asked;
  const address = `${baseUrl}/${version.nativeType(type)}`;
  const nowMs = ctx.clock().getTime();
  const plain = { ...asked, params: withoutHints(params) };
  if (!Object.keys(params).some(isHint)) return sendSearch(connection, asked, address);
  if ((hintsRefused.get(address) ?? 0) > nowMs) return sendSearch(connection, plain, address);
  const response = await sendSearch(connection, asked, address);
  if (response.status !== 400) return response;
  const again = await sendSearch(connection, plain, address);
  if (again.status >= 300) return response;
  remember(hintsRefused, address, nowMs);
  return again;
}

async function sendSearch({ ctx, send }: Connection, { type, params, further, signal }: Asked, address: string): Promise<OutboundResponse> {
  const query = new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  ).toString();
  const common = {
    operation: `search ${type}`,
    ...(further ? { page: 1 } : {}),
    effect: "read",
    maxBytes: maxBundleBytes,
    signal,
  } as const;
  const byGet = () => send({ ...common, url: `${address}?${query}` });
  const nowMs = ctx.clock().getTime();
  if (impersonal.has(type) || (postRefused.get(address) ?? 0) > nowMs) return byGet();
  const form = { method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: query } as const;
  const posted = await send({ ...common, ...form, url: `${address}/_search` });
  if (!isNoSuchWay.has(posted.status)) return posted;
  const got = await byGet();
  if (got.status < 300) remember(postRefused, address, nowMs);
  return got;
}

function noBundle({ ctx }: Connection, response: OutboundResponse): AppError {
  const outcome = bodyAs(OperationOutcome, response);
  return responseError(response, "read", ctx.clock()) ?? (outcome && outcomeError(outcome)) ?? ehrError("ehr_invalid");
}
