import { expect, test } from "vitest";
import * as keys from "./keys.ts";

type Templates = Omit<typeof keys, "callKeyOf">;
type RowAt<Name extends keyof Templates> = Templates[Name] extends (...ids: never[]) => { row?: infer Row } ? NonNullable<Row> : never;
type Named = { [Name in keyof Templates]: Templates[Name] extends (...ids: never[]) => { scope: string } ? Name : never }[keyof Templates];
/** Templates of which every row says when it is over. */
type Ending = { [Name in Named]: RowAt<Name> extends { expiresAt: number } ? Name : never }[Named];
type Lasting = Exclude<Named, Ending>;

const people = "A person who works with the platform, until an administrator takes them off; no patient.";
const arrangements = "What a tenant or the platform has set up, until it is taken down; no patient is in it.";
const observations = "One row a thing that is watched, replaced by what is seen next; no patient is in it.";
const sums = "Counts alone.";
const refusals = "Keyed hashes of contacts that want nothing more: forgetting one would write to them again. Bounced ones do end.";
const events =
  "Of voice platforms they end after thirty days. What is of the table's own stream waits for its repair, and names no patient but by an id.";
const certificates = "What was asked to be erased, and its certificate: ids and counts, to answer for it later.";
const visitors = "What visitors of the public site wrote to the operator, sealed; no patient of a tenant.";

/** What has no end, and why it may last. A template whose row holds patient data belongs nowhere here: it needs `expiresAt`. */
const lasting: Record<Lasting, string> = {
  user: people,
  email: people,
  userDirectory: people,
  tenantUser: people,
  activeAdmins: sums,
  tenantConfig: arrangements,
  tenantDirectory: arrangements,
  listedTenant: arrangements,
  office: arrangements,
  officeName: arrangements,
  officeDirectory: arrangements,
  ref: arrangements,
  idOwner: arrangements,
  apiKey: arrangements,
  sealedApiKey: arrangements,
  keyLookup: arrangements,
  keyOwner: arrangements,
  apiKeyUse: observations,
  voiceProvider: arrangements,
  voiceProviderDirectory: arrangements,
  sealedVoiceKey: arrangements,
  hook: arrangements,
  hookOwner: arrangements,
  voiceAgent: arrangements,
  voiceAgentDirectory: arrangements,
  externalAgent: arrangements,
  fhirProvider: arrangements,
  tenantFhirProvider: arrangements,
  fhirUsedBy: arrangements,
  fhirConsent: arrangements,
  fhirHealth: observations,
  platformKey: arrangements,
  newestPlatformKey: arrangements,
  platformKeyUse: observations,
  systemHealth: observations,
  tenantChain: sums,
  platformChain: sums,
  stats: sums,
  platformStats: sums,
  retentionRun: observations,
  erasure: certificates,
  erasureSubject: certificates,
  webhook: arrangements,
  webhookCount: sums,
  webhookHealth: observations,
  sealedWebhook: arrangements,
  webhookTenant: observations,
  calendarFeed: arrangements,
  calendarToken: arrangements,
  calendarOwner: arrangements,
  optOut: refusals,
  inbox: events,
  platformInbox: events,
  keptEvent: events,
  platformKeptEvent: events,
  contactMessage: visitors,
};

/** The types say that each of these has an end: a row without one is not accepted. */
const ending: Record<Ending, true> = {
  erasureRun: true,
  keptSlots: true,
  session: true,
  throttle: true,
  accountLock: true,
  mailedToken: true,
  fhirToken: true,
  fhirCapability: true,
  oauthState: true,
  slotLock: true,
  tries: true,
  call: true,
  callState: true,
  callCode: true,
  toolRun: true,
  liveCall: true,
  idempotency: true,
  contactChanges: true,
  personLock: true,
  callRequests: true,
  attempts: true,
  audit: true,
  platformAudit: true,
  feed: true,
  activeUser: true,
  tenantExport: true,
  platformExport: true,
  lead: true,
  task: true,
  leadsOfCall: true,
  unmailedContact: true,
  healthDay: true,
  connectionDay: true,
  voiceHealth: true,
  reconciled: true,
  due: true,
  message: true,
  sentTo: true,
  outgoing: true,
  delivery: true,
  calendarEntry: true,
};

test("C06: every kind of row has an end, or a reason to last", () => {
  const templates = Object.entries(keys).flatMap(([name, value]) => (typeof value === "function" && name !== "callKeyOf" ? [name] : []));
  expect(templates.toSorted()).toEqual([...Object.keys(lasting), ...Object.keys(ending)].toSorted());
});

test("C06: what is kept of calls, tools, leads, tasks and messages to patients is among what ends", () => {
  for (const name of ["call", "toolRun", "callState", "idempotency", "lead", "task", "message", "outgoing", "delivery", "calendarEntry"])
    expect(ending).toHaveProperty(name);
});
