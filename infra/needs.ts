import { contract, type Auth } from "@vitaline/contract";
import type { FunctionName } from "./functions.ts";

/** What is sealed in the vault, by the `purpose` in KMS's encryption context. */
export type Purpose = "tenant-api-key" | "phi" | "fhir-token";

/** Everything a function may touch. Its role and its environment are made from this and from nothing else. */
export type Needs = {
  /** Patterns of partition keys: Get, BatchGet and Query; then Put, Update and ConditionCheck; then Delete. */
  reads?: readonly string[];
  writes?: readonly string[];
  deletes?: readonly string[];
  /** Lists calls by time over gsi1. */
  callIndex?: true;
  /** Puts audit rows; nobody may change or delete one. */
  audits?: true;
  seals?: readonly Purpose[];
  opens?: readonly Purpose[];
  /** Client secrets of EHRs. */
  fhirSecrets?: "create" | "read";
  /** Puts sealed files and asks what lies under a name; their key would not let it read one. */
  files?: true;
  sessionKey?: "verify" | "sign";
  /** Run-time signing keys of the platform: make and try them, or sign with them. */
  platformKeys?: "create" | "sign";
  /** Calls addresses that somebody typed. */
  outbound?: true;
  /** Answers HTTP: knows the edge's secret and the public origin. */
  http?: true;
  /** Lists by pages, whose cursors are sealed under the app secret. */
  cursors?: true;
};

const session = ["SESSION#*", "USER#*", "TENANT#*#CONFIG"] as const;
/** What every route for a person does first: check the session, and move its idle clock. */
const signedIn = { http: true, sessionKey: "verify", audits: true } as const satisfies Needs;

/** What an open EHR takes: its provider and token rows, slot locks, its secret or the platform's signature, and what is sealed of a booking. */
const ehr = {
  reads: ["PLATFORM#FHIR", "FHIR#*", "PLATFORM#KEYS"],
  writes: ["FHIR#*"],
  deletes: ["FHIR#*#SLOT#*"],
} as const satisfies Needs;
const ehrAccess = {
  seals: ["phi", "fhir-token"],
  opens: ["phi", "fhir-token"],
  fhirSecrets: "read",
  platformKeys: "sign",
  outbound: true,
} as const satisfies Needs;

export const needs: Readonly<Record<FunctionName, Needs>> = {
  auth: {
    ...signedIn,
    sessionKey: "sign",
    reads: ["EMAIL#*", "THROTTLE#*", ...session],
    writes: ["THROTTLE#*", "SESSION#*", "PLATFORM#USERS"],
    deletes: ["THROTTLE#*"],
  },
  tenant: {
    ...signedIn,
    reads: [...session, "TENANT#*#VAULT", "TENANT#*#STATS", "TENANT#*#CALLS"],
    writes: ["SESSION#*", "TENANT#*#CONFIG", "TENANT#*#VAULT", "KEY#*"],
    callIndex: true,
    seals: ["tenant-api-key"],
    opens: ["tenant-api-key"],
  },
  admin: {
    ...signedIn,
    reads: [...session, "PLATFORM#USERS", "PLATFORM#TENANTS"],
    writes: [
      "SESSION#*",
      "EMAIL#*",
      "USER#*",
      "PLATFORM#USERS",
      "PLATFORM#TENANTS",
      "TENANT#*#USERS",
      "TENANT#*#CONFIG",
      "TENANT#*#VAULT",
      "KEY#*",
      "REF#*",
    ],
    // It hands out a new key once and never shows an old one, so it seals and cannot open.
    seals: ["tenant-api-key"],
  },
  fhir: {
    ...signedIn,
    reads: [...session, "PLATFORM#FHIR", "FHIR#*"],
    writes: ["SESSION#*", "PLATFORM#FHIR", "FHIR#*", "PLATFORM#TENANTS", "TENANT#*#CONFIG"],
    deletes: ["FHIR#*"],
    fhirSecrets: "create",
    outbound: true,
  },
  keys: { ...signedIn, reads: [...session, "PLATFORM#KEYS"], writes: ["SESSION#*", "PLATFORM#KEYS"], platformKeys: "create" },
  dashboard: { ...signedIn, reads: [...session, "PLATFORM#STATS"], writes: ["SESSION#*"] },
  voice: {
    ...ehrAccess,
    http: true,
    audits: true,
    reads: ["KEY#*", "TENANT#*#CONFIG", "TENANT#*#CALL#*", "TENANT#*#IDEM#*", "TENANT#*#TRY#*", ...ehr.reads],
    writes: ["TENANT#*#CALL#*", "TENANT#*#IDEM#*", "TENANT#*#TRY#*", "PLATFORM#DUE#*", ...ehr.writes],
    deletes: ["TENANT#*#IDEM#*", ...ehr.deletes],
    files: true,
  },
  wellknown: { http: true, reads: ["PLATFORM#KEYS"] },
  public: {},
  "events/project": {
    reads: ["TENANT#*#STATS", "PLATFORM#STATS"],
    writes: ["TENANT#*#CALL#*", "TENANT#*#STATS", "TENANT#*#INBOX", "PLATFORM#INBOX", "PLATFORM#STATS"],
  },
  "events/probe": {
    ...ehrAccess,
    audits: true,
    cursors: true,
    reads: ["PLATFORM#DUE#*", "TENANT#*#CONFIG", "TENANT#*#IDEM#*", ...ehr.reads],
    writes: ["PLATFORM#DUE#*", "TENANT#*#IDEM#*", ...ehr.writes],
    deletes: ["PLATFORM#DUE#*", ...ehr.deletes],
  },
};

/** Addresses that voice platforms call, with a tenant's key, as far as their first two steps: "/api/vapi/". */
export const platformPathPrefixes = (): string[] => prefixesOf(["key"], 2);

/** First steps of every address that the API answers: "/api", "/.well-known". */
export const apiRoots = (): string[] =>
  prefixesOf(["public", "user", "tenant_admin", "system_admin", "key"], 1).map((prefix) => prefix.slice(0, -1));

const prefixesOf = (auths: readonly Auth[], steps: number): string[] => {
  const routes = Object.values(contract).flatMap((group) => Object.values(group));
  return [
    ...new Set(
      routes
        .filter(({ auth }) => auths.includes(auth))
        .map(
          ({ path }) =>
            `${path
              .split("/")
              .slice(0, steps + 1)
              .join("/")}/`,
        ),
    ),
  ];
};
