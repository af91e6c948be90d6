import { digest } from "@vitaline/core";
import type * as rows from "./rows.ts";

/**
 * Every key template of the table, and with it every access pattern. One table, one sparse index (gsi1: calls by time).
 *
 * `tenant` templates get the tenant from the store handle, never from their caller: code that holds a tenant's handle
 * cannot name another tenant's row. `platform` templates need the platform handle.
 * bookkeeping: written by note(), without audit. projected: written only by functions/events/project, through the unscoped handle.
 */
type Kind = { bookkeeping?: true; projected?: true };
export type Address = { pk: string; sk: string };

export type PlatformKey<Row> = { scope: "platform"; entity: string; kind: Kind; at: Address; row?: Row };
export type TenantKey<Row> = {
  scope: "tenant";
  entity: string;
  kind: Kind;
  claimed: boolean;
  at: (tenantId: string) => Address;
  row?: Row;
};
export type Key<Row> = PlatformKey<Row> | TenantKey<Row>;

const bookkeeping: Kind = { bookkeeping: true };
const projected: Kind = { projected: true };
const plain: Kind = {};

const templates: Record<string, Kind> = {};
const platform = <Row, A extends string[]>(entity: string, kind: Kind, at: (...ids: A) => Address) => {
  templates[entity] = kind;
  return (...ids: A): PlatformKey<Row> => ({ scope: "platform", entity, kind, at: at(...ids) });
};
const tenant = <Row, A extends string[]>(entity: string, kind: Kind, at: (tenantId: string, ...ids: A) => Address, claimed = false) => {
  templates[entity] = kind;
  return (...ids: A): TenantKey<Row> => ({ scope: "tenant", entity, kind, claimed, at: (tenantId) => at(tenantId, ...ids) });
};

/** A claimed row lies outside its tenant's partitions (a lookup by key or id): the handle writes it only if free or its own. */
const claimed = true;

// People and their sessions
export const user = platform<rows.UserRow, [userId: string]>("user", plain, (u) => ({ pk: `USER#${u}`, sk: "USER" }));
export const email = platform<rows.EmailRow, [address: string]>("email", plain, (address) => ({
  pk: `EMAIL#${digest("email", address)}`,
  sk: "EMAIL",
}));
export const session = platform<rows.SessionRow, [sid: string]>("session", bookkeeping, (sid) => ({ pk: `SESSION#${sid}`, sk: "SESSION" }));
export const throttle = platform<rows.CountRow, [kind: string, subject: string, window: string]>(
  "throttle",
  bookkeeping,
  (kind, subject, window) => ({
    pk: `THROTTLE#${kind}#${digest("throttle", subject)}`,
    sk: window,
  }),
);
export const userDirectory = platform<rows.UserDirectoryRow, [userId: string]>("userDirectory", plain, (u) => ({
  pk: "PLATFORM#USERS",
  sk: u,
}));
export const tenantUser = tenant<rows.UserDirectoryRow, [userId: string]>("tenantUser", plain, (t, u) => ({
  pk: `TENANT#${t}#USERS`,
  sk: u,
}));

// Tenants, offices, keys
const config = (t: string, sk: string): Address => ({ pk: `TENANT#${t}#CONFIG`, sk });
export const tenantConfig = tenant<rows.TenantRow, []>("tenant", plain, (t) => config(t, "TENANT"));
export const office = tenant<rows.OfficeRow, [officeId: string]>("office", plain, (t, o) => config(t, `OFFICE#${o}`));
export const officeName = tenant<rows.NameClaimRow, [name: string]>("officeName", plain, (t, name) =>
  config(t, `OFFICENAME#${digest("office-name", name.toLowerCase())}`),
);
export const apiKey = tenant<rows.ApiKeyRow, [keyId: string]>("apiKey", plain, (t, k) => config(t, `APIKEY#${k}`));
export const sealedApiKey = tenant<rows.SealedRow, [keyId: string]>("sealedApiKey", plain, (t, k) => ({
  pk: `TENANT#${t}#VAULT`,
  sk: `APIKEY#${k}`,
}));
export const keyLookup = tenant<rows.KeyLookupRow, [sha256: string]>(
  "keyLookup",
  plain,
  (_t, sha256) => ({ pk: `KEY#${sha256}`, sk: "KEY" }),
  claimed,
);
/** The same row, for whoever holds a key and asks whose it is. */
export const keyOwner = platform<rows.KeyLookupRow, [sha256: string]>("keyLookup", plain, (sha256) => ({ pk: `KEY#${sha256}`, sk: "KEY" }));
export const ref = tenant<rows.RefRow, [id: string]>("ref", plain, (_t, id) => ({ pk: `REF#${id}`, sk: "REF" }), claimed);
export const tenantDirectory = tenant<rows.TenantDirectoryRow, []>("tenantDirectory", plain, (t) => ({ pk: "PLATFORM#TENANTS", sk: t }));
export const officeDirectory = tenant<rows.OfficeRow, [officeId: string]>("officeDirectory", plain, (t, o) => ({
  pk: "PLATFORM#TENANTS",
  sk: `${t}#OFFICE#${o}`,
}));

