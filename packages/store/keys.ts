import { digest } from "@vitaline/core";
import type * as rows from "./rows.ts";

/**
 * Every key template of the table, and with it every access pattern. One table, one sparse index (gsi1: calls, tool runs, deliveries and appointments by time).
 *
 * `tenant` templates get the tenant from the store handle, never from their caller: code that holds a tenant's handle
 * cannot name another tenant's row. `platform` templates need the platform handle.
 * bookkeeping: written by note(), without audit. projected: written only by functions/events/project, through the unscoped handle.
 * retained: ends by its tenant's periods; functions/events/retain sets its end alone through the unscoped handle, audited once for all rows.
 */
type Kind = { bookkeeping?: true; projected?: true; retained?: true };
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
const retained: Kind = { retained: true };
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
/** A user's sessions lie together, so that they can be listed. */
export const session = platform<rows.SessionRow, [userId: string, sid: string]>("session", bookkeeping, (u, sid) => ({
  pk: `SESSION#${u}`,
  sk: sid,
}));
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
/** Bookkeeping: counted from the directory when it is first needed, then kept by the acts that change it. */
export const activeAdmins = platform<rows.ActiveAdminsRow, []>("activeAdmins", bookkeeping, () => ({
  pk: "PLATFORM#USERS",
  sk: "~ADMINS",
}));
export const locks = "~LOCKED#";
/** Who may not sign in just now, for the list of users; gone when it is over. */
export const accountLock = platform<rows.AccountLockRow, [userId: string]>("accountLock", bookkeeping, (u) => ({
  pk: "PLATFORM#USERS",
  sk: `${locks}${u}`,
}));
export const mailedToken = platform<rows.MailedTokenRow, [sha256: string]>("mailedToken", plain, (sha256) => ({
  pk: `TOKEN#${sha256}`,
  sk: "TOKEN",
}));
export const tenantUser = tenant<rows.UserDirectoryRow, [userId: string]>("tenantUser", plain, (t, u) => ({
  pk: `TENANT#${t}#USERS`,
  sk: u,
}));

