import type { Appointment, Coverage, FhirResource } from "fhir/r4.js";

/** How a version asks what R4 asks by another name. */
export type SearchRule = {
  /** Its names for it, best first: the first that the server names is sent, or the first of all. None: it cannot be asked. */
  names: readonly string[];
  /** Its words for a value. */
  value?: (value: string) => string;
  /** Sorts out here what the server is not asked for, as it does not name the parameter. */
  keep?: (resource: FhirResource, value: string) => boolean;
};
/** By R4 type and R4 parameter. */
export type SearchRules = {
  byType: Readonly<Record<string, Readonly<Record<string, SearchRule>>>>;
  /** Parameters of every type that this version does not know. */
  unknown: readonly string[];
  /** "-date" as a parameter of its own. */
  sort(name: string, descending: boolean): [name: string, value: string];
};

export type TranslatedSearch = { params: SearchParams; keep(resource: FhirResource): boolean };

type Asked = {
  type: string;
  nativeType(type: string): string;
  rules: SearchRules;
  params: SearchParams;
  offered(nativeType: string): Promise<readonly string[]>;
};

const includes = new Set(["_include", "_revinclude"]);

/** A search of R4 in a version's own names. */
export async function translateSearch({ type, nativeType, rules, params, offered }: Asked): Promise<TranslatedSearch> {
  const translated = new Map<string, string[]>();
  const kept: ((resource: FhirResource) => boolean)[] = [];
  const add = (name: string, value: string): void => void translated.set(name, [...(translated.get(name) ?? []), value]);
  const ruleOf = (of: string, name: string): SearchRule => rules.byType[of]?.[name] ?? { names: [name] };
  const nameOf = async (of: string, { names, keep }: SearchRule): Promise<string | undefined> => {
    if (names.length === 0 || (names.length === 1 && !keep)) return names[0];
    const known = await offered(nativeType(of));
    return names.find((name) => known.includes(name)) ?? (keep ? undefined : names[0]);
  };
  /** "MedicationRequest:medication" */
  const include = async (path: string): Promise<string | undefined> => {
    const [of = "", name = "", ...target] = path.split(":");
    const native = await nameOf(of, ruleOf(of, name));
    // What is the same resource here comes without asking
    return native && !native.startsWith("_") ? [nativeType(of), native, ...target.map(nativeType)].join(":") : undefined;
  };

  for (const [asked, given] of Object.entries(params)) {
    const [, name = "", suffix = ""] = /^([^:.]+)(.*)$/.exec(asked) ?? [];
    for (const value of [given].flat()) {
      if (rules.unknown.includes(name)) continue;
      if (includes.has(name)) {
        const path = await include(value);
        if (path) add(asked, path);
      } else if (name === "_sort") {
        for (const [way, key] of value.split(",").map((one) => [one.startsWith("-"), one.replace(/^-/, "")] as const)) {
          const native = key.startsWith("_") ? key : await nameOf(type, ruleOf(type, key));
          if (native) add(...rules.sort(native, way));
        }
      } else {
        // A chained parameter may have a name of its own: "practitioner.name"
        const whole = rules.byType[type]?.[asked];
        const rule = whole ?? ruleOf(type, name);
        const native = await nameOf(type, rule);
        const { keep } = rule;
        if (native) add(whole ? native : native + suffix, referring(nativeType, rule.value?.(value) ?? value));
        else if (keep) kept.push((resource) => resource.resourceType !== type || keep(resource, value));
      }
    }
  }
  return { params: Object.fromEntries(joined(translated)), keep: (resource) => kept.every((keep) => keep(resource)) };
}

/** The R4 names of the parameters that a server names in its own way. */
export function namesInR4(rules: SearchRules, type: string, natives: readonly string[]): string[] {
  const own = Object.entries(rules.byType[type] ?? {});
  const renamed = own.flatMap(([r4, { names, keep }]) => (keep || names.some((name) => natives.includes(name)) ? [r4] : []));
  const elsewhere = new Set(own.map(([r4]) => r4));
  return [...new Set([...renamed, ...natives.filter((name) => !elsewhere.has(name))])];
}

/** Sort keys make one value, in their order; all else repeats. */
const joined = (params: Map<string, string[]>): [string, string[]][] =>
  [...params].map(([name, values]) => [name, name === "_sort" ? [values.join(",")] : values]);

/** References as a value names their targets' types. */
const referring = (nativeType: (type: string) => string, value: string): string =>
  mapAlternatives(value, (one) => one.replace(/^([A-Z][A-Za-z]+)\/(?=[^/]+$)/, (_, type: string) => `${nativeType(type)}/`));

/** A value may be a list of alternatives, parted by commas: each of them in other words. */
export const mapAlternatives = (value: string, word: (one: string) => string): string => value.split(",").map(word).join(",");

/** A token without its system, as versions differ in that: "http://…|active" and "active,recurrence". */
export const withoutSystem = (value: string): string => mapAlternatives(value, (one) => one.slice(one.lastIndexOf("|") + 1));

/** Whether a resource's own code is includesCode the asked ones. */
const includesCode = (value: string, code: string | undefined): boolean =>
  code !== undefined && withoutSystem(value).split(",").includes(code);

export type SearchParams = Record<string, string | string[]>;

/** An appointment's slots are not asked for before R4, so they are looked at here. */
export const appointmentSlot: SearchRule = {
  names: ["slot"],
  keep: (resource, value) => {
    const ids = value.split(",").map((one) => one.replace(/^.*\//, ""));
    return ((resource as Appointment).slot ?? []).some(({ reference }) => ids.includes(reference?.replace(/^.*\//, "") ?? ""));
  },
};

export const coverageStatus: SearchRule = {
  names: ["status"],
  keep: (resource, value) => includesCode(value, (resource as Coverage).status),
};
