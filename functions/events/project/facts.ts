import { isDeepStrictEqual } from "node:util";
import { countsOfChain } from "@vitaline/audit";
import {
  countsForBill,
  countsOfCall,
  countsOfRouting,
  countsOfToolRun,
  dayRow,
  monthRow,
  rowsOf,
  totalRow,
  type CallOfToolRuns,
  type CountedCall,
  type Counts,
} from "@vitaline/calls";
import { Call, CallStatus, Id, RoutingOutcome, RoutingReason } from "@vitaline/contract";
import { keys, type ToolRunRow } from "@vitaline/store";
import * as z from "zod/mini";
import { factsOfAnyAudit, type AuditFacts } from "./audit-facts.ts";
import { newlyDue, type Due } from "./deliver-now.ts";
import type { StreamRecord } from "./event.ts";
import { messageOf, type MessageFact } from "./messages.ts";
import { reminderOf, type ReminderFact } from "./reminders.ts";
import { forgottenCall, liveChange, type LiveChange } from "./live-calls.ts";
import { sourceOf } from "./source.ts";
import { unmarshall } from "./unmarshall.ts";
import { announcedBy, endedCall, type Announced } from "./webhooks.ts";

/** What a change adds to one row of totals: of a tenant, or of the platform when there is none. */
export type Addition = { tenantId?: string; row: string; counts: Counts };
export type ToolRun = { tenantId: string; run: Omit<ToolRunRow, "expiresAt">; call: CallOfToolRuns };
export type Facts = {
  additions: Addition[];
  toolRun?: ToolRun;
  live?: LiveChange;
  audit?: AuditFacts;
  message?: MessageFact;
  reminder?: ReminderFact;
  /** For webhooks and calendars. */
  announced?: Announced;
  due?: Due;
};
/** A record's place in its shard, and what it says. */
export type Understood = { position: string; facts: Facts };

const instant = z.iso.datetime();
/** An office's id becomes part of a key, so it must be one of ours. */
const officeId = z.catch(z.optional(Id), undefined);

const CountedRow = z.object({
  startedAt: instant,
  status: CallStatus,
  forwarded: z.boolean(),
  success: z.optional(z.boolean()),
  durationSeconds: z.optional(z.number()),
  countedAt: z.optional(instant),
  officeId,
});

/** The audit row of a tool run, or of what was found out of one later. The tool's name becomes part of an attribute's name, so it must be a word. */
const RunAudit = z.object({
  id: z.string(),
  at: instant,
  action: z.string(),
  success: z.boolean(),
  code: z.optional(z.string()),
  requestId: z.string(),
  callKey: z.optional(z.string()),
  detail: z.object({
    tool: z.string().check(z.regex(/^\w{1,64}$/)),
    ms: z.number(),
    platform: Call.shape.platform,
    booked: z.optional(z.boolean()),
    /** Both are there when the run tells which way a call went. */
    reason: z.catch(z.optional(RoutingReason), undefined),
    outcome: z.catch(z.optional(RoutingOutcome), undefined),
    officeId,
  }),
});

const ChainRow = z.object({
  rows: z.number(),
  lastVerifiedAt: z.optional(z.string()),
  verifiedRows: z.optional(z.number()),
  intactRows: z.optional(z.number()),
});

type Image = Record<string, unknown>;
const none: Facts = { additions: [] };

/**
 * What a change of a row adds to the totals. Rows that can change (calls, the directories) add the difference between
 * what they counted before and what they count now, so a late word about a call corrects the totals by itself. An audit
 * row adds once, when it appears; a call that is deleted, or an audit row that expires, has still happened.
 * Throws when a row is not what its key says.
 */
export function factsOf({ eventName, userIdentity, dynamodb }: StreamRecord): Facts {
  const { Keys, OldImage, NewImage, ApproximateCreationDateTime: changedSeconds } = dynamodb;
  const source = sourceOf(Keys.pk.S, Keys.sk.S);
  if (!source) return none;
  const before = OldImage && unmarshall(OldImage);
  const after = NewImage && unmarshall(NewImage);
  const changedAt = changedSeconds === undefined ? undefined : new Date(changedSeconds * 1000).toISOString();
  switch (source.entity) {
    case "call":
      return after && !isOnlyKeptOtherwise(before, after)
        ? {
            additions: [
              ...(before ? negative(additionsOfCall(source.tenantId, before)) : []),
              ...additionsOfCall(source.tenantId, after),
              ...additionsToBill(source.tenantId, before, after, changedAt),
            ],
            live: liveChange(source.tenantId, before, after),
            announced: { events: [endedCall(source.tenantId, before, after)].filter((event) => event !== undefined), calendar: [] },
          }
        : none;
    case "delivery":
      return { additions: [], due: newlyDue(source.tenantId, before, after) };
    case "live":
      return before && !after && userIdentity ? { additions: [], live: forgottenCall(source.tenantId, before) } : none;
    case "audit":
      return after && eventName === "INSERT" ? factsOfAudit(source.tenantId, after) : none;
    case "activeUser":
      return eventName === "INSERT" ? { additions: [{ row: dayRow(source.date), counts: { activeUsers: 1 } }] } : none;
    case "chain":
      return onPlatform((row) => countsOfChain(z.parse(ChainRow, row)), before, after);
    case "inbox":
      return onPlatform(() => ({ keptEvents: 1 }), before, after);
    case "user":
      return onPlatform(countsOfUser, before, after);
    case "tenant":
      return onPlatform(countsOfTenant, before, after);
  }
}

