import { countsOfChain } from "@vitaline/audit";
import { daySortKey, totalSortKey, type Counts } from "@vitaline/calls";
import { awaitAllThenThrow } from "@vitaline/core";
import { tenantTimeZone } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import { inTenant } from "../../lib/context/platform-context.ts";
import { unmarshall, type Image, type StreamRecord } from "../../lib/dynamodb-stream/stream-event.ts";
import { readAuditFacts, type AuditFacts } from "./projections/audit-feed.ts";
import { callNumberChange, type CallNumberChange } from "./projections/call-numbers.ts";
import { expiredLiveCall, liveCallChange, type LiveCallChange } from "./projections/live-calls.ts";
import { readMessage, type MessageFact } from "./projections/messages.ts";
import { readReminder, type ReminderFact } from "./projections/reminders.ts";
import { type EndedCall, isOfTestCall, isTestRun, readEndedCall, readToolRun, type ToolRun } from "./projections/tool-runs.ts";
import {
  readBusinessEvents,
  readCallEnd,
  readDueDelivery,
  readTaskChange,
  type BusinessEvents,
  type DueDelivery,
} from "./projections/webhooks.ts";
import {
  assignmentChange,
  callChange,
  failureChange,
  leadChange,
  recordSystemChange,
  noticesChange,
  taskChange,
  voicePlatformChange,
  switchChange,
  usageChange,
  webhookChange,
  type ToDoChange,
} from "./projections/to-do.ts";
import { rowKindOf } from "../../lib/dynamodb-stream/row-kind.ts";
import { type CountedTenant, negate, platformIncrement } from "./stats/counter-increments.ts";
import type { Increment } from "./stats/increment-exactly-once.ts";
import { callIncrements, isRetentionChange } from "./stats/call-increments.ts";

/** Everything that a change of a row means for the projections. */
export type RecordEffects = {
  increments: Increment[];
  toolRun?: ToolRun;
  endedCall?: EndedCall | undefined;
  liveCall?: LiveCallChange;
  callNumber?: CallNumberChange | undefined;
  audit?: AuditFacts;
  message?: MessageFact;
  reminder?: ReminderFact;
  businessEvents?: BusinessEvents;
  dueDelivery?: DueDelivery;
  toDo?: ToDoChange | undefined;
};

/** The time zones of the tenants whose calls and tool runs are counted. */
export type TimeZones = ReadonlyMap<string, string>;

const none: RecordEffects = { increments: [] };
const withZone = (tenantId: string, zones: TimeZones): CountedTenant => ({ tenantId, timeZone: zones.get(tenantId) ?? "UTC" });

export const timeZonesOf = async (ctx: PlatformContext, records: readonly StreamRecord[]): Promise<TimeZones> => {
  const tenantIds = [...new Set(records.map(countedTenantOf).filter((id) => id !== undefined))];
  return new Map(await awaitAllThenThrow(tenantIds.map(async (id) => [id, await tenantTimeZone(inTenant(ctx, id))] as const)));
};

/** The tenant whose day a record counts into; undefined for a record that counts into no tenant's day. */
function countedTenantOf({ dynamodb: { Keys, NewImage } }: StreamRecord): string | undefined {
  const kind = rowKindOf(Keys.pk.S, Keys.sk.S);
  if (kind?.entity === "call") return NewImage?.["endSeenAt"] === undefined ? undefined : kind.tenantId;
  const action = kind?.entity === "audit" ? (NewImage?.["action"] as { S?: unknown } | undefined)?.S : undefined;
  return kind?.entity === "audit" && String(action).startsWith("tool.") ? kind.tenantId : undefined;
}

/**
 * Reads a stream record. Rows that can change (calls, directories) add the difference between their old and their new counts.
 * An audit row counts once, on insert; deleted calls and expired audit rows stay counted. Throws when a row does not match its key.
 */