// Tenants, offices, keys
const config = (t: string, sk: string): Address => ({ pk: `TENANT#${t}#CONFIG`, sk });
export const tenantConfig = tenant<rows.TenantRow, []>("tenant", plain, (t) => config(t, "TENANT"));
export const office = tenant<rows.OfficeRow, [officeId: string]>("office", plain, (t, o) => config(t, `OFFICE#${o}`));
/** Names that look the same are one: whatever their case, their spaces, and the form that Unicode gives their signs. */
const looks = (name: string): string => name.normalize("NFKC").replaceAll(/\s+/g, " ").trim().toLowerCase();
export const officeName = tenant<rows.NameClaimRow, [name: string]>("officeName", plain, (t, name) =>
  config(t, `OFFICENAME#${digest("office-name", looks(name))}`),
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
/** When a key was last used. Its own partition: whoever may note a use can change no key. */
export const apiKeyUse = tenant<rows.KeyUseRow, [keyId: string]>("apiKeyUse", bookkeeping, (t, k) => ({ pk: `TENANT#${t}#KEYUSE`, sk: k }));
export const ref = tenant<rows.RefRow, [id: string]>("ref", plain, (_t, id) => ({ pk: `REF#${id}`, sk: "REF" }), claimed);
/** The same row, for whoever holds an id and asks whose it is. */
export const idOwner = platform<rows.RefRow, [id: string]>("ref", plain, (id) => ({ pk: `REF#${id}`, sk: "REF" }));
export const tenantDirectory = tenant<rows.TenantDirectoryRow, []>("tenantDirectory", plain, (t) => ({ pk: "PLATFORM#TENANTS", sk: t }));
/** The same row, for lists over all tenants that say whose each entry is. */
export const listedTenant = platform<rows.TenantDirectoryRow, [tenantId: string]>("tenantDirectory", plain, (t) => ({
  pk: "PLATFORM#TENANTS",
  sk: t,
}));
export const officeDirectory = tenant<rows.OfficeRow, [officeId: string]>("officeDirectory", plain, (t, o) => ({
  pk: "PLATFORM#TENANTS",
  sk: `${t}#OFFICE#${o}`,
}));

// Voice platforms
export const voiceProvider = tenant<rows.VoiceProviderRow, [id: string]>("voiceProvider", plain, (t, v) => config(t, `VOICE#${v}`));
export const sealedVoiceKey = tenant<rows.SealedRow, [id: string]>("sealedVoiceKey", plain, (t, v) => ({
  pk: `TENANT#${t}#VAULT`,
  sk: `VOICE#${v}`,
}));
/** Whose hook it is and the secret that its requests are signed with: all that a signed request needs, in one read. */
export const hook = tenant<rows.HookRow, [voiceProviderId: string]>("hook", plain, (_t, v) => ({ pk: `REF#${v}`, sk: "HOOK" }), claimed);
/** The same row, for whoever holds a signed request and asks whose it is. */
export const hookOwner = platform<rows.HookRow, [voiceProviderId: string]>("hook", plain, (v) => ({ pk: `REF#${v}`, sk: "HOOK" }));
export const voiceAgent = tenant<rows.VoiceAgentRow, [officeId: string, id: string]>("voiceAgent", plain, (t, o, a) =>
  config(t, `AGENT#${o}#${a}`),
);
/** One assignment for each agent of a platform. */
export const externalAgent = tenant<rows.ExternalAgentRow, [platformName: string, agentId: string]>("externalAgent", plain, (t, p, a) =>
  config(t, `EXT#${digest("external-agent", p, a)}`),
);
/** Under the id alone, so that the newest of all tenants come first. */
export const voiceProviderDirectory = tenant<rows.VoiceProviderDirectoryRow, [id: string]>(
  "voiceProviderDirectory",
  plain,
  (_t, v) => ({ pk: "PLATFORM#VOICE", sk: `PROVIDER#${v}` }),
  claimed,
);
export const voiceAgentDirectory = tenant<rows.VoiceAgentDirectoryRow, [id: string]>(
  "voiceAgentDirectory",
  plain,
  (_t, a) => ({ pk: "PLATFORM#VOICE", sk: `AGENT#${a}` }),
  claimed,
);

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
export const fhirHealth = platform<rows.FhirHealthRow, [providerId: string]>("fhirHealth", bookkeeping, (p) => ({
  pk: "PLATFORM#FHIR",
  sk: `${p}#HEALTH`,
}));
/** A tenant's own providers, so that its screens need not read all. */
export const tenantFhirProvider = tenant<rows.NameClaimRow, [providerId: string]>("tenantFhirProvider", plain, (t, p) =>
  config(t, `FHIR#${p}`),
);
export const fhirToken = platform<rows.FhirTokenRow, [providerId: string, scopes: string]>("fhirToken", bookkeeping, (p, scopes) => ({
  pk: `FHIR#${p}`,
  sk: `TOKEN#${digest("scopes", scopes)}`,
}));
/** What an EHR's server says that it can do; "scheduling" is the place beside it where some vendors take appointments. */
export const fhirCapability = platform<rows.FhirCapabilityRow, [providerId: string, place: "main" | "scheduling"]>(
  "fhirCapability",
  bookkeeping,
  (p, place) => ({ pk: `FHIR#${p}`, sk: `CAP#${place}` }),
);
/** What somebody gave us who let us in at an EHR; bookkeeping, as every use may replace it. Who gave it, and when, the audit says. */
export const fhirConsent = platform<rows.FhirConsentRow, [providerId: string]>("fhirConsent", bookkeeping, (p) => ({
  pk: `FHIR#${p}`,
  sk: "CONSENT",
}));
/** Somebody who is on the way to an EHR's sign-in page and back. */
export const oauthState = platform<rows.OAuthStateRow, [state: string]>("oauthState", bookkeeping, (state) => ({
  pk: `OAUTH#${digest("oauth-state", state)}`,
  sk: "STATE",
}));
export const slotLock = platform<rows.ClaimRow, [providerId: string, slotId: string]>("slotLock", bookkeeping, (p, slot) => ({
  pk: `FHIR#${p}#SLOT#${digest("slot", slot)}`,
  sk: "LOCK",
}));
/** The slots of an EHR that are kept for callers who were told of them. */
export const keptSlots = platform<rows.KeptSlotsRow, [providerId: string]>("keptSlots", bookkeeping, (p) => ({
  pk: `FHIR#${p}`,
  sk: "KEPT",
}));
/** What was tried to be taken for a patient of an EHR, whichever tenant was called. */
export const tries = platform<rows.TriesRow, [providerId: string, subject: string, week: string]>(
  "tries",
  bookkeeping,
  (p, subject, week) => ({
    pk: `FHIR#${p}#TRY#${digest("tries", subject)}`,
    sk: `W${week}`,
  }),
);
export const platformKey = platform<rows.PlatformKeyRow, [id: string]>("platformKey", plain, (id) => ({ pk: "PLATFORM#KEYS", sk: id }));
/** When a signing key last signed, apart from the keys for the same reason as with API keys. */
export const platformKeyUse = platform<rows.KeyUseRow, [id: string]>("platformKeyUse", bookkeeping, (id) => ({
  pk: "PLATFORM#KEYUSE",
  sk: id,
}));
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
/** The one-time code of a call. Bookkeeping: what it was used for stands in the tools' audit rows. */
export const callCode = tenant<rows.CallCodeRow, [callKey: string]>("callCode", bookkeeping, (t, c) => ({
  pk: `TENANT#${t}#CALL#${c}`,
  sk: "OTP",
}));
export const toolRun = tenant<rows.ToolRunRow, [callKey: string, id: string]>("toolRun", projected, (t, c, id) => ({
  pk: `TENANT#${t}#CALL#${c}`,
  sk: `RUN#${id}`,
}));
/** Calls that are going on; their numbers stay small however many calls there were. */
export const liveCall = tenant<rows.LiveCallRow, [callKey: string]>("liveCall", projected, (t, c) => ({ pk: `TENANT#${t}#LIVE`, sk: c }));
export const idempotency = tenant<rows.IdempotencyRow, [id: string]>("idempotency", bookkeeping, (t, id) => ({
  pk: `TENANT#${t}#IDEM#${id}`,
  sk: "IDEM",
}));
/** Contact points of a patient that were changed here, by keyed hashes; the subject is a keyed hash, too. */
export const contactChanges = tenant<rows.ContactChangesRow, [subject: string]>("contactChanges", bookkeeping, (t, subject) => ({
  pk: `TENANT#${t}#CHANGED#${digest("contact-changes", subject)}`,
  sk: "CHANGED",
}));
/** A person who is being registered, by a keyed hash. */
export const personLock = tenant<rows.ClaimRow, [subject: string]>("personLock", bookkeeping, (t, subject) => ({
  pk: `TENANT#${t}#TRY#${digest("person-lock", subject)}`,
  sk: "LOCK",
}));
/** What a call has asked for of a kind that is limited. */
export const callRequests = tenant<rows.CallRequestsRow, [callKey: string, kind: string]>("callRequests", bookkeeping, (t, c, kind) => ({
  pk: `TENANT#${t}#CALL#${c}`,
  sk: `ASKED#${kind}`,
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
/** The platform's feed of what happened, without patient data: what people did apart, and four shards a month, as one would be too hot. */
export const feed = platform<rows.AuditRow, [month: string, group: "people" | "others", shard: string, id: string]>(
  "feed",
  projected,
  (month, group, shard, id) => ({ pk: `PLATFORM#FEED#${month}#${group}#${shard}`, sk: id }),
);
/** Who signed in on a day, once each. */
export const activeUser = platform<{ at: string; expiresAt: number }, [date: string, userId: string]>(
  "activeUser",
  projected,
  (date, u) => ({
    pk: `PLATFORM#ACTIVE#${date}`,
    sk: u,
  }),
);
export const tenantChain = tenant<rows.ChainRow, []>("tenantChain", projected, (t) => ({ pk: `TENANT#${t}#CHAIN`, sk: "HEAD" }));
export const platformChain = platform<rows.ChainRow, []>("platformChain", projected, () => ({ pk: "PLATFORM#CHAIN", sk: "HEAD" }));
export const tenantExport = tenant<rows.ExportRow, [id: string]>("tenantExport", bookkeeping, (t, id) => ({
  pk: `TENANT#${t}#EXPORTS`,
  sk: id,
}));
export const platformExport = platform<rows.ExportRow, [id: string]>("platformExport", bookkeeping, (id) => ({
  pk: "PLATFORM#EXPORTS",
  sk: id,
}));
export const lead = tenant<rows.LeadRow, [id: string]>("lead", retained, (t, id) => ({ pk: `TENANT#${t}#LEADS`, sk: id }));
export const task = tenant<rows.TaskRow, [id: string]>("task", retained, (t, id) => ({ pk: `TENANT#${t}#TASKS`, sk: id }));
/** The leads that the requests of a call leave: one for each request, however often it comes. */
export const leadsOfCall = tenant<rows.LeadsOfCallRow, [callKey: string]>("leadsOfCall", bookkeeping, (t, c) => ({
  pk: `TENANT#${t}#CALL#${c}`,
  sk: "LEADS",
}));
/** Bookkeeping: the row is itself the account of what a visitor wrote, who is nobody's user. */
export const contactMessage = platform<rows.ContactMessageRow, [month: string, id: string]>("contactMessage", bookkeeping, (month, id) => ({
  pk: `PLATFORM#CONTACT#${month}`,
  sk: id,
}));
/** A message that has not gone to support by mail yet. */
export const unmailedContact = platform<rows.UnmailedContactRow, [id: string]>("unmailedContact", bookkeeping, (id) => ({
  pk: "PLATFORM#CONTACT#UNMAILED",
  sk: id,
}));
/** What the last probe of the platform's own parts found. */
export const systemHealth = platform<rows.SystemHealthRow, []>("systemHealth", bookkeeping, () => ({
  pk: "PLATFORM#HEALTH",
  sk: "LATEST",
}));
/** How many probes of the platform's own parts a day had, and how many of them found every part well. */
export const healthDay = platform<rows.HealthDayRow, [date: string]>("healthDay", bookkeeping, (date) => ({
  pk: "PLATFORM#HEALTH",
  sk: `DAY#${date}`,
}));
/** The same of one connection, by the id of its EHR or voice provider. */
export const connectionDay = platform<rows.HealthDayRow, [connectionId: string, date: string]>(
  "connectionDay",
  bookkeeping,
  (connection, date) => ({ pk: `PLATFORM#HEALTH#DAYS#${connection}`, sk: `DAY#${date}` }),
);
/** What the last probe of a tenant's connection to its voice platform found. */
export const voiceHealth = platform<rows.VoiceHealthRow, [voiceProviderId: string]>("voiceHealth", bookkeeping, (v) => ({
  pk: "PLATFORM#HEALTH#VOICE",
  sk: v,
}));
/** Up to when all conversations at a tenant's voice provider are recorded. */
export const reconciled = platform<rows.ReconciledRow, [voiceProviderId: string]>("reconciled", bookkeeping, (v) => ({
  pk: "PLATFORM#RECONCILED",
  sk: v,
}));
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
/** How far a tenant's periods of retention are applied to what is stored. */
export const retentionRun = tenant<rows.RetentionRunRow, []>("retentionRun", bookkeeping, (t) => ({
  pk: `TENANT#${t}#RETENTION`,
  sk: "RUN",
}));

// Erasures
/** What was asked to be erased, and the signed certificate once it is done. It stays for good: it holds ids, counts and no content. */
export const erasure = platform<rows.ErasureRow, [id: string]>("erasure", plain, (id) => ({ pk: "PLATFORM#ERASURES", sk: id }));
/** Of one call, patient or tenant only one erasure is under way. */
export const erasureSubject = platform<rows.ErasureSubjectRow, [tenantId: string, subject: string]>(
  "erasureSubject",
  plain,
  (t, subject) => ({
    pk: `ERASURE#${digest("erasure-subject", t, subject)}`,
    sk: "SUBJECT",
  }),
);
/** Which run of functions/events/erase is at an erasure, so that two do not count the same rows. */
export const erasureRun = platform<rows.ErasureRunRow, [id: string]>("erasureRun", bookkeeping, (id) => ({
  pk: `ERASURE#${id}`,
  sk: "RUN",
}));
// Messages to patients
/** What was sent to patients, or was to be, newest last; without addresses and texts. */
export const message = tenant<rows.MessageRow, [id: string]>("message", projected, (t, id) => ({ pk: `TENANT#${t}#MESSAGES`, sk: id }));
/** What was lately sent to a contact, as `contactOf` spells it: whoever puts a message there may send it, once, and not too many. */
export const sentTo = tenant<rows.SentToRow, [contact: string]>("sentTo", bookkeeping, (t, contact) => ({
  pk: `TENANT#${t}#SEND#${digest("sent-to", t, contact)}`,
  sk: "SEND",
}));
/** A number or address that wants nothing more from this tenant, or where nothing arrives, as `contactOf` of packages/messages spells it. */
export const optOut = tenant<rows.OptOutRow, [contact: string]>("optOut", bookkeeping, (t, contact) => ({
  pk: `TENANT#${t}#OPTOUT`,
  sk: digest("opt-out", t, contact),
}));
/** Messages and reminders that wait for their time, of all tenants together. */
export const outgoing = tenant<rows.OutgoingRow, [shard: string, dueAt: string, kind: string, id: string]>(
  "outgoing",
  bookkeeping,
  (t, shard, dueAt, kind, id) => ({ pk: `PLATFORM#OUTGOING#${shard}`, sk: `${dueAt}#${kind}#${t}#${id}` }),
);

// What a tenant's own systems are told of
const webhooksOf = (t: string, sk: string): Address => ({ pk: `TENANT#${t}#WEBHOOKS`, sk });
export const webhook = tenant<rows.WebhookRow, [webhookId: string]>("webhook", plain, (t, w) => webhooksOf(t, `WEBHOOK#${w}`));
/** How many there are, so that there are not too many. */
export const webhookCount = tenant<rows.WebhookCountRow, []>("webhookCount", plain, (t) => webhooksOf(t, "COUNT"));
/** How a webhook's receiver is: since when it takes nothing any more, and when it is tried next. */
export const webhookHealth = tenant<rows.WebhookHealthRow, [webhookId: string]>("webhookHealth", bookkeeping, (t, w) =>
  webhooksOf(t, `HEALTH#${w}`),
);
export const sealedWebhook = tenant<rows.SealedWebhookRow, [webhookId: string]>("sealedWebhook", plain, (t, w) => ({
  pk: `TENANT#${t}#VAULT`,
  sk: `WEBHOOK#${w}`,
}));
/** Tenants that have, or had, webhooks, and who delivers for each just now. */
export const webhookTenant = tenant<rows.WebhookTenantRow, []>(
  "webhookTenant",
  bookkeeping,
  (t) => ({ pk: "PLATFORM#WEBHOOKS", sk: t }),
  claimed,
);
/** An event on its way to a webhook; while it is, also under gsi1, by when it is due. */
export const delivery = tenant<rows.DeliveryRow, [id: string]>("delivery", bookkeeping, (t, id) => ({
  pk: `TENANT#${t}#DELIVERIES`,
  sk: id,
}));
/** An appointment that was made through us, by a hash of its id; under gsi1 by its office and time. */
export const calendarEntry = tenant<rows.CalendarEntryRow, [id: string]>("calendarEntry", projected, (t, id) => ({
  pk: `TENANT#${t}#CALENDAR`,
  sk: id,
}));
/** The secret address of an office's calendar. */
export const calendarFeed = tenant<rows.CalendarFeedRow, [officeId: string]>("calendarFeed", plain, (t, o) => config(t, `CALENDAR#${o}`));
export const calendarToken = tenant<rows.CalendarTokenRow, [sha256: string]>(
  "calendarToken",
  plain,
  (_t, sha256) => ({ pk: `CALENDAR#${sha256}`, sk: "CALENDAR" }),
  claimed,
);
/** The same row, for whoever knows the address and asks whose it is. */
export const calendarOwner = platform<rows.CalendarTokenRow, [sha256: string]>("calendarToken", plain, (sha256) => ({
  pk: `CALENDAR#${sha256}`,
  sk: "CALENDAR",
}));

/** Events that could not be processed, kept to be looked at and replayed. */
export const inbox = tenant<rows.InboxRow, [id: string]>("inbox", bookkeeping, (t, id) => ({ pk: `TENANT#${t}#INBOX`, sk: id }));
export const platformInbox = platform<rows.InboxRow, [id: string]>("platformInbox", bookkeeping, (id) => ({
  pk: "PLATFORM#INBOX",
  sk: id,
}));
/** What is known of each without what it says, of all tenants together: the ids are of their time, so the newest are found first. */
export const keptEvent = tenant<rows.KeptEventRow, [id: string]>(
  "keptEvent",
  bookkeeping,
  (_t, id) => ({ pk: "PLATFORM#KEPT", sk: id }),
  claimed,
);
export const platformKeptEvent = platform<rows.KeptEventRow, [id: string]>("platformKeptEvent", bookkeeping, (id) => ({
  pk: "PLATFORM#KEPT",
  sk: `${id}~`,
}));

/** Partitions that are listed, in key order. */
export const partitions = {
  userDirectory: "PLATFORM#USERS",
  sessions: (userId: string) => `SESSION#${userId}`,
  tenantDirectory: "PLATFORM#TENANTS",
  fhirProviders: "PLATFORM#FHIR",
  fhirUsers: (p: string) => `FHIR#${p}`,
  platformKeys: "PLATFORM#KEYS",
  platformKeyUse: "PLATFORM#KEYUSE",
  platformStats: "PLATFORM#STATS",
  voice: "PLATFORM#VOICE",
  platformExports: "PLATFORM#EXPORTS",
  systemHealth: "PLATFORM#HEALTH",
  feed: (month: string, group: "people" | "others", shard: string) => `PLATFORM#FEED#${month}#${group}#${shard}`,
  activeUsers: (date: string) => `PLATFORM#ACTIVE#${date}`,
  platformAudit: (month: string, category: rows.AuditCategory) => `PLATFORM#AUDIT#${month}#${category}`,
  connectionDays: (connection: string) => `PLATFORM#HEALTH#DAYS#${connection}`,
  voiceHealth: "PLATFORM#HEALTH#VOICE",
  reconciled: "PLATFORM#RECONCILED",
  contact: (month: string) => `PLATFORM#CONTACT#${month}`,
  unmailedContact: "PLATFORM#CONTACT#UNMAILED",
  due: (shard: string) => `PLATFORM#DUE#${shard}`,
  outgoing: (shard: string) => `PLATFORM#OUTGOING#${shard}`,
  webhookTenants: "PLATFORM#WEBHOOKS",
  keptEvents: "PLATFORM#KEPT",
  erasures: "PLATFORM#ERASURES",
  ref: (id: string) => `REF#${id}`,
} as const;
export const tenantPartitions = {
  config: (t: string) => `TENANT#${t}#CONFIG`,
  keyUse: (t: string) => `TENANT#${t}#KEYUSE`,
  stats: (t: string) => `TENANT#${t}#STATS`,
  users: (t: string) => `TENANT#${t}#USERS`,
  exports: (t: string) => `TENANT#${t}#EXPORTS`,
  leads: (t: string) => `TENANT#${t}#LEADS`,
  tasks: (t: string) => `TENANT#${t}#TASKS`,
  messages: (t: string) => `TENANT#${t}#MESSAGES`,
  callRuns: (t: string, callKey: string) => `TENANT#${t}#CALL#${callKey}`,
  audit: (t: string, month: string, category: rows.AuditCategory) => `TENANT#${t}#AUDIT#${month}#${category}`,
  live: (t: string) => `TENANT#${t}#LIVE`,
  webhooks: (t: string) => `TENANT#${t}#WEBHOOKS`,
  deliveries: (t: string) => `TENANT#${t}#DELIVERIES`,
  /** gsi1: deliveries by when they are due. */
  dueDeliveries: (t: string) => `TENANT#${t}#DUE`,
  /** gsi1: an office's appointments by their beginning. */
  calendar: (t: string, officeId: string) => `TENANT#${t}#CALENDAR#${officeId}`,
  /** gsi1: calls by start. */
  calls: (t: string) => `TENANT#${t}#CALLS`,
  /** gsi1: tool runs by time. */
  runs: (t: string) => `TENANT#${t}#RUNS`,
  /** gsi1: calls whose content was erased. */
  erasedCalls: (t: string) => `TENANT#${t}#ERASED`,
  vault: (t: string) => `TENANT#${t}#VAULT`,
  inbox: (t: string) => `TENANT#${t}#INBOX`,
  optOuts: (t: string) => `TENANT#${t}#OPTOUT`,
  calendarEntries: (t: string) => `TENANT#${t}#CALENDAR`,
} as const;

/** entity → how it may be written; the test of the two write verbs reads it. */
export const entityKinds: Readonly<Record<string, Kind>> = templates;
