import type { Appointment, Coverage, FhirResource } from "fhir/r4.js";

export type SearchParams = Record<string, string | string[]>;

export type SearchRule = {
  /** Native names, preferred first: the first that the server lists is sent, else the first. Empty: unsupported, not sent. */
  names: readonly string[];
  value?: (value: string) => string;
  /** Filters the results here when the server lists none of the names. */
  filter?: (resource: FhirResource, value: string) => boolean;
};
export type SearchRules = {
  /** By R4 type and R4 parameter. */
  byType: Readonly<Record<string, Readonly<Record<string, SearchRule>>>>;
  /** Parameters of all types that this version lacks. */
  unsupported: readonly string[];
  sort(name: string, descending: boolean): [name: string, value: string];
};

export type TranslatedSearch = { params: SearchParams; filter(resource: FhirResource): boolean };

type SearchToTranslate = {
  type: string;
  nativeType(type: string): string;
  rules: SearchRules;
  params: SearchParams;
  /** The search parameters that the server lists for a native type. */
  offered(nativeType: string): Promise<readonly string[]>;
};

const includes = new Set(["_include", "_revinclude"]);

export async function translateSearch({ type, nativeType, rules, params, offered }: SearchToTranslate): Promise<TranslatedSearch> {
  const translated = new Map<string, string[]>();
  const filters: ((resource: FhirResource) => boolean)[] = [];
  const add = (name: string, value: string): void => void translated.set(name, [...(translated.get(name) ?? []), value]);
  const ruleOf = (of: string, name: string): SearchRule => rules.byType[of]?.[name] ?? { names: [name] };
  const nativeName = async (of: string, { names, filter }: SearchRule): Promise<string | undefined> => {
    if (names.length === 0 || (names.length === 1 && !filter)) return names[0];
    const listed = await offered(nativeType(of));
    return names.find((name) => listed.includes(name)) ?? (filter ? undefined : names[0]);
  };
  /** `path` as in "MedicationRequest:medication". */
  const include = async (path: string): Promise<string | undefined> => {
    const [of = "", name = "", ...target] = path.split(":");
    const native = await nativeName(of, ruleOf(of, name));
    // A rule to `_id` means that the target is embedded in the same native resource: nothing to include.
    return native && !native.startsWith("_") ? [nativeType(of), native, ...target.map(nativeType)].join(":") : undefined;
  };

  for (const [param, given] of Object.entries(params)) {
    const [, name = "", suffix = ""] = /^([^:.]+)(.*)$/.exec(param) ?? [];
    for (const value of [given].flat()) {
      if (rules.unsupported.includes(name)) continue;
      if (includes.has(name)) {
        const path = await include(value);
        if (path) add(param, path);
      } else if (name === "_sort") {
        for (const [descending, key] of value.split(",").map((one) => [one.startsWith("-"), one.replace(/^-/, "")] as const)) {
          const native = key.startsWith("_") ? key : await nativeName(type, ruleOf(type, key));
          if (native) add(...rules.sort(native, descending));
        }
      } else {
        // A chained parameter such as "practitioner.name" may have a rule of its own.
        const chained = rules.byType[type]?.[param];
        const rule = chained ?? ruleOf(type, name);
        const native = await nativeName(type, rule);
        const { filter } = rule;
        if (native) add(chained ? native : native + suffix, renameTypes(nativeType, rule.value?.(value) ?? value));
        else if (filter) filters.push((resource) => resource.resourceType !== type || filter(resource, value));
      }
    }
  }
  return { params: Object.fromEntries(joinSortKeys(translated)), filter: (resource) => filters.every((filter) => filter(resource)) };
}

/** The R4 names for a server's native search parameters. */
export function r4SearchNames(rules: SearchRules, type: string, natives: readonly string[]): string[] {
  const own = Object.entries(rules.byType[type] ?? {});
  const renamed = own.flatMap(([r4, { names, filter }]) => (filter || names.some((name) => natives.includes(name)) ? [r4] : []));
  const ruled = new Set(own.map(([r4]) => r4));
  return [...new Set([...renamed, ...natives.filter((name) => !ruled.has(name))])];
}

const joinSortKeys = (params: Map<string, string[]>): [string, string[]][] =>
  [...params].map(([name, values]) => [name, name === "_sort" ? [values.join(",")] : values]);

/** Replaces the R4 types of references in a value by native ones. */
const renameTypes = (nativeType: (type: string) => string, value: string): string =>
  mapAlternatives(value, (one) => one.replace(/^([A-Z][A-Za-z]+)\/(?=[^/]+$)/, (_, type: string) => `${nativeType(type)}/`));

export const mapAlternatives = (value: string, map: (one: string) => string): string => value.split(",").map(map).join(",");

/** Tokens without their system, since systems differ between versions: "http://…|active" becomes "active". */
export const withoutSystem = (value: string): string => mapAlternatives(value, (one) => one.slice(one.lastIndexOf("|") + 1));

export const named = (...names: string[]): SearchRule => ({ names });
/** For a parameter whose value is a token. */
export const coded = (...names: string[]): SearchRule => ({ names, value: withoutSystem });

/** Before R4 there is no search by slot. */
export const appointmentSlot: SearchRule = {
  names: ["slot"],
  filter: (resource, value) => {
    const ids = value.split(",").map((one) => one.replace(/^.*\//, ""));
    return ((resource as Appointment).slot ?? []).some(({ reference }) => ids.includes(reference?.replace(/^.*\//, "") ?? ""));
  },
};

export const coverageStatus: SearchRule = {
  names: ["status"],
  filter: (resource, value) => {
    const { status } = resource as Coverage;
    return status !== undefined && withoutSystem(value).split(",").includes(status);
  },
};
