import type { OutboundResponse } from "@vitaline/outbound";
import { ehrError, responseError } from "../http/errors.ts";
import type { CallOptions, FhirContext } from "../http/exchange.ts";
import { bodyAs, Statement } from "../http/payload-schemas.ts";
import type { FhirVersion } from "../versions/convert/version.ts";
import { versions } from "../versions/versions.ts";
import type { Capability, Interaction } from "./types.ts";

/** One resource type, with the server's native names. */
export type TypeSummary = {
  interactions: string[];
  searchParams: string[];
  /** Without the $. */
  operations: string[];
  conditionalCreate?: true;
};
/** The relevant part of a CapabilityStatement, small enough to be stored as JSON. */
export type CapabilitySummary = {
  /** "4.0.1", "3.0.2", "1.0.2" */
  fhirVersion?: string;
  software?: string;
  transaction: boolean;
  types: Record<string, TypeSummary>;
};

/** https://hl7.org/fhir/R4/versions.html */
const supportedVersions: [FhirVersion, RegExp][] = [
  ["R4", /^4\.0/],
  ["STU3", /^3\./],
  ["DSTU2", /^1\./],
];

/** Undefined for a version that we do not support. */
export const parseFhirVersion = (fhirVersion: string | undefined): FhirVersion | undefined =>
  supportedVersions.find(([, pattern]) => pattern.test(fhirVersion ?? ""))?.[0];

const jsonPatch = "application/json-patch+json";

/** From a CapabilityStatement or Conformance response; undefined for any other response. */
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
      ...systemOperations(server?.operation, resource.type),
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
      (mode !== "batch" && mode !== "not-supported" && hasInteraction(server?.interaction, "transaction")),
    types: Object.fromEntries(types),
  };
}

type RestOperation = NonNullable<NonNullable<Statement["rest"]>[number]["operation"]>[number];

const hasInteraction = (interactions: readonly { code: string }[] | null | undefined, wanted: string): boolean =>
  interactions?.some(({ code }) => code === wanted) ?? false;

/** Before R4 a server lists all operations together; the definition's name contains the type, as in "Patient-match". */
const systemOperations = (operations: readonly RestOperation[] | null | undefined, type: string): string[] =>
  (operations ?? []).flatMap(({ name, definition }) => {
    const operation = name.replace(/^\$/, "");
    const at = typeof definition === "string" ? definition : (definition?.reference ?? "");
    const last = at.slice(at.lastIndexOf("/") + 1).toLowerCase();
    return last.split(/[^a-z0-9]+/).includes(type.toLowerCase()) || last === `${type}${operation}`.toLowerCase() ? [operation] : [];
  });

/** `fhirVersion`: for a summary that has none. */
export function toCapability(
  summary: CapabilitySummary,
  fhirVersion: FhirVersion = parseFhirVersion(summary.fhirVersion) ?? "R4",
): Capability {
  const version = versions[fhirVersion];
  const types = new Map(Object.entries(summary.types));
  const typeOf = (type: string): TypeSummary | undefined => types.get(version.nativeType(type));
  const reads = new Set<Interaction>(["read", "search-type"]);
  return {
    supports: (type, interaction) =>
      (!version.isEmbedded(type) || reads.has(interaction)) && (typeOf(type)?.interactions.includes(interaction) ?? false),
    searchParams: (type) => version.searchNames(type, typeOf(type)?.searchParams ?? []),
    conditionalCreate: (type) => typeOf(type)?.conditionalCreate === true,
    operation: (type, name) => typeOf(type)?.operations.includes(name) ?? false,
    transaction: summary.transaction,
    software: summary.software,
  };
}

/** Returns the cached summary, or calls `ask` once for all concurrent callers. */
export type CapabilityStore = {
  sharedCapability(ask: (options: CallOptions) => Promise<CapabilitySummary>, options: CallOptions): Promise<CapabilitySummary>;
};

/** From the store, else from `fetchStatement` (a /metadata request). */
export function readCapabilitySummary(
  ctx: FhirContext,
  { sharedCapability }: CapabilityStore,
  fetchStatement: (options: CallOptions) => Promise<OutboundResponse>,
  options: CallOptions,
): Promise<CapabilitySummary> {
  const ask = async (askOptions: CallOptions): Promise<CapabilitySummary> => {
    const response = await fetchStatement(askOptions);
    const error = responseError(response, "read", ctx.clock());
    if (error) throw error;
    const summary = parseStatement(response);
    if (!summary) throw ehrError("ehr_invalid");
    return summary;
  };
  return sharedCapability(ask, options);
}
