import { contract, type Auth } from "@vitaline/contract";
import type { FunctionName } from "./functions.ts";

/**
 * What is sealed in the vault, by the `purpose` in KMS's encryption context. "webhook": the secret with which a voice platform signs
 * what it sends us; "webhook-signing": the secret with which we sign what a tenant's own webhooks are sent.
 */
export type Purpose = "tenant-api-key" | "voice-provider-key" | "webhook" | "webhook-signing" | "totp" | "phi" | "fhir-token" | "contact";

/** Everything a function may touch. Its role and its environment are made from this and from nothing else. */
export type Needs = {
  /** Patterns of partition keys: Get, BatchGet and Query; then Put, Update and ConditionCheck; then Delete. */
  reads?: readonly string[];
  writes?: readonly string[];
  deletes?: readonly string[];
  /** Lists calls and tool runs by time over gsi1. */
  callIndex?: true;
  /** Puts audit rows; nobody may change or delete one. */
  audits?: true;
  seals?: readonly Purpose[];
  opens?: readonly Purpose[];
  /** Client secrets, private keys and refresh tokens of EHRs: makes, replaces and reads them, or reads them and replaces refresh tokens, or deletes them. */
  fhirSecrets?: "manage" | "use" | "delete";
  /** Puts sealed files and asks what lies under a name; their key would not let it read one. */
  files?: true;
  sessionKey?: "verify" | "sign";
  /** Reads sealed files: puts together with `opens: ["phi"]`. */
  filesRead?: true;
  /** Changes for how long the bucket keeps a file of a call. */
  filesKept?: true;
  /** Asks whether the files bucket answers. */
  filesProbed?: true;
  /** Exports lie in the files bucket: writes them, makes links to them. */
  exportFiles?: readonly ("write" | "link")[];
  /** So do the copies that are made before an erasure, under a prefix of their own. */
  erasureCopies?: "write" | "link";
  /** Starts functions/events/export. */
  startsExport?: true;
  /** Starts functions/events/erase. */
  startsErase?: true;
  /** Reads sealed files of calls and kept events; deletes those and exports, and lists which there are. */
  filesErased?: true;
  /** Signs certificates of erasures. */
  certifies?: true;
  /** Starts functions/events/retain. */
  startsRetain?: true;
  /** Starts functions/events/deliver. */
  startsDeliver?: true;
  /** Asks functions/site what anybody may ask it, to see that the API answers. */
  asksSite?: true;
  /** Puts the chained audit into the bucket that forgets nothing. */
  archive?: true;
  /** Sends mail as the platform; "files": also with something attached. */
  mail?: true | "files";
  /** Sends text messages from the stage's number. */
  sms?: true;
  /** Tells visitors how to reach the people behind the platform. */
  publicConfig?: true;
  /** Run-time signing keys of the platform: make and try them, or sign with them. */
  platformKeys?: "create" | "sign";
  /** Calls addresses that somebody typed. */
  outbound?: true;
  /** Answers HTTP: knows the edge's secret and the public origin. */
  http?: true;
  /** Lists by pages, whose cursors are sealed under the app secret. */
  cursors?: true;
  /** What its Node is started with, where Lambda's own bounds for the size of the function are too wide. */
  nodeOptions?: string;
};

const session = ["SESSION#*", "USER#*", "TENANT#*#CONFIG"] as const;
/** What every route for a person does first: check the session, and move its idle clock. */
const signedIn = { http: true, sessionKey: "verify", audits: true } as const satisfies Needs;

/** What an open EHR takes: its provider and token rows, slot locks, its secret or the platform's signature, and what is sealed of a booking. */
const ehr = {
  reads: ["PLATFORM#FHIR", "FHIR#*", "PLATFORM#KEYS"],
  writes: ["FHIR#*", "PLATFORM#KEYUSE"],
  deletes: ["FHIR#*#SLOT#*"],
} as const satisfies Needs;
/** Beside calls and their EHR: which contact points were changed in calls, leads, and tasks. */
const besideCalls = {
  reads: ["TENANT#*#CHANGED#*"],
  writes: ["TENANT#*#CHANGED#*", "TENANT#*#LEADS", "TENANT#*#TASKS"],
} as const satisfies Needs;
const ehrAccess = {
  seals: ["phi", "fhir-token"],
  opens: ["phi", "fhir-token"],
  fhirSecrets: "use",
  platformKeys: "sign",
  outbound: true,
} as const satisfies Needs;

