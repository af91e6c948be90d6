import type { OutboundResponse } from "@vitaline/outbound";
import { ehrError, responseError } from "../http/errors.ts";
import type { CallOptions, FhirContext } from "../http/exchange.ts";
import type { Capability, Interaction } from "./types.ts";
import type { FhirVersion } from "../versions/convert/version.ts";
import { versions } from "../versions/versions.ts";
import { bodyAs, Statement } from "../http/payload-schemas.ts";

/** What a server states of one type, in the server's own names. */
export type TypeSummary = {
  interactions: string[];
  searchParams: string[];
  /** Without their $. */
  operations: string[];
  conditionalCreate?: true;
};
/** The part of a server's statement that counts, small enough to be kept beside the provider, as JSON. */
export type CapabilitySummary = {
  /** "4.0.1", "3.0.2", "1.0.2" */
  fhirVersion?: string;
  software?: string;
  transaction: boolean;
  types: Record<string, TypeSummary>;
};

/** https://hl7.org/fhir/R4/versions.html */
const spoken: [FhirVersion, RegExp][] = [
  ["R4", /^4\.0/],
  ["STU3", /^3\./],
  ["DSTU2", /^1\./],
];

/** The version that a statement's `fhirVersion` is of; undefined for one that we do not speak. */
export const parseFhirVersion = (fhirVersion: string | undefined): FhirVersion | undefined =>
  spoken.find(([, pattern]) => pattern.test(fhirVersion ?? ""))?.[0];

const jsonPatch = "application/json-patch+json";

/** What a CapabilityStatement or Conformance says; undefined for an answer that is none. */
export function parseStatement(response: OutboundResponse): CapabilitySummary | undefined {
  const statement = response.status === 200 ? bodyAs(Statement, response) : undefined;
  if (!statement) return undefined;
  const server = statement.rest?.find(({ mode }) => mode === "server") ?? statement.rest?.[0];
  const { name, version } = statement.software ?? {};
  const software = [name, version].filter(Boolean).join(" ");
  const patches = !statement.patchFormat?.length || statement.patchFormat.includes(jsonPatch);
  const types = (server?.resource ?? []).map((resource): [string, TypeSummary] => {
    const codes = (resource.interaction ?? []).map(({ code }) => code);
    const operations = [
      ...(resource.operation ?? []).map(({ name: one }) => one.replace(/^\$/, "")),
      ...elsewhere(server?.operation, resource.type),
    ];
    return [
      resource.type,
      {
        interactions: codes.filter((code) => code !== "patch" || patches),
        searchParams: (resource.searchParam ?? []).map((one) => one.name),
        operations: [...new Set(operations)],
        ...(resource.conditionalCreate === true && { conditionalCreate: true }),
      },
    ];
  });
  const mode = server?.transactionMode;
  return {
    ...(statement.fhirVersion && { fhirVersion: statement.fhirVersion }),
    ...(software && { software }),
    transaction:
      mode === "transaction" ||
      mode === "both" ||
      (mode !== "batch" && mode !== "not-supported" && named(server?.interaction, "transaction")),
    types: Object.fromEntries(types),
  };
}

type RestOperation = NonNullable<NonNullable<Statement["rest"]>[number]["operation"]>[number];

const named = (interactions: readonly { code: string }[] | null | undefined, wanted: string): boolean =>
  interactions?.some(({ code }) => code === wanted) ?? false;

/** Before R4 a server names all its operations in one place: what they are of is in the definition's name, "Patient-match". */
const elsewhere = (operations: readonly RestOperation[] | null | undefined, type: string): string[] =>
  (operations ?? []).flatMap(({ name, definition }) => {
    const operation = name.replace(/^\$/, "");
    const at = typeof definition === "string" ? definition : (definition?.reference ?? "");
    const last = at.slice(at.lastIndexOf("/") + 1).toLowerCase();
    return last.split(/[^a-z0-9]+/).includes(type.toLowerCase()) || last === `${type}${operation}`.toLowerCase() ? [operation] : [];
  });

/** What a server can do, in R4's words; `fhirVersion` for a statement that names none. */
export function toCapability(
  stated: CapabilitySummary,
  fhirVersion: FhirVersion = parseFhirVersion(stated.fhirVersion) ?? "R4",
): Capability {
  const version = versions[fhirVersion];
  const types = new Map(Object.entries(stated.types));
  const typeOf = (type: string): TypeSummary | undefined => types.get(version.nativeType(type));
  const reads = new Set<Interaction>(["read", "search-type"]);
  return {
    supports: (type, interaction) =>
      (!version.isEmbedded(type) || reads.has(interaction)) && (typeOf(type)?.interactions.includes(interaction) ?? false),
    searchParams: (type) => version.searchNames(type, typeOf(type)?.searchParams ?? []),
    conditionalCreate: (type) => typeOf(type)?.conditionalCreate === true,
    operation: (type, name) => typeOf(type)?.operations.includes(name) ?? false,
    transaction: stated.transaction,
    software: stated.software,
  };
}

/** Who keeps what a server states: gives what is kept, or asks, once for all who want it. */
export type CapabilityStore = {
  sharedCapability(ask: (options: CallOptions) => Promise<CapabilitySummary>, options: CallOptions): Promise<CapabilitySummary>;
};

/** What a server can do: as whoever shares it keeps it, else from `fetchStatement` (its /metadata). */
export function readCapabilitySummary(
  ctx: FhirContext,
  { sharedCapability }: CapabilityStore,
  fetchStatement: (options: CallOptions) => Promise<OutboundResponse>,
  options: CallOptions,
): Promise<CapabilitySummary> {
  const ask = async (asked: CallOptions): Promise<CapabilitySummary> => {
    const response = await fetchStatement(asked);
    const refusal = responseError(response, "read", ctx.clock());
    if (refusal) throw refusal;
    const stated = parseStatement(response);
    if (!stated) throw ehrError("ehr_invalid");
    return stated;
  };
  return sharedCapability(ask, options);
}