export function readEffects({ eventName, userIdentity, dynamodb }: StreamRecord, zones: TimeZones): RecordEffects {
  const { Keys, OldImage, NewImage, ApproximateCreationDateTime: changedSeconds } = dynamodb;
  const kind = rowKindOf(Keys.pk.S, Keys.sk.S);
  if (!kind) return none;
  const before = OldImage && unmarshall(OldImage);
  const after = NewImage && unmarshall(NewImage);
  const changedAt = changedSeconds === undefined ? undefined : new Date(changedSeconds * 1000).toISOString();
  switch (kind.entity) {
    case "call":
      // DynamoDB deletes the item of an expired call as well.
      return {
        ...(after ? readCall(withZone(kind.tenantId, zones), before, after, changedAt) : none),
        toDo: userIdentity || after?.["isTest"] ? undefined : callChange(kind.tenantId, before, after),
      };
    case "task": {
      const changed = readTaskChange(kind.tenantId, before, after, changedAt);
      return {
        increments: [],
        toDo: taskChange(kind.tenantId, before, after),
        ...(changed ? { businessEvents: { events: [changed], calendar: [] } } : {}),
      };
    }
    case "lead":
      return { increments: [], toDo: leadChange(kind.tenantId, before, after) };
    case "webhook":
      return { increments: [], toDo: webhookChange(kind.tenantId, before, after, changedAt) };
    case "notices":
      return { increments: [], toDo: noticesChange(kind.tenantId, before, after) };
    case "fhirHealth":
      return { increments: [], toDo: recordSystemChange(kind.providerId, before, after) };
    case "fhirProvider":
      return { increments: [], toDo: switchChange(kind.providerId, before, after, changedAt) };
    case "fhirUsedBy":
      return { increments: [], toDo: usageChange(kind, before, after, changedAt) };
    case "voiceHealth":
      return { increments: [], toDo: voicePlatformChange(before, after, changedAt) };
    case "delivery":
      return { increments: [], dueDelivery: readDueDelivery(kind.tenantId, before, after) };
    case "live":
      return before && !after && userIdentity ? { increments: [], liveCall: expiredLiveCall(kind.tenantId, before) } : none;
    case "audit":
      return after && eventName === "INSERT" ? readAudit(kind.tenantId, after, zones) : none;
    case "activeUser":
      return eventName === "INSERT" ? { increments: [platformIncrement(daySortKey(kind.date), { activeUsers: 1 })] } : none;
    case "chain":
      return platformTotals((row) => countsOfChain(z.parse(ChainRow, row)), before, after);
    case "keptEventContent":
      return platformTotals(() => ({ keptEvents: 1 }), before, after);
    case "user":
      return platformTotals(countsOfUser, before, after);
    case "tenant":
      return {
        ...platformTotals(countsOfTenant, before, after),
        toDo: assignmentChange(kind.tenantId, before, after, changedAt),
      };
    case "office":
      return { increments: [], toDo: assignmentChange(kind.tenantId, before, after, changedAt) };
  }
}

/** What a row says now, of a record that is read late: other records may have said more of it meanwhile. */
export function effectsOfRowNow(
  { dynamodb: { Keys, ApproximateCreationDateTime: seconds = 0 } }: StreamRecord,
  row: Image | undefined,
): Pick<RecordEffects, "toDo" | "callNumber"> {
  const kind = rowKindOf(Keys.pk.S, Keys.sk.S);
  if (!row || !kind) return {};
  const at = new Date(seconds * 1000).toISOString();
  const { entity } = kind;
  if (entity === "call")
    return row["isTest"]
      ? {}
      : { toDo: callChange(kind.tenantId, undefined, row), callNumber: callNumberChange(kind.tenantId, undefined, row) };
  if (entity === "task") return { toDo: taskChange(kind.tenantId, undefined, row) };
  if (entity === "lead") return { toDo: leadChange(kind.tenantId, undefined, row) };
  if (entity === "webhook") return { toDo: webhookChange(kind.tenantId, undefined, row, at) };
  return entity === "voiceHealth" ? { toDo: voicePlatformChange(undefined, row, at) } : {};
}

const readCall = (tenant: CountedTenant, before: Image | undefined, after: Image, changedAt: string | undefined): RecordEffects => {
  const { tenantId } = tenant;
  const callNumber = callNumberChange(tenantId, before, after);
  if (isRetentionChange(before, after)) return { increments: [], callNumber };
  const endedCall = readEndedCall(tenantId, before, after);
  if (after["isTest"]) return { increments: [], liveCall: liveCallChange(tenantId, before, after), endedCall };
  const ended = readCallEnd(tenantId, before, after);
  return {
    callNumber,
    endedCall,
    increments: callIncrements(tenant, before, after, changedAt),
    liveCall: liveCallChange(tenantId, before, after),
    businessEvents: { events: ended ? [ended] : [], calendar: [] },
  };
};

const readAudit = (tenantId: string | undefined, image: Image, zones: TimeZones): RecordEffects => {
  const audit = readAuditFacts(image);
  if (tenantId === undefined) return { increments: audit.increments, audit };
  const { increments, toolRun, failedAt } = readToolRun(withZone(tenantId, zones), image);
  return {
    increments: [...increments, ...audit.increments],
    toolRun,
    toDo: failedAt === undefined ? undefined : failureChange(tenantId, failedAt),
    audit,
    message: readMessage(tenantId, image),
    reminder: isTestRun(image) || isOfTestCall(image) ? undefined : readReminder(tenantId, image),
    businessEvents: readBusinessEvents(tenantId, image),
  };
};

const ChainRow = z.object({
  rows: z.number(),
  lastVerifiedAt: z.optional(z.string()),
  verifiedRows: z.optional(z.number()),
  intactRows: z.optional(z.number()),
});

const countsOfUser = ({ role, isActive, hasTotp }: Image): Counts => {
  const isAdmin = role === "system_admin" && isActive === true;
  return { totalUsers: 1, activeAdmins: Number(isAdmin), adminsWithTotp: Number(isAdmin && hasTotp === true) };
};
const countsOfTenant = (tenant: Image): Counts => ({ totalTenants: 1, activeTenants: Number(tenant["isActive"] === true) });

const platformTotals = (count: (row: Image) => Counts, before: Image | undefined, after: Image | undefined): RecordEffects => ({
  increments: [
    ...(before ? negate([platformIncrement(totalSortKey, count(before))]) : []),
    ...(after ? [platformIncrement(totalSortKey, count(after))] : []),
  ],
});