/** Messages to patients: what was sent lately and who wants none, what waits for its time, and the two ways out. */
const messages = {
  reads: ["TENANT#*#SEND#*", "TENANT#*#OPTOUT", "PLATFORM#OUTGOING#*"],
  writes: ["TENANT#*#SEND#*", "TENANT#*#OPTOUT", "PLATFORM#OUTGOING#*"],
  deletes: ["TENANT#*#SEND#*", "TENANT#*#OPTOUT"],
} as const satisfies Needs;
const messaging = { mail: "files", sms: true } as const satisfies Needs;

/** Running tools for whoever holds a tenant's key. */
const toolsByKey = {
  ...ehrAccess,
  ...messaging,
  http: true,
  audits: true,
  reads: [
    "KEY#*",
    "TENANT#*#CONFIG",
    "TENANT#*#CALL#*",
    "TENANT#*#IDEM#*",
    "TENANT#*#TRY#*",
    ...besideCalls.reads,
    ...ehr.reads,
    ...messages.reads,
  ],
  writes: [
    "TENANT#*#CALL#*",
    "TENANT#*#IDEM#*",
    "TENANT#*#TRY#*",
    "TENANT#*#KEYUSE",
    "PLATFORM#DUE#*",
    ...besideCalls.writes,
    ...ehr.writes,
    ...messages.writes,
  ],
  deletes: ["TENANT#*#IDEM#*", ...ehr.deletes, ...messages.deletes],
} as const satisfies Needs;

const ofTenant = (...names: string[]): string[] => names.map((name) => `TENANT#*#${name}`);
const ofPlatform = (...names: string[]): string[] => names.map((name) => `PLATFORM#${name}`);
/** Rows that an erasure lists or gets, and deletes. */
const erasedAsRead = [
  ...ofTenant("CONFIG", "VAULT", "USERS", "KEYUSE", "CALL#*", "LIVE", "LEADS", "TASKS", "MESSAGES", "OPTOUT", "WEBHOOKS", "DELIVERIES"),
  ...ofTenant("CALENDAR", "EXPORTS", "INBOX", "STATS", "RETENTION"),
  ...["REF#*", "USER#*", "SESSION#*", "FHIR#*", "ERASURE#*"],
  ...ofPlatform("FHIR", "HEALTH#DAYS#*", "OUTGOING#*", "DUE#*", "KEPT"),
];
/** Rows whose addresses it knows from those. */
const erasedUnread = [
  ...["KEY#*", "EMAIL#*", "CALENDAR#*"],
  ...ofPlatform("USERS", "TENANTS", "VOICE", "HEALTH#VOICE", "RECONCILED", "WEBHOOKS"),
];

