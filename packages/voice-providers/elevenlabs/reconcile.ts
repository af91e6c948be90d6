import { allDone, deadlineIn, errorFields, isAppError, logWith } from "@vitaline/core";
import {
  allRows,
  keys,
  type ReconciledRow,
  type TenantContext,
  tenantStore,
  update,
  type VoiceProviderDirectoryRow,
} from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import type { CallEvent } from "@vitaline/calls";
import { outboundFetch } from "@vitaline/outbound";
import { type Connection, connectionTo } from "../transport/request.ts";
import { getConversation, listConversations, type ListedConversation } from "./api.ts";
import { decodeCallEvent } from "./call-events.ts";

const atOnce = 4;
/** One account's time in a run, so that those that are slow keep no other waiting. */
const perProviderMs = 45_000;
const neededMs = 10_000;
/** How far back a provider is asked that was never asked before, or not for long. */
const longestBackMs = 7 * 86_400_000;
/** Of a provider that is gone nothing stays behind. */
const keptSeconds = 30 * 86_400;

type Waiting = { provider: VoiceProviderDirectoryRow; known: ReconciledRow | undefined };

/**
 * Finds and records what no webhook has told: ElevenLabs sends each of its post-call webhooks once, and never again in
 * workspaces under HIPAA. Providers that waited longest come first, several side by side; one that fails keeps no other from
 * anything, and is asked again in the next run from where it stands.
 */
export async function reconcileElevenLabs(ctx: PlatformContext, take: TakeCall): Promise<void> {
  const [listed, reconciled] = await allDone([
    allRows<VoiceProviderDirectoryRow>(ctx.platform, keys.partitions.voice, { prefix: "PROVIDER#" }),
    allRows<ReconciledRow>(ctx.platform, keys.partitions.reconciled),
  ]);
  const knownById = new Map(reconciled.map((row) => [row.id, row]));
  const waiting = listed
    .filter(({ providerType, isActive }) => providerType === "elevenlabs" && isActive)
    .map((provider): Waiting => ({ provider, known: knownById.get(provider.id) }))
    .toSorted((a, b) => (a.known?.checkedAt ?? "").localeCompare(b.known?.checkedAt ?? ""));
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (ctx.deadline.remainingMs() < neededMs) return;
      await reconcileOne(ctx, next, take);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function reconcileOne(
  ctx: PlatformContext,
  { provider: { id, tenantId, createdAt }, known }: Waiting,
  take: TakeCall,
): Promise<void> {
  const { platform, ...own } = ctx;
  const log = logWith(ctx.log, { tenantId, providerId: id });
  const limited = { ...own, log, deadline: deadlineIn(Math.min(perProviderMs, ctx.deadline.remainingMs())) };
  const tenant = { ...limited, tenantId, store: tenantStore(limited, tenantId) };
  const now = ctx.clock();
  const note = async (change: Partial<ReconciledRow>): Promise<void> => {
    const expiresAt = Math.floor(now.getTime() / 1000) + keptSeconds;
    await platform.note(update(keys.reconciled(id), { set: { id, tenantId, checkedAt: now.toISOString(), expiresAt, ...change } }));
  };
  try {
    // First of all, so that one that ends the run does not begin the next.
    await note({});
    if (!(await tenant.store.get(keys.tenantConfig()))?.isActive) return;
    const from = Math.max(Date.parse(known?.until ?? createdAt), now.getTime() - longestBackMs);
    await reconcileProvider(tenant, id, new Date(from), take, (until) => note({ until: until.toISOString() }));
  } catch (error) {
    log("warn", "not reconciled", errorFields(error));
  }
}

/** Takes in what was said of a call. */
type TakeCall = (ctx: TenantContext, event: CallEvent) => Promise<void>;
/** Called with the instant up to which all is recorded, as soon as there is a later one. */
type Mark = (until: Date) => Promise<void>;

/** A conversation may appear in the list a little after it began. */
const overlapMs = 10 * 60_000;
/** What is not over by then, or cannot be read, is waited for no longer: no call lasts longer than a day. */
const waitedForMs = 25 * 3_600_000;
/** For one request and what is written after it. */
const takeCallNeededMs = 8000;

const unfinished = new Set(["initiated", "in-progress", "processing"]);

/**
 * Records those conversations of a voice provider that have ended since `from` and that no webhook has told. The platform's
 * account may hold agents of others: a conversation is asked for only where its agent is assigned here. Stops where the time
 * is up; what it has marked as recorded stays so.
 * AppErrors of ListAgents, connectionTo and `take`.
 */
async function reconcileProvider(ctx: TenantContext, providerId: string, from: Date, take: TakeCall, mark: Mark): Promise<void> {
  const connection = await connectionTo(ctx, providerId);
  const begunAt = ctx.clock();
  const after = new Date(from.getTime() - overlapMs);
  let held: string | undefined;
  let last = after.toISOString();
  let inOrder = true;
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    if (ctx.deadline.remainingMs() < takeCallNeededMs) return;
    const { conversations, next } = await listConversations(connection, outboundFetch, { after, cursor });
    if (next !== undefined && next === cursor) return;
    for (const conversation of await missing(ctx, providerId, onceEach(conversations))) {
      if (ctx.deadline.remainingMs() < takeCallNeededMs) return;
      const done = !unfinished.has(conversation.status) && (await fetchOne(ctx, connection, conversation, take));
      if (!done && isWaitedFor(begunAt, conversation)) held = earlier(held, conversation.startedAt);
    }
    for (const { startedAt } of conversations) {
      inOrder &&= startedAt >= last;
      last = startedAt;
    }
    // Behind a page of a list that is in no order there may be what began before.
    if (next === undefined) await mark(new Date(held ?? begunAt));
    else if (inOrder) await mark(new Date(held ?? Math.max(Date.parse(last), from.getTime())));
    cursor = next;
  }
}

