import type { Bundle, BundleEntry } from "fhir/r4.js";
import { momentRange } from "../store/clinic-time.ts";
import { Refusal } from "../http/http.ts";
import { isResourceType, parseReference, resourceTypes, type Resource, type ResourceType, type Stored } from "../store/resource.ts";
import { criterion } from "./search-match.ts";
import { commonParams, searchParams, type SearchParam } from "./search-params.ts";
import type { View } from "../store/store.ts";

const maxOpenSearches = 500;

export interface PageSizes {
  defaultCount?: number;
  maxCount?: number;
}

export interface Search {
  /** The `next` link contains no search values. */
  run(type: ResourceType, params: URLSearchParams): Bundle;
}

export function createSearch(store: View, baseUrl: string, { defaultCount = 50, maxCount = 200 }: PageSizes = {}): Search {
  /** Later pages continue the first result, even if the records changed. */
  const openSearches = new Map<string, { params: URLSearchParams; found: Stored[] }>();

  const remember = (params: URLSearchParams, found: Stored[]): string => {
    if (openSearches.size >= maxOpenSearches) openSearches.delete(openSearches.keys().next().value!);
    const page = crypto.randomUUID();
    openSearches.set(page, { params, found });
    return page;
  };

  const resume = (page: string): { params: URLSearchParams; found: Stored[] } => {
    const open = openSearches.get(page);
    if (!open) throw new Refusal(410, "expired", "This search has ended; run it again");
    return open;
  };

  return {
    run(type, requested) {
      const page = requested.get("_page");
      const open = page ? resume(page) : undefined;
      const params = open?.params ?? requested;
      const found: Stored[] = open?.found ?? sorted(type, matching(store, type, params), params.get("_sort"));
      if (params.get("_summary") === "count") return { resourceType: "Bundle", type: "searchset", total: found.length };
      const count = Math.min(wholeNumber(params, "_count") ?? defaultCount, maxCount);
      const offset = wholeNumber(params, "_offset") ?? 0;
      const shown = found.slice(offset, offset + count);
      const entries = [
        ...shown.map((resource) => entry(baseUrl, resource, "match")),
        ...included(store, shown, params).map((resource) => entry(baseUrl, resource, "include")),
      ];
      const bundle: Bundle = {
        resourceType: "Bundle",
        type: "searchset",
        total: found.length,
        link: [{ relation: "self", url: `${baseUrl}/${type}` }],
        entry: entries,
      };
      if (count > 0 && offset + count < found.length) {
        const next = new URLSearchParams(params);
        next.set("_offset", String(offset + count));
        bundle.link!.push({ relation: "next", url: `${baseUrl}/${type}?_page=${remember(next, found)}` });
      }
      return bundle;
    },
  };
}

const entry = (baseUrl: string, resource: Stored, mode: "match" | "include"): BundleEntry => ({
  fullUrl: `${baseUrl}/${resource.resourceType}/${resource.id}`,
  resource,
  search: { mode },
});

/** All criteria must hold. An unknown parameter throws a Refusal. */
export function matching<T extends ResourceType>(store: View, type: T, params: URLSearchParams): Stored<T>[] {
  const tests = [...params].flatMap(([key, value]) => (value === "" || resultParams.has(key) ? [] : [testOf(store, type, key, value)]));
  return store.all(type, onePatient(type, params)).filter((resource) => tests.every((test) => test(resource)));
}

const resultParams = new Set(["_count", "_offset", "_page", "_sort", "_include", "_format", "_summary", "_total"]);

/** A search within one chart reads only that chart. */
function onePatient(type: ResourceType, params: URLSearchParams): string | undefined {
  if (type === "Patient" || !("patient" in searchParams[type])) return undefined;
  const value = params.get("patient") ?? params.get("subject") ?? params.get("beneficiary");
  if (!value || value.includes(",")) return undefined;
  const target = parseReference(value);
  return target ? (target.type === "Patient" ? target.id : undefined) : value;
}

/** Supports chains: `practitioner.name=lark` tests the referenced resources. */
function testOf<T extends ResourceType>(store: View, type: T, key: string, value: string): (resource: Stored<T>) => boolean {
  const [, name = "", modifier, chained] = /^([^:.]*)(?::([^.]*))?(?:\.(.+))?$/.exec(key) ?? [];
  if (name === "_id") return (resource) => value.split(",").includes((resource as Stored).id);
  const param = paramOf(type, name);
  if (!param) throw new Refusal(400, "not-supported", `The search parameter "${name}" is not supported for ${type}`);
  if (chained === undefined) return criterion(name, modifier, param, value) as (resource: Stored<T>) => boolean;
  const targetTypes = resourceTypes.filter((target) => (modifier ?? target) === target && paramOf(target, chained.split(/[:.]/)[0] ?? ""));
  if (param.type !== "reference" || targetTypes.length === 0)
    throw new Refusal(400, "not-supported", `The chained parameter "${key}" is not supported for ${type}`);
  const tests = new Map(targetTypes.map((target) => [target as string, testOf(store, target, chained, value)]));
  return (resource) =>
    param.values(resource).some((reference) => {
      const target = resolve(store, reference);
      return target !== undefined && (tests.get(target.resourceType)?.(target) ?? false);
    });
}

const paramOf = (type: ResourceType, name: string): SearchParam<Resource> | undefined => {
  const table = searchParams[type] as Record<string, SearchParam<Resource>>;
  return Object.hasOwn(table, name) ? table[name] : Object.hasOwn(commonParams, name) ? commonParams[name] : undefined;
};

function resolve(store: View, reference: string | undefined): Stored | undefined {
  const target = parseReference(reference);
  return target && isResourceType(target.type) ? store.get(target.type, target.id) : undefined;
}

/** Resources without the key sort last in either direction. */
function sorted<T extends ResourceType>(type: T, found: Stored<T>[], sort: string | null): Stored<T>[] {
  if (!sort) return found;
  const [, minus, name = ""] = /^(-?)(.*)$/.exec(sort) ?? [];
  const param = paramOf(type, name);
  if (param?.type !== "date" && param?.type !== "string")
    throw new Refusal(400, "not-supported", `Sorting ${type} by "${name}" is not supported`);
  const key = (resource: Stored<T>): number | string | undefined => {
    const value = param.values(resource)[0];
    return param.type === "date" ? momentRange(value ?? "")?.from : value?.toLowerCase();
  };
  const direction = minus ? -1 : 1;
  return found
    .map((resource) => ({ resource, key: key(resource) }))
    .sort((a, b) => {
      if (a.key === undefined || b.key === undefined) return Number(a.key === undefined) - Number(b.key === undefined);
      return direction * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
    })
    .map(({ resource }) => resource);
}

function included(store: View, found: Stored[], params: URLSearchParams): Stored[] {
  const targets = params.getAll("_include").flatMap((include) => {
    const [type = "", name = ""] = include.split(":");
    const param = isResourceType(type) ? paramOf(type, name) : undefined;
    if (param?.type !== "reference") throw new Refusal(400, "not-supported", `"_include=${include}" is not supported`);
    return found.filter(({ resourceType }) => resourceType === type).flatMap((resource) => param.values(resource));
  });
  const there = new Set(found);
  return [...new Set(targets.flatMap((reference) => resolve(store, reference) ?? []))].filter((resource) => !there.has(resource));
}

function wholeNumber(params: URLSearchParams, name: string): number | undefined {
  const text = params.get(name);
  if (text === null || text === "") return undefined;
  if (!/^\d{1,6}$/.test(text)) throw new Refusal(400, "invalid", `"${name}" must be a whole number`);
  return Number(text);
}
