import { type AppError, isAppError } from "@vitaline/core";
import type { OutboundResponse } from "@vitaline/outbound";
import type { FhirResource } from "fhir/r4.js";
import * as z from "zod/mini";
import {
  type EhrErrorCode,
  ehrError,
  epicNoResults,
  epicPagingExpired,
  hasIssueNumber,
  outcomeError,
  responseError,
} from "../http/errors.ts";
import type { CallOptions } from "../http/exchange.ts";
import { bodyAs, Bundle, OperationOutcome, type Resource } from "../http/payload-schemas.ts";
import type { SearchParams } from "../versions/convert/search-rules.ts";
import { type Connection, isId, pageUrl } from "./connection.ts";

const defaultMaxResources = 100;
const maxPages = 20;
export const maxBundleBytes = 4 << 20;
const maxSearchLength = 16 << 20;

/** Searches for these types identify no patient; all others are sent as POST, so that proxies do not log them. */
const nonPatientTypes = new Set(["Practitioner", "PractitionerRole", "Organization", "Location", "HealthcareService", "Schedule", "Slot"]);
const refusalLifetimeMs = 3_600_000;
const maxRefusals = 1000;
/** Features that a server refused, by URL, until when they are not tried again. */
type Refusals = Map<string, number>;
const postRefused: Refusals = new Map();
const optionalRefused: Refusals = new Map();
const rememberRefusal = (refusals: Refusals, address: string, nowMs: number): void => {
  if (refusals.size >= maxRefusals) refusals.clear();
  refusals.set(address, nowMs + refusalLifetimeMs);
};

type Search = {
  type: string;
  params: SearchParams;
  filter(resource: FhirResource): boolean;
  maxResources: number;
  logAsRepeat: boolean;
  signal: AbortSignal | undefined;
};

/** All matches, then the included resources, each once and in its newest version, in page order. */
export async function searchAll(
  connection: Connection,
  type: string,
  r4Params: SearchParams,
  { maxResources = defaultMaxResources, logAsRepeat = false, signal }: CallOptions & { maxResources?: number; logAsRepeat?: boolean },
): Promise<FhirResource[]> {
  const { params, filter } = await connection.version.translate(type, r4Params, async (native) => {
    const { types } = await connection.summary({ ...(signal && { signal }) });
    return new Map(Object.entries(types)).get(native)?.searchParams ?? [];
  });
  const search = { type, params, filter, maxResources, logAsRepeat, signal };
  const found = (await allPages(connection, search)) ?? (await allPages(connection, search));
  if (!found) throw ehrError("ehr_unavailable");
  return found;
}

/** Undefined when the server's paging expired between two pages. */
async function allPages(connection: Connection, search: Search): Promise<FhirResource[] | undefined> {
  const { ctx, baseUrl, send } = connection;
  const { type, maxResources, signal } = search;
  const found: Found = { matches: new Map(), included: new Map(), malformed: 0 };
  const visited = new Set<string>();
  let length = 0;
  let response = await firstPage(connection, search);
  for (;;) {
    const bundle = response.status < 300 ? bodyAs(Bundle, response) : undefined;
    if (!bundle) {
      if (response.status >= 400 && hasIssueNumber(response, epicNoResults)) break;
      if (visited.size > 0 && hasIssueNumber(response, epicPagingExpired)) return undefined;
      throw searchError(connection, response);
    }
    collect(connection, search, bundle, found);
    const next = bundle.link?.find(({ relation }) => relation === "next")?.url;
    if (visited.size === 0 && next === undefined && (bundle.entry ?? []).length === 0 && (bundle.total ?? 0) > 0)
      throw ehrError("ehr_invalid");
    if (next === undefined || found.matches.size >= maxResources) break;
    const url = pageUrl(baseUrl, next);
    length += response.text().length;
    if (visited.has(url) || visited.size >= maxPages || length > maxSearchLength) throw ehrError("ehr_invalid");
    visited.add(url);
    response = await send({ url, interaction: `search ${type}`, page: visited.size + 1, effect: "read", maxBytes: maxBundleBytes, signal });
  }
  // A patient's chart must not look empty when the server withheld what is in it.
  if (found.matches.size === 0 && found.leftOutCode && !nonPatientTypes.has(type)) throw ehrError(found.leftOutCode);
  if (found.malformed > 0) ctx.log("warn", "ehr.record_left_out", { operation: `search ${type}`, count: found.malformed });
  return [...[...found.matches.values()].slice(0, maxResources), ...found.included.values()];
}

type Found = {
  matches: Map<string, FhirResource>;
  included: Map<string, FhirResource>;
  malformed: number;
  leftOutCode?: EhrErrorCode | undefined;
};