/** Another period of retention changes nothing that is counted or told; a tenant's new one does so to all its calls. */
const isOnlyKeptOtherwise = (before: Image | undefined, after: Image): boolean => {
  if (before === undefined || before["expiresAt"] === after["expiresAt"]) return false;
  const { expiresAt, textsUntil } = after;
  return isDeepStrictEqual({ ...before, expiresAt, textsUntil }, { ...after, textsUntil });
};

const countsOfUser = ({ role, isActive, hasTotp }: Image): Counts => {
  const isAdmin = role === "system_admin" && isActive === true;
  return { totalUsers: 1, activeAdmins: Number(isAdmin), adminsWithTotp: Number(isAdmin && hasTotp === true) };
};
const countsOfTenant = (tenant: Image): Counts => ({ totalTenants: 1, activeTenants: Number(tenant["isActive"] === true) });

const onPlatform = (count: (row: Image) => Counts, before: Image | undefined, after: Image | undefined): Facts => ({
  additions: [
    ...(before ? negative([{ row: totalRow, counts: count(before) }]) : []),
    ...(after ? [{ row: totalRow, counts: count(after) }] : []),
  ],
});

const negative = (additions: Addition[]): Addition[] =>
  additions.map(({ counts, ...where }) => ({
    ...where,
    counts: Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, -value])),
  }));

const additionsOfCall = (tenantId: string, image: Image): Addition[] => {
  if (image["countedAt"] === undefined) return [];
  const call: CountedCall & { startedAt: string; officeId?: string } = z.parse(CountedRow, image);
  const counts = countsOfCall(call);
  const { totalCalls = 0, successfulCalls = 0 } = counts;
  return [...ofTenant(tenantId, call.startedAt, call.officeId, counts), { row: totalRow, counts: { totalCalls, successfulCalls } }];
};

/** A call is billed for the month in which its end became known; what corrects it, for the month in which that came. */
const additionsToBill = (tenantId: string, before: Image | undefined, after: Image, changedAt: string | undefined): Addition[] => {
  const countedAt = after["countedAt"];
  if (typeof countedAt !== "string") return [];
  const isCorrection = before?.["countedAt"] !== undefined;
  const row = monthRow((isCorrection ? changedAt : undefined) ?? countedAt);
  const bill = (image: Image): Addition => ({ tenantId, row, counts: countsForBill(countsOfCall(z.parse(CountedRow, image))) });
  return [...(isCorrection ? negative([bill(before)]) : []), bill(after)];
};

const ofTenant = (tenantId: string, at: string, office: string | undefined, counts: Counts): Addition[] =>
  rowsOf(at, office).map((row) => ({ tenantId, row, counts }));

/** A run in the test console is audited, and enters nothing else. */
const isTest = ({ detail }: Image): boolean => (detail as Image | undefined)?.["test"] === true;

const factsOfAudit = (tenantId: string | undefined, image: Image): Facts => {
  const audit = factsOfAnyAudit(image);
  if (tenantId === undefined) return { additions: audit.additions, audit };
  const { additions, toolRun } = factsOfRun(tenantId, image);
  return {
    additions: [...additions, ...audit.additions],
    toolRun,
    audit,
    message: messageOf(tenantId, image),
    reminder: isTest(image) ? undefined : reminderOf(tenantId, image),
    announced: announcedBy(tenantId, image),
  };
};

const factsOfRun = (tenantId: string, image: Image): Facts => {
  if (!String(image["action"]).startsWith("tool.") || isTest(image)) return none;
  const { id, at, action, success, code, requestId, callKey, detail } = z.parse(RunAudit, image);
  const { tool, ms, platform, officeId: office, booked = false, reason, outcome } = detail;
  const run = countsOfToolRun({ tool, success, booked });
  const { revenueEvents = 0 } = run;
  // A run of unknown outcome was counted when it ended; settling it later adds only what it has booked.
  const isRun = action === `tool.${tool}`;
  const routed = success && reason && outcome ? countsOfRouting({ reason, outcome }) : {};
  const counts = isRun ? { ...run, ...routed } : { revenueEvents };
  return {
    additions: [...ofTenant(tenantId, at, office, counts), { row: totalRow, counts: { revenueEvents } }],
    toolRun:
      callKey === undefined || !isRun
        ? undefined
        : {
            tenantId,
            run: { id, tool, at, ms, success, code, requestId, callKey, gsi1pk: keys.tenantPartitions.runs(tenantId), gsi1sk: id },
            call: { callKey, platform, officeId: office, firstRunAt: at, tools: [tool] },
          },
  };
};
