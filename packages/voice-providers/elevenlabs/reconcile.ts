import type { CallEvent } from "@vitaline/calls";
import { awaitAllThenThrow, deadlineIn, errorFields, isAppError, logWith, dayMs } from "@vitaline/core";
import { outboundFetch } from "@vitaline/outbound";
import {
  allRows,
  keys,
  remove,
  tenantStore,
  update,
  type ReconciledRow,
  type TenantContext,
  type VoiceProviderDirectoryRow,
} from "@vitaline/store";
import type { ScopedContext } from "@vitaline/store/scoped.ts";
import { connectionTo, type Connection } from "../transport/request.ts";
import { getConversation, listConversations, type ListedConversation } from "./api.ts";
import { decodeCallEvent } from "./call-events.ts";

const parallelProviders = 4;
/** Limits a slow account, so that others get their turn. */
const perProviderMs = 45_000;
const neededMs = 10_000;
/** Limit for a provider that was not reconciled before, or not recently. */
const maxLookbackMs = 7 * dayMs;
/** Of the mark of a provider that is not reconciled any more. */
const retentionSeconds = 30 * 86_400;

/** `providerIds`: those of a share of the work. `shareOut` leaves providers to others, and returns those that stay. */
type Part = { providerIds?: readonly string[] | undefined; shareOut?: (ids: readonly string[]) => Promise<readonly string[]> };

type Waiting = { provider: VoiceProviderDirectoryRow; known: ReconciledRow | undefined };

/**
 * Records calls that no webhook reported: ElevenLabs sends a post-call webhook once, and never again in workspaces under HIPAA.
 * Providers that waited longest come first, four in parallel; a failed one continues in the next run where it stopped, and one that was
 * inactive where it was. Marks of deleted providers are removed.
 */
export async function reconcileElevenLabs(
  ctx: ScopedContext<"health" | "directory">,
  recordCall: RecordCall,
  { providerIds, shareOut = async (all) => all }: Part = {},
): Promise<void> {
  const [listed, reconciled] = await awaitAllThenThrow([
    allRows<VoiceProviderDirectoryRow>(ctx.platform, keys.partitions.voice, { prefix: "PROVIDER#" }),
    allRows<ReconciledRow>(ctx.platform, keys.partitions.reconciled),
  ]);
  if (providerIds === undefined) await removeMarks(ctx, listed, reconciled);
  const knownById = new Map(reconciled.map((row) => [row.id, row]));
  const all = listed
    .filter(({ id, providerType, isActive }) => providerType === "elevenlabs" && isActive && (providerIds?.includes(id) ?? true))
    .map((provider): Waiting => ({ provider, known: knownById.get(provider.id) }))
    .toSorted((a, b) => (a.known?.checkedAt ?? "").localeCompare(b.known?.checkedAt ?? ""));
  const here = new Set(providerIds ?? (await shareOut(all.map(({ provider }) => provider.id))));
  const waiting = all.filter(({ provider }) => here.has(provider.id));
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (ctx.deadline.remainingMs() < neededMs) return;
      await reconcileOne(ctx, next, recordCall);
    }
  };
  await Promise.all(Array.from({ length: parallelProviders }, work));
}

/** What cannot be removed now is removed by the next run. */
async function removeMarks(
  { platform, log }: ScopedContext<"health" | "directory">,
  listed: readonly VoiceProviderDirectoryRow[],
  reconciled: readonly ReconciledRow[],
): Promise<void> {
  const there = new Set(listed.map(({ id }) => id));
  for (const { id, checkedAt } of reconciled.filter((mark) => !there.has(mark.id)))
    await platform
      .writeUnaudited(remove(keys.reconciled(id), { equals: { checkedAt } }))
      .catch((error: unknown) => log("warn", "reconcile.mark_not_removed", { providerId: id, ...errorFields(error) }));
}

async function reconcileOne(
  ctx: ScopedContext<"health" | "directory">,
  { provider: { id, tenantId, createdAt }, known }: Waiting,
  recordCall: RecordCall,
): Promise<void> {
  const { platform, ...own } = ctx;
  const log = logWith(ctx.log, { tenantId, providerId: id });
  const limited = { ...own, log, deadline: deadlineIn(Math.min(perProviderMs, ctx.deadline.remainingMs())) };
  const tenant = { ...limited, tenantId, store: tenantStore(limited, tenantId) };
  const now = ctx.clock();
  const saveProgress = async (change: Partial<ReconciledRow>): Promise<void> => {
    const expiresAt = Math.floor(now.getTime() / 1000) + retentionSeconds;
    await platform.writeUnaudited(
      update(keys.reconciled(id), { set: { id, tenantId, checkedAt: now.toISOString(), expiresAt, ...change } }),
    );
  };
  try {
    // Written first, so that a provider that exhausts the run does not start the next one.
    await saveProgress({});
    if (!(await tenant.store.get(keys.tenantConfig()))?.isActive) return;
    const from = Math.max(Date.parse(known?.until ?? createdAt), now.getTime() - maxLookbackMs);
    await reconcileProvider(tenant, id, new Date(from), recordCall, (until) => saveProgress({ until: until.toISOString() }));
  } catch (error) {
    log("warn", "reconcile.failed", errorFields(error));
  }
}

