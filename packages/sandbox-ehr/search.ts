import type { Bundle, BundleEntry } from "fhir/r4.js";
import { momentRange } from "./clinic-time.ts";
import { Refusal } from "./refusal.ts";
import { isResourceType, parseReference, type ResourceOf, type ResourceType, type Stored } from "./resource.ts";
import { criterion } from "./search-match.ts";
import { searchParams, type SearchParam } from "./search-params.ts";
import type { Store } from "./store.ts";

const defaultCount = 50;
const maxCount = 200;
const maxOpenSearches = 500;

export interface Search {
  /** Runs a search; further pages are reached by the `next` link, which carries no search values. */
  run(type: ResourceType, params: URLSearchParams): Bundle;
}

export function createSearch(store: Store, baseUrl: string): Search {
  const openSearches = new Map<string, URLSearchParams>();

  const remember = (params: URLSearchParams): string => {
    if (openSearches.size >= maxOpenSearches) openSearches.delete(openSearches.keys().next().value!);
    const page = crypto.randomUUID();
    openSearches.set(page, params);
    return page;
  };

  const resume = (page: string): URLSearchParams => {
    const params = openSearches.get(page);
    if (!params) throw new Refusal(410, "expired", "This search has ended; run it again");
    return params;
  };

  return {
    run(type, requested) {
      const page = requested.get("_page");
      const params = page ? resume(page) : requested;
      const found = sorted(type, matching(store, type, params), params.get("_sort"));
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
        bundle.link!.push({ relation: "next", url: `${baseUrl}/${type}?_page=${remember(next)}` });
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

/** All resources that satisfy every criterion. Unknown parameters are refused, not ignored. */
export function matching<T extends ResourceType>(store: Store, type: T, params: URLSearchParams): Stored<T>[] {
  const table: Record<string, SearchParam<ResourceOf<T>>> = searchParams[type];
  const tests = [...params].flatMap(([key, value]): ((resource: Stored<T>) => boolean)[] => {
    const [name = "", modifier] = key.split(":");
    if (value === "" || resultParams.has(name)) return [];
    if (name === "_id") return [(resource) => value.split(",").includes((resource as Stored).id)];
    const param = table[name];
    if (!param) throw new Refusal(400, "not-supported", `The search parameter "${name}" is not supported for ${type}`);
    return [criterion(name, modifier, param, value)];
  });
  return store.all(type).filter((resource) => tests.every((test) => test(resource)));
}

const resultParams = new Set(["_count", "_offset", "_page", "_sort", "_include", "_format"]);

function sorted<T extends ResourceType>(type: T, found: Stored<T>[], sort: string | null): Stored<T>[] {
  if (!sort) return found;
  const [, minus, name = ""] = /^(-?)(.*)$/.exec(sort) ?? [];
  const param = (searchParams[type] as Record<string, SearchParam<ResourceOf<T>>>)[name];
  if (param?.type !== "date" && param?.type !== "string")
    throw new Refusal(400, "not-supported", `Sorting ${type} by "${name}" is not supported`);
  const key = (resource: Stored<T>) => {
    const value = param.values(resource)[0] ?? "";
    return param.type === "date" ? (momentRange(value)?.from ?? 0) : value.toLowerCase();
  };
  const direction = minus ? -1 : 1;
  return found
    .map((resource) => ({ resource, key: key(resource) }))
    .sort((a, b) => direction * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ resource }) => resource);
}

/** `_include=Slot:schedule` adds what the found resources refer to. */
function included(store: Store, found: Stored[], params: URLSearchParams): Stored[] {
  const targets = params.getAll("_include").flatMap((include) => {
    const [type = "", name = ""] = include.split(":");
    const table = isResourceType(type) ? (searchParams[type] as Record<string, SearchParam<never>>) : {};
    const param = table[name];
    if (param?.type !== "reference") throw new Refusal(400, "not-supported", `"_include=${include}" is not supported`);
    return found.filter(({ resourceType }) => resourceType === type).flatMap((resource) => param.values(resource as never));
  });
  return [...new Set(targets)].flatMap((reference) => {
    const target = parseReference(reference);
    const resource = target && isResourceType(target.type) ? store.get(target.type, target.id) : undefined;
    return resource ? [resource] : [];
  });
}

function wholeNumber(params: URLSearchParams, name: string): number | undefined {
  const text = params.get(name);
  if (text === null || text === "") return undefined;
  if (!/^\d{1,6}$/.test(text)) throw new Refusal(400, "invalid", `"${name}" must be a whole number`);
  return Number(text);
}
