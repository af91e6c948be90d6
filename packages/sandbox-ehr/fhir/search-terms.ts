import { Refusal } from "../http/http.ts";
import { searchParams, type SearchParam } from "../search/search-params.ts";
import { matching } from "../search/search.ts";
import { parseReference, resourceTypes, type ResourceType } from "../store/resource.ts";
import type { View } from "../store/store.ts";
import type { Dialect } from "./dialect.ts";
import type { Version } from "../versions/version.ts";

export interface NativeParam {
  name: string;
  type: SearchParam<never>["type"];
  r4?: string;
  codes?: Record<string, string>;
}

export function nativeParams({ paramNames, joinedParams }: Version, type: ResourceType): NativeParam[] {
  const own = Object.entries(searchParams[type] as Record<string, { type: NativeParam["type"] }>).flatMap(([r4, param]): NativeParam[] => {
    const called = paramNames[type]?.[r4];
    if (called === null) return [];
    const { name, codes } = typeof called === "object" ? called : { name: called ?? r4, codes: undefined };
    return [{ name, type: param.type, r4, ...(codes && { codes }) }];
  });
  const joined = Object.entries(joinedParams[type] ?? {}).map(([name, [other, param]]): NativeParam => {
    const table = searchParams[other] as Record<string, { type: NativeParam["type"] }>;
    return { name, type: table[param]?.type ?? "token" };
  });
  return [...own, ...joined];
}

/** Translates search parameters of a version to R4. Throws a Refusal 400 for an unknown one. */
export function searchInward(dialect: Dialect, view: View, type: ResourceType, asked: URLSearchParams): URLSearchParams {
  const params = nativeParams(dialect.version, type);
  const said = new URLSearchParams();
  for (const [key, value] of asked) {
    // A modifier such as ":exact", or a chain such as ".name"
    const [, name = "", rest = ""] = /^([^:.]*)(.*)$/.exec(key) ?? [];
    if (name === "_sort") said.append("_sort", sortInward(dialect.version, params, rest, value));
    else if (name === "_include" || name === "_revinclude") said.append(key, includeInward(dialect, value));
    else if (name === "_id") said.append(key, value.split(",").map(dialect.ids.decode).join(","));
    else if (name.startsWith("_")) said.append(key, value);
    else {
      const param = params.find((one) => one.name === name);
      if (!param) throw new Refusal(400, "not-supported", `The search parameter "${name}" is not supported here`);
      if (param.r4 === undefined) said.append("_id", joinedIds(dialect, view, type, name, rest, value));
      else said.append(`${param.r4}${rest}`, rest.includes(".") ? value : valueInward(dialect, param, value));
    }
  }
  return said;
}

function valueInward({ version, ids, referenceInward, typeOf }: Dialect, { type, codes = {} }: NativeParam, value: string): string {
  const each = (change: (one: string) => string) =>
    value
      .split(/(?<!\\),/)
      .map(change)
      .join(",");
  if (type === "reference")
    return each((one) => (parseReference(one) && typeOf(parseReference(one)!.type) ? referenceInward(one) : ids.decode(one)));
  if (type !== "token") return value;
  return each((one) => {
    const bar = one.indexOf("|");
    if (bar >= 0) return `${version.systemToR4(one.slice(0, bar))}|${one.slice(bar + 1)}`;
    return codes[one] ?? one;
  });
}

function sortInward({ sortsByModifier }: Version, params: NativeParam[], modifier: string, value: string): string {
  const [, minus, name] = /^(-?)(.*)$/.exec(value) ?? [];
  if (sortsByModifier ? minus : modifier) throw new Refusal(400, "not-supported", "This version sorts with a different syntax");
  const r4 = name === "_lastUpdated" ? name : params.find((one) => one.name === name)?.r4;
  if (r4 === undefined || (modifier && !/^:(asc|desc)$/.test(modifier)))
    throw new Refusal(400, "not-supported", `Sorting by "${value}" is not supported here`);
  return `${minus || modifier === ":desc" ? "-" : ""}${r4}`;
}

function includeInward({ version, typeOf }: Dialect, value: string): string {
  const [source = "", name, ...target] = value.split(":");
  const type = typeOf(source);
  const r4 = type && nativeParams(version, type).find((one) => one.name === name)?.r4;
  if (!r4) throw new Refusal(400, "not-supported", `"${value}" cannot be included here`);
  return [type, r4, ...target.map((one) => typeOf(one) ?? one)].join(":");
}

function joinedIds(dialect: Dialect, view: View, type: ResourceType, name: string, modifier: string, value: string): string {
  const [other, param, back] = dialect.version.joinedParams[type]![name]!;
  const kind = (searchParams[other] as Record<string, { type: NativeParam["type"] }>)[param]?.type ?? "token";
  const asked = new URLSearchParams([[`${param}${modifier}`, valueInward(dialect, { name, type: kind }, value)]]);
  const ids = matching(view, other, asked).flatMap((one) => {
    const { reference } = (one as unknown as Record<string, { reference?: string }>)[back] ?? {};
    return parseReference(reference)?.id ?? [];
  });
  return ids.join(",") || "none";
}

export const namedTypes = (version: Version): ResourceType[] => resourceTypes.filter((type) => version.typeName(type) !== undefined);