const onceEach = (page: readonly ListedConversation[]): ListedConversation[] => [
  ...new Map(page.map((conversation) => [conversation.conversationId, conversation])).values(),
];

const earlier = (one: string | undefined, other: string): string => (one === undefined || other < one ? other : one);

const isWaitedFor = (now: Date, { startedAt }: ListedConversation): boolean => now.getTime() - Date.parse(startedAt) < waitedForMs;

/** Those of a page that are the tenant's and whose end nobody has told. Two reads at once. */
async function missing(ctx: TenantContext, providerId: string, page: readonly ListedConversation[]): Promise<ListedConversation[]> {
  if (page.length === 0) return [];
  const agentIds = [...new Set(page.map(({ agentId }) => agentId))];
  const [claims, calls] = await allDone([
    ctx.store.batchGet(agentIds.map((agentId) => keys.externalAgent("elevenlabs", agentId))),
    ctx.store.batchGet(page.map(({ conversationId }) => keys.call(keys.callKeyOf("elevenlabs", conversationId)))),
  ]);
  const ours = new Set(agentIds.filter((_, index) => claims[index]?.voiceProviderId === providerId));
  // Only who tells the end of a call gives a reason for it.
  return page.filter(
    ({ agentId }, index) => ours.has(agentId) && calls[index]?.endedReason === undefined && calls[index]?.erasedAt === undefined,
  );
}

/** Whether nothing is left to be done for it. */
async function fetchOne(
  ctx: TenantContext,
  connection: Connection,
  { conversationId }: ListedConversation,
  take: TakeCall,
): Promise<boolean> {
  const callKey = keys.callKeyOf("elevenlabs", conversationId);
  try {
    const event = decodeCallEvent(await getConversation(connection, outboundFetch, conversationId));
    // Another conversation than was asked for tells nothing of this one.
    if (event?.callId !== conversationId) return false;
    await take(ctx, event);
    ctx.log("info", "conversation recorded", { callKey });
    return true;
  } catch (error) {
    if (!isAppError(error, "voice_platform_invalid", "invalid_request")) throw error;
    ctx.log("warn", "conversation not read", { callKey, ...errorFields(error) });
    return false;
  }
}
