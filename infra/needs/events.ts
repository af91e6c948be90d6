import type { FunctionName } from "../config/functions.ts";
import { ehr, ehrAccess, messages, sending } from "./shared.ts";
import type { Needs } from "./types.ts";

const ofTenant = (...names: string[]): string[] => names.map((name) => `TENANT#*#${name}`);
const ofPlatform = (...names: string[]): string[] => names.map((name) => `PLATFORM#${name}`);
/** Rows that an erasure reads and deletes. */
const erasedRows = [
  ...ofTenant("CONFIG", "VAULT", "USERS", "KEYUSE", "CALL#*", "LIVE", "LEADS", "TASKS", "MESSAGES", "OPTOUT", "WEBHOOKS", "DELIVERIES"),
  ...ofTenant("CALENDAR", "EXPORTS", "INBOX", "STATS", "RETENTION"),
  ...["REF#*", "USER#*", "SESSION#*", "FHIR#*", "ERASURE#*"],
  ...ofPlatform("FHIR", "HEALTH#DAYS#*", "OUTGOING#*", "DUE#*", "KEPT"),
];
/** Rows that an erasure deletes unread, by keys that the rows above contain. */
const erasedUnreadRows = [
  ...["KEY#*", "EMAIL#*", "CALENDAR#*"],
  ...ofPlatform("USERS", "TENANTS", "VOICE", "HEALTH#VOICE", "RECONCILED", "WEBHOOKS"),
];

/** Functions that the stream, schedules and receipts start. */
export const eventNeeds = {
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
  // All rows of a tenant except its audit and the chain.
  "events/erase": {
    audits: true,
    reads: [...erasedRows, ...ofTenant("CALLS", "ERASED", "RUNS", "AUDIT#*"), "PLATFORM#ERASURES"],
    writes: ["TENANT#*#CALL#*", "TENANT#*#CONFIG", "PLATFORM#ERASURES", "ERASURE#*", "PLATFORM#DUE#*"],
    deletes: [...erasedRows, ...erasedUnreadRows],
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
    // Exports up to 100,000 rows page by page. With a larger heap V8 grows instead of collecting.
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
  // Reads each event's data at delivery, and stores it encrypted until then.
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
    ...sending,
    audits: true,
    cursors: true,
    reads: ["TENANT#*#CONFIG", "TENANT#*#TRY#*", ...ehr.reads, ...messages.reads],
    writes: [...ehr.writes, ...messages.writes],
    deletes: ["PLATFORM#OUTGOING#*", ...ehr.deletes, ...messages.deletes],
  },
  // Delivery outcomes and opt-outs.
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
    // Records dead-letter events with their texts.
    files: true,
    filesRead: true,
    startsRetain: true,
  },
  // Changes only expiries, for which it need not decrypt rows.
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
} satisfies Partial<Record<FunctionName, Needs>>;