export const needs: Readonly<Record<FunctionName, Needs>> = {
  auth: {
    ...signedIn,
    sessionKey: "sign",
    reads: ["EMAIL#*", "THROTTLE#*", "TOKEN#*", "PLATFORM#USERS", ...session],
    writes: ["THROTTLE#*", "TOKEN#*", "SESSION#*", "USER#*", "PLATFORM#USERS", "TENANT#*#USERS"],
    deletes: ["THROTTLE#*", "TOKEN#*"],
    seals: ["totp"],
    opens: ["totp"],
    mail: true,
  },
  tenant: {
    ...signedIn,
    reads: [
      ...session,
      "TENANT#*#VAULT",
      "TENANT#*#STATS",
      "TENANT#*#CALLS",
      "TENANT#*#CALL#*",
      "TENANT#*#RUNS",
      "TENANT#*#LIVE",
      "TENANT#*#LEADS",
      "TENANT#*#TASKS",
      "TENANT#*#MESSAGES",
      "TENANT#*#AUDIT#*",
      "TENANT#*#USERS",
      "TENANT#*#CHAIN",
      "TENANT#*#KEYUSE",
      "TENANT#*#WEBHOOKS",
      "TENANT#*#DELIVERIES",
      "PLATFORM#FHIR",
      "PLATFORM#HEALTH",
      "PLATFORM#HEALTH#VOICE",
    ],
    writes: [
      ...[
        "SESSION#*",
        "TENANT#*#CALL#*",
        "TENANT#*#LEADS",
        "TENANT#*#TASKS",
        "TENANT#*#CONFIG",
        "TENANT#*#VAULT",
        "KEY#*",
        "REF#*",
        "PLATFORM#TENANTS",
      ],
      ...["TENANT#*#WEBHOOKS", "TENANT#*#DELIVERIES", "PLATFORM#WEBHOOKS", "CALENDAR#*"],
    ],
    deletes: ["TENANT#*#CONFIG", "TENANT#*#VAULT", "TENANT#*#WEBHOOKS", "CALENDAR#*"],
    callIndex: true,
    filesRead: true,
    // It makes the secrets of webhooks and shows each once.
    seals: ["tenant-api-key", "phi", "webhook-signing"],
    opens: ["tenant-api-key", "phi"],
    // It calls none of them, but knows which may be called.
    outbound: true,
  },
  admin: {
    ...signedIn,
    reads: [
      ...session,
      "THROTTLE#*",
      "PLATFORM#USERS",
      "PLATFORM#TENANTS",
      "PLATFORM#FHIR",
      "TENANT#*#USERS",
      "TENANT#*#VAULT",
      "TENANT#*#STATS",
      "TENANT#*#KEYUSE",
      "TENANT#*#CALL#*",
      "PLATFORM#KEPT",
      "PLATFORM#ERASURES",
    ],
    writes: [
      "SESSION#*",
      "PLATFORM#KEPT",
      "PLATFORM#ERASURES",
      "ERASURE#*",
      "PLATFORM#DUE#*",
      "EMAIL#*",
      "TOKEN#*",
      "USER#*",
      "PLATFORM#USERS",
      "PLATFORM#TENANTS",
      "TENANT#*#USERS",
      "TENANT#*#CONFIG",
      "TENANT#*#VAULT",
      "TENANT#*#RETENTION",
      "KEY#*",
      "REF#*",
    ],
    deletes: ["EMAIL#*", "THROTTLE#*", "PLATFORM#DUE#*", "ERASURE#*", "TENANT#*#USERS", "TENANT#*#CONFIG", "TENANT#*#VAULT"],
    startsErase: true,
    erasureCopies: "link",
    mail: true,
    seals: ["tenant-api-key"],
    opens: ["tenant-api-key"],
  },
  fhir: {
    ...signedIn,
    reads: [...session, "PLATFORM#FHIR", "FHIR#*", "PLATFORM#TENANTS", "PLATFORM#KEYS", "OAUTH#*"],
    writes: [
      ...["SESSION#*", "PLATFORM#FHIR", "FHIR#*", "PLATFORM#KEYUSE", "PLATFORM#TENANTS", "TENANT#*#CONFIG"],
      ...["THROTTLE#*", "PLATFORM#CONTACT#*", "OAUTH#*"],
    ],
    deletes: ["FHIR#*", "PLATFORM#CONTACT#UNMAILED", "OAUTH#*"],
    // What a tenant asks the platform for is kept and mailed as visitors' words are.
    seals: ["contact", "fhir-token"],
    opens: ["fhir-token"],
    mail: true,
    fhirSecrets: "manage",
    platformKeys: "sign",
    outbound: true,
  },
  keys: {
    ...signedIn,
    reads: [...session, "PLATFORM#KEYS", "PLATFORM#KEYUSE"],
    writes: ["SESSION#*", "PLATFORM#KEYS"],
    platformKeys: "create",
  },
  dashboard: {
    ...signedIn,
    reads: [
      ...session,
      "PLATFORM#STATS",
      "PLATFORM#FEED#*",
      "PLATFORM#CHAIN",
      "PLATFORM#FHIR",
      "PLATFORM#USERS",
      "PLATFORM#TENANTS",
      "PLATFORM#HEALTH",
      "PLATFORM#HEALTH#DAYS#*",
      "PLATFORM#CONTACT#*",
      "TENANT#*#AUDIT#*",
    ],
    writes: ["SESSION#*"],
    opens: ["contact"],
  },
  voice: {
    ...toolsByKey,
    // What is signed names a voice provider, whose secret it must be; OpenAI is told with the provider's key who answers.
    reads: [...toolsByKey.reads, "REF#*", "TENANT#*#VAULT"],
    opens: [...toolsByKey.opens, "webhook", "voice-provider-key"],
    // What cannot be recorded is kept.
    writes: [...toolsByKey.writes, "TENANT#*#INBOX", "PLATFORM#KEPT"],
    files: true,
  },
  // A call's token names its voice provider, which must still be active.
  mcp: { ...toolsByKey, reads: [...toolsByKey.reads, "REF#*"] },
  wellknown: { http: true, reads: ["PLATFORM#KEYS"] },
  agents: {
    ...signedIn,
    reads: [...session, "PLATFORM#VOICE", "PLATFORM#TENANTS", "TENANT#*#VAULT", "REF#*"],
    writes: ["SESSION#*", "TENANT#*#CONFIG", "TENANT#*#VAULT", "PLATFORM#VOICE", "REF#*"],
    deletes: ["TENANT#*#CONFIG", "TENANT#*#VAULT", "PLATFORM#VOICE"],
    seals: ["voice-provider-key", "webhook"],
    opens: ["voice-provider-key"],
    outbound: true,
  },
  tools: {
    ...signedIn,
    ...ehrAccess,
    ...messaging,
    // Snippets of configuration carry the tenant's key.
    opens: [...ehrAccess.opens, "tenant-api-key"],
    reads: [
      ...session,
      "TENANT#*#VAULT",
      "TENANT#*#CALL#*",
      "TENANT#*#IDEM#*",
      "TENANT#*#TRY#*",
      ...besideCalls.reads,
      ...ehr.reads,
      ...messages.reads,
    ],
    writes: [
      "SESSION#*",
      "TENANT#*#CALL#*",
      "TENANT#*#IDEM#*",
      "TENANT#*#TRY#*",
      "PLATFORM#DUE#*",
      ...besideCalls.writes,
      ...ehr.writes,
      ...messages.writes,
    ],
    deletes: ["TENANT#*#IDEM#*", ...ehr.deletes, ...messages.deletes],
  },
  exports: {
    ...signedIn,
    reads: [
      ...session,
      "TENANT#*#EXPORTS",
      "PLATFORM#EXPORTS",
      "TENANT#*#AUDIT#*",
      "PLATFORM#AUDIT#*",
      "TENANT#*#CALLS",
      "PLATFORM#TENANTS",
    ],
    writes: ["SESSION#*", "TENANT#*#EXPORTS", "PLATFORM#EXPORTS"],
    callIndex: true,
    exportFiles: ["write", "link"],
    startsExport: true,
    cursors: true,
  },
  site: {
    http: true,
    publicConfig: true,
    reads: ["PLATFORM#HEALTH"],
    writes: ["THROTTLE#*", "PLATFORM#CONTACT#*"],
    deletes: ["PLATFORM#CONTACT#UNMAILED"],
    audits: true,
    // It keeps what visitors write and reads none of it back.
    seals: ["contact"],
    mail: true,
  },
  // An address that anybody may ask: it knows offices and times, and nothing of patients.
  calendar: { http: true, reads: ["CALENDAR#*", "TENANT#*#CONFIG", "TENANT#*#CALENDAR#*"], callIndex: true },
  public: {},
  "events/archive": { reads: ["TENANT#*#CHAIN", "PLATFORM#CHAIN"], writes: ["TENANT#*#CHAIN", "PLATFORM#CHAIN"], archive: true },
  "events/health": {
    ...ehrAccess,
    reads: [
      "PLATFORM#VOICE",
      "PLATFORM#HEALTH",
      "PLATFORM#HEALTH#VOICE",
      "PLATFORM#CONTACT#*",
      "TENANT#*#CONFIG",
      "TENANT#*#VAULT",
      ...ehr.reads,
    ],
    writes: ["PLATFORM#HEALTH", "PLATFORM#HEALTH#DAYS#*", "PLATFORM#HEALTH#VOICE", "PLATFORM#CONTACT#*", "PLATFORM#FHIR", ...ehr.writes],
    deletes: ["PLATFORM#CONTACT#UNMAILED"],
    seals: ["fhir-token"],
    opens: ["fhir-token", "voice-provider-key", "contact"],
    filesProbed: true,
    asksSite: true,
    mail: true,
    cursors: true,
  },
  // All of a tenant but its audit and the chain of it.
  "events/erase": {
    audits: true,
    reads: [...erasedAsRead, ...ofTenant("CALLS", "ERASED", "RUNS", "AUDIT#*"), "PLATFORM#ERASURES"],
    writes: ["TENANT#*#CALL#*", "TENANT#*#CONFIG", "PLATFORM#ERASURES", "ERASURE#*", "PLATFORM#DUE#*"],
    deletes: [...erasedAsRead, ...erasedUnread],
    callIndex: true,
    opens: ["phi"],
    filesErased: true,
    erasureCopies: "write",
    fhirSecrets: "delete",
    certifies: true,
  },
  "events/export": {
    audits: true,
    cursors: true,
    reads: [
      "TENANT#*#EXPORTS",
      "PLATFORM#EXPORTS",
      "TENANT#*#AUDIT#*",
      "PLATFORM#AUDIT#*",
      "TENANT#*#CALLS",
      "TENANT#*#CONFIG",
      "PLATFORM#TENANTS",
    ],
    callIndex: true,
    writes: ["TENANT#*#EXPORTS", "PLATFORM#EXPORTS"],
    exportFiles: ["write"],
    // A hundred thousand rows pass through page by page: with room to spare, V8 would rather grow than tidy up.
    nodeOptions: "--max-old-space-size=192 --max-semi-space-size=8",
  },
  "events/project": {
    reads: ["TENANT#*#STATS", "PLATFORM#STATS", "TENANT#*#WEBHOOKS", "TENANT#*#CONFIG"],
    writes: [
      "TENANT#*#CALL#*",
      "TENANT#*#LIVE",
      "TENANT#*#STATS",
      "TENANT#*#INBOX",
      "TENANT#*#MESSAGES",
      "TENANT#*#TRY#*",
      "PLATFORM#INBOX",
      "PLATFORM#KEPT",
      "PLATFORM#STATS",
      "PLATFORM#FEED#*",
      "PLATFORM#ACTIVE#*",
      "PLATFORM#OUTGOING#*",
      "TENANT#*#DELIVERIES",
      "TENANT#*#CALENDAR",
    ],
    deletes: ["TENANT#*#LIVE"],
    startsDeliver: true,
  },
  // It reads the facts of an event where they lie, and sends them sealed until then.
  "events/deliver": {
    reads: [
      ...["PLATFORM#WEBHOOKS", "TENANT#*#WEBHOOKS", "TENANT#*#VAULT", "TENANT#*#DELIVERIES", "TENANT#*#DUE"],
      ...["TENANT#*#CONFIG", "TENANT#*#CALL#*", "TENANT#*#LEADS", "TENANT#*#TASKS", "TENANT#*#AUDIT#*"],
    ],
    writes: ["PLATFORM#WEBHOOKS", "TENANT#*#WEBHOOKS", "TENANT#*#DELIVERIES"],
    deletes: ["TENANT#*#WEBHOOKS"],
    callIndex: true,
    audits: true,
    seals: ["phi"],
    opens: ["phi", "webhook-signing"],
    outbound: true,
    cursors: true,
  },
  "events/remind": {
    ...ehrAccess,
    ...messaging,
    audits: true,
    cursors: true,
    reads: ["TENANT#*#CONFIG", "TENANT#*#TRY#*", ...ehr.reads, ...messages.reads],
    writes: [...ehr.writes, ...messages.writes],
    deletes: ["PLATFORM#OUTGOING#*", ...ehr.deletes, ...messages.deletes],
  },
  // What is heard of a message, and whoever is to get no more.
  "events/receipts": { writes: ["TENANT#*#MESSAGES", "TENANT#*#OPTOUT"] },
  "events/reconcile": {
    reads: ["PLATFORM#VOICE", "PLATFORM#RECONCILED", "TENANT#*#CONFIG", "TENANT#*#VAULT", "TENANT#*#CALL#*"],
    writes: ["PLATFORM#RECONCILED", "TENANT#*#CALL#*", "PLATFORM#DUE#*"],
    seals: ["phi"],
    opens: ["voice-provider-key"],
    files: true,
    outbound: true,
    cursors: true,
  },
  "events/probe": {
    ...ehrAccess,
    audits: true,
    cursors: true,
    reads: [
      "PLATFORM#DUE#*",
      "PLATFORM#ERASURES",
      "TENANT#*#CONFIG",
      "TENANT#*#RETENTION",
      "TENANT#*#IDEM#*",
      "TENANT#*#INBOX",
      "TENANT#*#CALL#*",
      ...ehr.reads,
    ],
    startsErase: true,
    writes: ["PLATFORM#DUE#*", "TENANT#*#IDEM#*", "TENANT#*#TASKS", "TENANT#*#CALL#*", "PLATFORM#KEPT", ...ehr.writes],
    deletes: ["PLATFORM#DUE#*", "TENANT#*#INBOX", "PLATFORM#KEPT", ...ehr.deletes],
    // Events that were kept are recorded with their texts.
    files: true,
    filesRead: true,
    startsRetain: true,
  },
  // It changes nothing but until when a row stays; the rows of what was said it need not open for that.
  "events/retain": {
    audits: true,
    cursors: true,
    reads: [
      ...["PLATFORM#TENANTS", "TENANT#*#CONFIG", "TENANT#*#RETENTION", "TENANT#*#CALLS", "TENANT#*#ERASED", "TENANT#*#RUNS"],
      ...["TENANT#*#LEADS", "TENANT#*#TASKS", "TENANT#*#MESSAGES"],
    ],
    writes: [...["TENANT#*#CALL#*", "TENANT#*#LEADS", "TENANT#*#TASKS", "TENANT#*#MESSAGES"], ...["TENANT#*#RETENTION", "PLATFORM#DUE#*"]],
    callIndex: true,
    filesKept: true,
  },
};

/** Addresses that voice platforms call, with a tenant's key or a signature, as far as their first two steps: "/api/vapi/", "/api/calls". */
export const platformPathPrefixes = (): string[] => prefixesOf(["key", "signature"], 2);

/** Addresses of voice providers, each with the provider's id behind it: "/api/vapi/hook/". */
export const hookPathPrefixes = (): string[] => prefixesOf(["signature"], 3);

/** First steps of every address that the API answers: "/api", "/.well-known". */
export const apiRoots = (): string[] =>
  prefixesOf(["public", "user", "tenant_admin", "system_admin", "key", "signature"], 1).map((prefix) => prefix.slice(0, -1));

const prefixesOf = (auths: readonly Auth[], steps: number): string[] => {
  const routes = Object.values(contract).flatMap((group) => Object.values(group));
  return [
    ...new Set(
      routes
        .filter(({ auth }) => auths.includes(auth))
        .map(({ path }) => {
          const parts = path.split("/");
          return parts.slice(0, steps + 1).join("/") + (parts.length > steps + 1 ? "/" : "");
        }),
    ),
  ];
};