/** Throws an error; returns the code of a warning that results were left out. */
function readOutcome(resource: Resource): EhrErrorCode | undefined {
  const outcome = z.safeParse(OperationOutcome, resource);
  const error = outcome.success ? outcomeError(outcome.data) : ehrError("ehr_invalid");
  if (error) throw error;
  const warned = outcome.data?.issue.map(({ code }) => code) ?? [];
  return warned.includes("suppressed") ? "ehr_forbidden" : warned.includes("incomplete") ? "ehr_unavailable" : undefined;
}

/**
 * A malformed resource fails the whole search, since a chart must not look complete when it is not. A malformed resource without patient
 * data is left out: undefined.
 */
function convertEntry({ version }: Connection, resource: Resource, type: string): FhirResource[] | undefined {
  try {
    if (resource.id !== undefined && !isId(resource.id)) throw ehrError("ehr_invalid");
    return version.toR4(resource, type);
  } catch (error) {
    if (isAppError(error, "ehr_invalid") && nonPatientTypes.has(resource.resourceType)) return undefined;
    throw error;
  }
}

function collect(connection: Connection, { type, params, filter }: Search, bundle: Bundle, found: Found): void {
  const { version } = connection;
  const { matches, included } = found;
  const includes = Object.keys(params).some(isInclude) || version.isEmbedded(type);
  for (const entry of bundle.entry ?? []) {
    const { resource, search } = entry;
    if (!resource) continue;
    if (resource.resourceType === "OperationOutcome" || search?.mode === "outcome") {
      found.leftOutCode ??= readOutcome(resource);
      continue;
    }
    const records = convertEntry(connection, resource, type);
    if (!records) found.malformed += 1;
    for (const one of records ?? []) {
      const isMatch = one.resourceType === type && search?.mode !== "include";
      if (!isMatch && !includes) continue;
      if (isMatch && !filter(one)) continue;
      const into = isMatch ? matches : included;
      const key = `${one.resourceType}/${one.id ?? into.size}`;
      const known = into.get(key);
      if (!known || !isOlder(one, known)) into.set(key, one);
    }
  }
}

const isOlder = (one: FhirResource, than: FhirResource): boolean =>
  Date.parse(one.meta?.lastUpdated ?? "") < Date.parse(than.meta?.lastUpdated ?? "");

/** Statuses of servers without POST search. A 400 may also be about the search itself; the GET then gets the same answer. */
const postUnsupportedStatuses = new Set([400, 404, 405, 415, 501]);

const isInclude = (name: string): boolean => /^_(?:rev)?include/.test(name);
/** A search works without these: the callers sort themselves and read references one by one. */
const isOptional = (name: string): boolean => isInclude(name) || name.startsWith("_sort");
const withoutOptional = (params: SearchParams): SearchParams =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !isOptional(name)));

/** Retries without includes and sorting when the server refuses them with 400. */
async function firstPage(connection: Connection, search: Search): Promise<OutboundResponse> {
  const { ctx, baseUrl, version } = connection;
  const { type, params } = search;
  const address = `${baseUrl}/${version.nativeType(type)}`;
  const nowMs = ctx.clock().getTime();
  const reduced = { ...search, params: withoutOptional(params) };
  if (!Object.keys(params).some(isOptional)) return sendSearch(connection, search, address);
  if ((optionalRefused.get(address) ?? 0) > nowMs) return sendSearch(connection, reduced, address);
  const response = await sendSearch(connection, search, address);
  if (response.status !== 400) return response;
  const retried = await sendSearch(connection, reduced, address);
  if (retried.status >= 300) return response;
  rememberRefusal(optionalRefused, address, nowMs);
  return retried;
}

async function sendSearch(
  { ctx, send }: Connection,
  { type, params, logAsRepeat, signal }: Search,
  address: string,
): Promise<OutboundResponse> {
  const query = new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  ).toString();
  const common = {
    interaction: `search ${type}`,
    ...(logAsRepeat ? { page: 1 } : {}),
    effect: "read",
    maxBytes: maxBundleBytes,
    signal,
  } as const;
  const byGet = () => send({ ...common, url: `${address}?${query}` });
  const nowMs = ctx.clock().getTime();
  if (nonPatientTypes.has(type) || (postRefused.get(address) ?? 0) > nowMs) return byGet();
  const form = { method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: query } as const;
  const posted = await send({ ...common, ...form, url: `${address}/_search` });
  if (!postUnsupportedStatuses.has(posted.status)) return posted;
  const got = await byGet();
  if (got.status < 300) rememberRefusal(postRefused, address, nowMs);
  return got;
}

function searchError({ ctx }: Connection, response: OutboundResponse): AppError {
  const outcome = bodyAs(OperationOutcome, response);
  return responseError(response, "read", ctx.clock()) ?? (outcome && outcomeError(outcome)) ?? ehrError("ehr_invalid");
}