type RecordCall = (ctx: TenantContext, event: CallEvent) => Promise<void>;
/** Called with the instant up to which all calls are recorded. */
type MarkRecorded = (until: Date) => Promise<void>;

/** A conversation may be listed some time after it started. */
const overlapMs = 10 * 60_000;
/** Older unfinished or unreadable conversations are given up: no call lasts longer than a day. */
const maxWaitMs = 25 * 3_600_000;
/** For one request and its writes. */
const neededPerCallMs = 8000;

const unfinished = new Set(["initiated", "in-progress", "processing"]);

/**
 * Records conversations that ended since `from` without a report. Only conversations of agents assigned here are requested. Stops
 * when the time is up, keeping its last mark. AppErrors of ListAgents, connectionTo and `recordCall`.
 */
async function reconcileProvider(
  ctx: TenantContext,
  providerId: string,
  from: Date,
  recordCall: RecordCall,
  markRecorded: MarkRecorded,
): Promise<void> {
  const connection = await connectionTo(ctx, providerId);
  const begunAt = ctx.clock();
  const after = new Date(from.getTime() - overlapMs);
  let oldestPending: string | undefined;
  let last = after.toISOString();
  let isSorted = true;
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    if (ctx.deadline.remainingMs() < neededPerCallMs) return;
    const { conversations, next } = await listConversations(connection, outboundFetch, { after, cursor });
    if (next !== undefined && next === cursor) return;
    for (const conversation of await unreportedConversations(ctx, providerId, withoutDuplicates(conversations))) {
      if (ctx.deadline.remainingMs() < neededPerCallMs) return;
      const isRecorded = !unfinished.has(conversation.status) && (await recordConversation(ctx, connection, conversation, recordCall));
      if (!isRecorded && isStillAwaited(begunAt, conversation)) oldestPending = earlier(oldestPending, conversation.startedAt);
    }
    for (const { startedAt } of conversations) {
      isSorted &&= startedAt >= last;
      last = startedAt;
    }
    // If the list is not sorted, a later page may hold earlier conversations.
    if (next === undefined) await markRecorded(new Date(oldestPending ?? begunAt));
    else if (isSorted) await markRecorded(new Date(oldestPending ?? Math.max(Date.parse(last), from.getTime())));
    cursor = next;
  }
}

const withoutDuplicates = (page: readonly ListedConversation[]): ListedConversation[] => [
  ...new Map(page.map((conversation) => [conversation.conversationId, conversation])).values(),
];

const earlier = (one: string | undefined, other: string): string => (one === undefined || other < one ? other : one);

const isStillAwaited = (now: Date, { startedAt }: ListedConversation): boolean => now.getTime() - Date.parse(startedAt) < maxWaitMs;

/** The tenant's conversations of a page that have no recorded end. Two batch reads. */
async function unreportedConversations(
  ctx: TenantContext,
  providerId: string,
  page: readonly ListedConversation[],
): Promise<ListedConversation[]> {
  if (page.length === 0) return [];
  const agentIds = [...new Set(page.map(({ agentId }) => agentId))];
  const [assignments, calls] = await awaitAllThenThrow([
    ctx.store.batchGet(agentIds.map((agentId) => keys.agentAssignment("elevenlabs", agentId))),
    ctx.store.batchGet(page.map(({ conversationId }) => keys.call(keys.callKeyOf("elevenlabs", conversationId)))),
  ]);
  const ours = new Set(agentIds.filter((_, index) => assignments[index]?.voiceProviderId === providerId));
  // Only the report of a call's end sets `endedReason`.
  return page.filter(
    ({ agentId }, index) => ours.has(agentId) && calls[index]?.endedReason === undefined && calls[index]?.erasedAt === undefined,
  );
}

/** False if the conversation has to be requested again. */
async function recordConversation(
  ctx: TenantContext,
  connection: Connection,
  { conversationId }: ListedConversation,
  recordCall: RecordCall,
): Promise<boolean> {
  const callKey = keys.callKeyOf("elevenlabs", conversationId);
  try {
    const event = decodeCallEvent(await getConversation(connection, outboundFetch, conversationId));
    if (event?.callId !== conversationId) return false;
    await recordCall(ctx, event);
    ctx.log("info", "conversation.recorded", { callKey });
    return true;
  } catch (error) {
    if (!isAppError(error, "voice_platform_invalid", "invalid_request")) throw error;
    ctx.log("warn", "conversation.unreadable", { callKey, ...errorFields(error) });
    return false;
  }
}
