import { expect, test } from "vitest";
import * as keys from "./keys.ts";

type Templates = Omit<typeof keys, "callKeyOf">;
type RowAt<Name extends keyof Templates> = Templates[Name] extends (...ids: never[]) => { row?: infer Row } ? NonNullable<Row> : never;
type Named = { [Name in keyof Templates]: Templates[Name] extends (...ids: never[]) => { scope: string } ? Name : never }[keyof Templates];
/** Templates whose rows all have `expiresAt`. */
type Ending = { [Name in Named]: RowAt<Name> extends { expiresAt: number } ? Name : never }[Named];
type Lasting = Exclude<Named, Ending>;

const people = "A user of the platform, until an administrator deletes them; no patient data.";
const arrangements = "Configuration of a tenant or the platform, until it is deleted; no patient data.";
const observations = "One row per observed object, overwritten by the next observation; no patient data.";
const sums = "Counts only.";
const refusals = "Hashes of contacts that opted out: deleting one would allow messages again. Bounced ones expire.";
const events =
  "Events of voice platforms expire after thirty days. Events of the table's own stream wait for a repair and name a patient at most by id.";
const certificates = "An erasure with its certificate: ids and counts, as evidence.";
const visitors = "Sealed messages from visitors of the public site; no patient data of a tenant.";
const asked = "Sealed words of a tenant's users and the operators about the service, until the tenant is erased; no patient data.";

/** Templates of permanent rows, with the reason. Rows with patient data need `expiresAt`. */
const lasting: Record<Lasting, string> = {
  user: people,
  email: people,
  userDirectory: people,
  tenantUser: people,
  userInTenant: people,
  activeAdmins: sums,
  callViews: arrangements,
  tenantConfig: arrangements,
  tenantDirectory: arrangements,
  listedTenant: arrangements,
  office: arrangements,
  officeName: arrangements,
  officeNumbersVersion: arrangements,
  officeDirectory: arrangements,
  ref: arrangements,
  refOwner: arrangements,
  apiKey: arrangements,
  sealedApiKey: arrangements,
  keyLookup: arrangements,
  keyLookupBeforeTenant: arrangements,
  apiKeyUse: observations,
  voiceProvider: arrangements,
  voiceProviderDirectory: arrangements,
  sealedVoiceKey: arrangements,
  hook: arrangements,
  hookBeforeTenant: arrangements,
  voiceAgent: arrangements,
  voiceAgentDirectory: arrangements,
  agentAssignment: arrangements,
  fhirProvider: arrangements,
  tenantFhirProvider: arrangements,
  fhirUsedBy: arrangements,
  oauthGrant: arrangements,
  fhirHealth: observations,
  platformKey: arrangements,
  newestPlatformKey: arrangements,
  platformKeyUse: observations,
  systemHealth: observations,
  tenantChain: sums,
  platformChain: sums,
  stats: sums,
  platformStats: sums,
  platformStatsPart: sums,
  retentionRun: observations,
  erasure: certificates,
  erasureSubject: certificates,
  notices: arrangements,
  webhook: arrangements,
  webhookCount: sums,
  webhookHealth: observations,
  sealedWebhook: arrangements,
  webhookTenant: observations,
  calendarFeed: arrangements,
  calendarToken: arrangements,
  calendarOwner: arrangements,
  optOut: refusals,
  keptEventContent: events,
  platformKeptEventContent: events,
  keptEvent: events,
  platformKeptEvent: events,
  contactMessage: visitors,
  operatorRequest: asked,
  listedRequest: asked,
};

/** The compiler requires `expiresAt` in these rows. */
const ending: Record<Ending, true> = {
  erasureRun: true,
  reservedSlots: true,
  officesOfNumber: true,
  session: true,
  throttle: true,
  tenantReportCount: true,
  platformReportCount: true,
  lockNotice: true,
  mailedToken: true,
  fhirToken: true,
  fhirCapability: true,
  fhirCircuit: true,
  toolRunCounts: true,
  oauthState: true,
  slotLock: true,
  identityAttempts: true,
  call: true,
  callState: true,
  toDo: true,
  callCode: true,
  callOffers: true,
  toolRun: true,
  liveCall: true,
  callOfNumber: true,
  idempotency: true,
  contactChanges: true,
  personLock: true,
  callRequests: true,
  counter: true,
  audit: true,
  platformAudit: true,
  feed: true,
  activeUser: true,
  archivedPosition: true,
  platformArchivedPosition: true,
  countedPosition: true,
  tenantExport: true,
  tenantAccessReport: true,
  platformAccessReport: true,
  platformExport: true,
  lead: true,
  task: true,
  proxy: true,
  proxiesOfPatient: true,
  leadsOfCall: true,
  unmailedContact: true,
  healthDay: true,
  healthIncident: true,
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

test("C06: every kind of row expires, or has a reason to be permanent", () => {
  const templates = Object.entries(keys).flatMap(([name, value]) => (typeof value === "function" && name !== "callKeyOf" ? [name] : []));
  expect(templates.toSorted()).toEqual([...Object.keys(lasting), ...Object.keys(ending)].toSorted());
});

test("C06: rows of calls, tools, leads, tasks and messages to patients expire", () => {
  for (const name of ["call", "toolRun", "callState", "idempotency", "lead", "task", "message", "outgoing", "delivery", "calendarEntry"])
    expect(ending).toHaveProperty(name);
});