// EHRs and signing keys
export const fhirProvider = platform<rows.FhirProviderRow, [providerId: string]>("fhirProvider", plain, (p) => ({
  pk: "PLATFORM#FHIR",
  sk: p,
}));
export const fhirUsedBy = platform<rows.FhirUsedByRow, [providerId: string, tenantId: string, officeId: string]>(
  "fhirUsedBy",
  plain,
  (p, t, o) => ({ pk: `FHIR#${p}`, sk: `USEDBY#${t}#${o}` }),
);
export const fhirToken = platform<rows.FhirTokenRow, [providerId: string, scopes: string]>("fhirToken", bookkeeping, (p, scopes) => ({
  pk: `FHIR#${p}`,
  sk: `TOKEN#${digest("scopes", scopes)}`,
}));
export const slotLock = platform<rows.SlotLockRow, [providerId: string, slotId: string]>("slotLock", bookkeeping, (p, slot) => ({
  pk: `FHIR#${p}#SLOT#${digest("slot", slot)}`,
  sk: "LOCK",
}));
export const platformKey = platform<rows.PlatformKeyRow, [id: string]>("platformKey", plain, (id) => ({ pk: "PLATFORM#KEYS", sk: id }));
/** Which key was made last: of two made at once, one is refused. */
export const newestPlatformKey = platform<rows.NewestKeyRow, []>("newestPlatformKey", plain, () => ({
  pk: "PLATFORM#KEYS",
  sk: "~NEWEST",
}));

// Calls
/** A call's own key: the platform's id is a foreign string, so it is hashed. */
export const callKeyOf = (platformName: string, callId: string): string => digest("call", platformName, callId).slice(0, 40);
/** Bookkeeping: the row is itself the account of what the voice platform did; who did what to a patient's record stands in the tools' audit rows. */
export const call = tenant<rows.CallRow, [callKey: string]>("call", bookkeeping, (t, c) => ({ pk: `TENANT#${t}#CALL#${c}`, sk: "CALL" }));
export const callState = tenant<rows.CallStateRow, [callKey: string]>("callState", bookkeeping, (t, c) => ({
  pk: `TENANT#${t}#CALL#${c}`,
  sk: "STATE",
}));
export const toolRun = tenant<rows.ToolRunRow, [callKey: string, id: string]>("toolRun", projected, (t, c, id) => ({
  pk: `TENANT#${t}#CALL#${c}`,
  sk: `RUN#${id}`,
}));
export const idempotency = tenant<rows.IdempotencyRow, [id: string]>("idempotency", bookkeeping, (t, id) => ({
  pk: `TENANT#${t}#IDEM#${id}`,
  sk: "IDEM",
}));
export const attempts = tenant<rows.CountRow, [kind: string, subject: string, hour: string]>(
  "attempts",
  bookkeeping,
  (t, kind, subject, hour) => ({
    pk: `TENANT#${t}#TRY#${digest("attempts", kind, subject)}`,
    sk: hour,
  }),
);

// Audit, totals, work to come back to
export const audit = tenant<rows.AuditRow, [month: string, category: string, id: string]>("audit", plain, (t, month, category, id) => ({
  pk: `TENANT#${t}#AUDIT#${month}#${category}`,
  sk: id,
}));
export const platformAudit = platform<rows.AuditRow, [month: string, category: string, id: string]>(
  "platformAudit",
  plain,
  (month, category, id) => ({ pk: `PLATFORM#AUDIT#${month}#${category}`, sk: id }),
);
export const stats = tenant<rows.StatsRow, [row: string]>("stats", projected, (t, row) => ({ pk: `TENANT#${t}#STATS`, sk: row }));
export const platformStats = platform<rows.StatsRow, [row: string]>("platformStats", projected, (row) => ({
  pk: "PLATFORM#STATS",
  sk: row,
}));
/** Work to come back to, of all tenants together, so that the probe finds it with four queries. */
export const due = tenant<rows.DueRow, [shard: string, dueAt: string, kind: string, id: string]>(
  "due",
  bookkeeping,
  (t, shard, dueAt, kind, id) => ({ pk: `PLATFORM#DUE#${shard}`, sk: `${dueAt}#${kind}#${t}#${id}` }),
);
/** Events that could not be processed, kept to be looked at and replayed. */
export const inbox = tenant<rows.InboxRow, [id: string]>("inbox", bookkeeping, (t, id) => ({ pk: `TENANT#${t}#INBOX`, sk: id }));
export const platformInbox = platform<rows.InboxRow, [id: string]>("platformInbox", bookkeeping, (id) => ({
  pk: "PLATFORM#INBOX",
  sk: id,
}));

/** Partitions that are listed, in key order. */
export const partitions = {
  userDirectory: "PLATFORM#USERS",
  tenantDirectory: "PLATFORM#TENANTS",
  fhirProviders: "PLATFORM#FHIR",
  platformKeys: "PLATFORM#KEYS",
  platformStats: "PLATFORM#STATS",
  due: (shard: string) => `PLATFORM#DUE#${shard}`,
} as const;
export const tenantPartitions = {
  config: (t: string) => `TENANT#${t}#CONFIG`,
  stats: (t: string) => `TENANT#${t}#STATS`,
  callRuns: (t: string, callKey: string) => `TENANT#${t}#CALL#${callKey}`,
  audit: (t: string, month: string, category: rows.AuditCategory) => `TENANT#${t}#AUDIT#${month}#${category}`,
  /** gsi1: calls by start. */
  calls: (t: string) => `TENANT#${t}#CALLS`,
} as const;

/** entity → how it may be written; the test of the two write verbs reads it. */
export const entityKinds: Readonly<Record<string, Kind>> = templates;
