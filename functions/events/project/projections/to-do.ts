import { CallStatus, Id, LeadReason, TaskFinding, TaskKind } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import { keys, remove, rowsOf, schedule, toDoIdOfCall, type FhirUsedByRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import {
  checkAfter,
  projectState,
  spreadCheck,
  stateOfCall,
  stateOfConnection,
  stateOfLead,
  stateOfTask,
  troubleCheck,
  type ConnectionFacts,
  type SourceState,
} from "@vitaline/tasks";
import * as z from "zod/mini";
import { inTenant } from "../../../lib/context/platform-context.ts";
import type { Image } from "../../../lib/dynamodb-stream/stream-event.ts";

/** What a changed row means for the clinic's list of work. */
export type ToDoChange =
  | { kind: "state"; tenantId: string; state: SourceState }
  | { kind: "removed"; tenantId: string; id: string }
  | { kind: "daily"; tenantId: string; userId: string; dueAt: string }
  /** The tenant, or an office of it, no longer uses a record system. */
  | { kind: "unused"; tenantId: string; connection: ConnectionFacts }
  /** A record system may be in trouble or no longer: for this tenant, else for all that use it. `hasFailed`: as its checks said then. */
  | { kind: "recheck"; connectionId: string; at: string; hasFailed?: boolean; tenantId?: string }
  /** The tenant may be in trouble, or no longer. */
  | { kind: "check"; tenantId: string; dueAt: string };

const officeId = z.catch(z.optional(Id), undefined);
const Task = z.object({
  ...{ id: Id, at: z.iso.datetime(), kind: TaskKind, topic: z.optional(z.string()), callKey: z.optional(z.string()), officeId },
  ...{ dueAt: z.iso.datetime(), finding: z.optional(TaskFinding), closedAt: z.optional(z.iso.datetime()), version: z.number() },
  expiresAt: z.number(),
});
const Lead = z.object({
  ...{ id: Id, at: z.iso.datetime(), reason: LeadReason, callKey: z.optional(z.string()), officeId },
  ...{ handledAt: z.optional(z.iso.datetime()), version: z.optional(z.number()), expiresAt: z.number() },
});

export const taskChange = (tenantId: string, before: Image | undefined, after: Image | undefined): ToDoChange | undefined =>
  after ? { kind: "state", tenantId, state: stateOfTask(z.parse(Task, after)) } : removal(tenantId, before?.["id"]);
export const leadChange = (tenantId: string, before: Image | undefined, after: Image | undefined): ToDoChange | undefined =>
  after ? { kind: "state", tenantId, state: stateOfLead(z.parse(Lead, after)) } : removal(tenantId, before?.["id"]);

const removal = (tenantId: string, id: unknown): ToDoChange | undefined =>
  typeof id === "string" ? { kind: "removed", tenantId, id } : undefined;

const flag = z.optional(z.boolean());
const EndedCall = z.object({
  ...{ callKey: z.string(), startedAt: z.iso.datetime(), endSeenAt: z.iso.datetime(), rank: z.number(), status: CallStatus, officeId },
  ...{ forwarded: z.boolean(), success: flag, statedResolved: flag, helped: flag, soughtStaff: flag, cutShort: flag, hasSignals: flag },
  ...{ followUp: z.optional(z.object({ doneAt: z.iso.datetime(), doneBy: z.string() })), version: z.optional(z.number()) },
  ...{ erasedAt: z.optional(z.string()), expiresAt: z.number() },
});

export function callChange(tenantId: string, before: Image | undefined, after: Image | undefined): ToDoChange | undefined {
  const { data: earlier } = z.safeParse(EndedCall, before);
  const wasOpen = earlier !== undefined && earlier.erasedAt === undefined && stateOfCall(earlier) !== undefined;
  if (!after || after["erasedAt"] !== undefined) return wasOpen ? removal(tenantId, toDoIdOfCall(earlier)) : undefined;
  const { data: call } = z.safeParse(EndedCall, after);
  const state = call && stateOfCall(call, wasOpen);
  return state && { kind: "state", tenantId, state };
}

/** A failed check may be chance; the second in a row is not. */
const failuresOfTrouble = 2;
const FhirHealth = z.object({ checkedAt: z.iso.datetime(), history: z.array(z.tuple([z.number(), z.boolean(), z.number()])) });
const hasFailedTwice = (image: Image | undefined): boolean => {
  const { data } = z.safeParse(FhirHealth, image);
  const last = data?.history.slice(-failuresOfTrouble) ?? [];
  return last.length === failuresOfTrouble && last.every(([, isHealthy]) => !isHealthy);
};

export function recordSystemChange(connectionId: string, before: Image | undefined, after: Image | undefined): ToDoChange | undefined {
  const hasFailed = hasFailedTwice(after);
  if (!after || hasFailed === hasFailedTwice(before)) return undefined;
  return { kind: "recheck", connectionId, at: z.parse(FhirHealth, after).checkedAt, hasFailed };
}

/** A record system that is switched off is not checked. `changedAt`: when the row changed, as below. */
export const switchChange = (
  connectionId: string,
  before: Image | undefined,
  after: Image | undefined,
  changedAt: string | undefined,
): ToDoChange | undefined =>
  !before || !after || changedAt === undefined || before["isActive"] === after["isActive"]
    ? undefined
    : { kind: "recheck", connectionId, at: changedAt };

/** The tenant, or an office of it, begins or ceases to use a record system. */
export function usageChange(
  { tenantId, providerId: connectionId }: { tenantId: string; providerId: string },
  before: Image | undefined,
  after: Image | undefined,
  changedAt: string | undefined,
): ToDoChange | undefined {
  if (changedAt === undefined || (before && after)) return undefined;
  return after
    ? { kind: "recheck", connectionId, at: changedAt, tenantId }
    : { kind: "unused", tenantId, connection: { topic: "record_system", connectionId, at: changedAt, isWell: true } };
}

/** The tenant or an office may have gained a record system, which is seen at once, or lost it. `changedAt`: when the row changed. */
export function assignmentChange(
  tenantId: string,
  before: Image | undefined,
  after: Image | undefined,
  changedAt: string | undefined,
): ToDoChange | undefined {
  if (!after || changedAt === undefined) return undefined;
  if (["isActive", "fhirProviderId"].every((name) => before?.[name] === after[name])) return undefined;
  const isGain = after["fhirProviderId"] !== undefined;
  return { kind: "check", tenantId, dueAt: isGain ? changedAt : checkAfter(changedAt) };
}

/** A tool of the tenant has failed. */
export const failureChange = (tenantId: string, at: string): ToDoChange => ({ kind: "check", tenantId, dueAt: checkAfter(at) });

const VoiceHealth = z.object({ id: Id, tenantId: Id, status: z.enum(["healthy", "warning", "error"]), checkedAt: z.iso.datetime() });

/** A rate limit is no trouble, nor is a result that was removed: the platform is off, or gone. `changedAt`: when the row changed. */
export function voicePlatformChange(
  before: Image | undefined,
  after: Image | undefined,
  changedAt: string | undefined,
): ToDoChange | undefined {
  const isWell = after?.["status"] !== "error";
  if (isWell === (before?.["status"] !== "error")) return undefined;
  const { id: connectionId, tenantId, checkedAt } = z.parse(VoiceHealth, after ?? before);
  const at = after ? checkedAt : (changedAt ?? checkedAt);
  return { kind: "state", tenantId, state: stateOfConnection({ topic: "voice_platform", connectionId, at, isWell }) };
}

/** `changedAt`: when the row changed. */
export function webhookChange(
  tenantId: string,
  before: Image | undefined,
  after: Image | undefined,
  changedAt: string | undefined,
): ToDoChange | undefined {
  const isWell = after?.["disabledReason"] === undefined;
  const { data: connectionId } = z.safeParse(Id, (after ?? before)?.["id"]);
  if (connectionId === undefined || changedAt === undefined || isWell === (before?.["disabledReason"] === undefined)) return undefined;
  return { kind: "state", tenantId, state: stateOfConnection({ topic: "webhook", connectionId, at: changedAt, isWell }) };
}

const Daily = z.object({ userId: Id, nextDailyAt: z.iso.datetime() });

/** A person's next daily mail. */
export function noticesChange(tenantId: string, before: Image | undefined, after: Image | undefined): ToDoChange | undefined {
  const { data } = z.safeParse(Daily, after);
  if (!data || data.nextDailyAt === before?.["nextDailyAt"]) return undefined;
  return { kind: "daily", tenantId, userId: data.userId, dueAt: data.nextDailyAt };
}

/** A record system that all tenants share has to be done within the function's time, or its shard stops. */
const parallelTenants = 25;

/** Repeatable: an item has the id of its source, and an older state changes nothing. One write each, mostly. */
export async function projectToDo(ctx: PlatformContext, changes: readonly ToDoChange[]): Promise<void> {
  await scheduleChecks(ctx, changes);
  for (const change of changes)
    if (change.kind === "removed") await ctx.platform.inTenant(change.tenantId).writeUnaudited(remove(keys.toDo(change.id)));
    else if (change.kind === "daily") await scheduleMail(ctx, change.tenantId, "daily", change.userId, change.dueAt);
    else if (change.kind === "state") {
      const { state, tenantId } = change;
      await writeState(ctx, tenantId, state);
      if (state.kind === "emergency" && state.doneAt === undefined) await scheduleMail(ctx, tenantId, "emergency", state.id, state.at);
    } else if (change.kind === "unused") {
      const { tenantId, connection } = change;
      if (!(await isUsedBy(ctx, tenantId, connection.connectionId))) await writeState(ctx, tenantId, stateOfConnection(connection));
    } else if (change.kind === "recheck") {
      const { connectionId, at, tenantId } = change;
      const isWell = !(await isInTrouble(ctx, change));
      const state = stateOfConnection({ topic: "record_system", connectionId, at, isWell });
      const tenants = tenantId === undefined ? [...(await tenantsOf(ctx, connectionId))] : [tenantId];
      const waiting = tenants.entries();
      const isSwitched = tenantId === undefined && change.hasFailed === undefined;
      const work = async (): Promise<void> => {
        for (const [position, one] of waiting) {
          if (isWell || !(await isOpen(ctx, one, state.id))) await writeState(ctx, one, state);
          if (isSwitched) await scheduleCheck(ctx, one, spreadCheck(at, position));
        }
      };
      await awaitAllThenThrow(Array.from({ length: parallelTenants }, work));
    }
}

const writeState = (ctx: PlatformContext, tenantId: string, state: SourceState): Promise<void> =>
  projectState(inTenant(ctx, tenantId).store, state);

/** Many failures of a tenant are one check. */
async function scheduleChecks(ctx: PlatformContext, changes: readonly ToDoChange[]): Promise<void> {
  const checks = new Map(changes.flatMap((change) => (change.kind === "check" ? [[`${change.tenantId} ${change.dueAt}`, change]] : [])));
  for (const { tenantId, dueAt } of checks.values()) await scheduleCheck(ctx, tenantId, dueAt);
}

const scheduleCheck = (ctx: PlatformContext, tenantId: string, dueAt: string) =>
  ctx.platform.inTenant(tenantId).writeUnaudited(troubleCheck(tenantId, dueAt));

const mailDueSeconds = 7 * 86_400;
/** events/retry knows to whom a mail has been sent, so a repeated row sends nothing twice. */
const scheduleMail = (ctx: PlatformContext, tenantId: string, kind: "emergency" | "daily", id: string, dueAt: string) =>
  ctx.platform
    .inTenant(tenantId)
    .writeUnaudited(schedule({ kind, tenantId, id, dueAt, expiresAt: Math.floor(Date.parse(dueAt) / 1000) + mailDueSeconds }));

const isInTrouble = async (ctx: PlatformContext, change: { connectionId: string; hasFailed?: boolean }): Promise<boolean> => {
  const { connectionId } = change;
  const [provider, health] = await ctx.platform.batchGet([keys.fhirProvider(connectionId), keys.fhirHealth(connectionId)]);
  return provider?.isActive !== false && (change.hasFailed ?? hasFailedTwice(health));
};

const isOpen = async (ctx: PlatformContext, tenantId: string, id: string): Promise<boolean> => {
  const item = await ctx.platform.inTenant(tenantId).get(keys.toDo(id));
  return item !== undefined && item.doneAt === undefined;
};

const isUsedBy = async (ctx: PlatformContext, tenantId: string, connectionId: string): Promise<boolean> => {
  const range = { prefix: `USEDBY#${tenantId}#`, limit: 1 };
  return (await ctx.platform.query(keys.partitions.fhirConnection(connectionId), range)).rows.length > 0;
};

/** Those whose organization or an office uses the connection. */
async function tenantsOf(ctx: PlatformContext, connectionId: string): Promise<ReadonlySet<string>> {
  const tenants = new Set<string>();
  const range = { prefix: "USEDBY#" };
  for await (const { tenantId } of rowsOf<FhirUsedByRow>(ctx.platform, keys.partitions.fhirConnection(connectionId), range))
    tenants.add(tenantId);
  return tenants;
}
