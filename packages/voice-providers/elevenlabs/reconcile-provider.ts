import type { CallEvent } from "@vitaline/calls";
import { allDone, errorFields, isAppError } from "@vitaline/core";
import { outboundFetch } from "@vitaline/outbound";
import { keys, type TenantContext } from "@vitaline/store";
import type { Connection } from "../agent-list.ts";
import { connectionTo } from "../provider-agents.ts";
import { getConversation, listConversations, type ListedConversation } from "./conversations.ts";
import { decodeCallEvent } from "./decode-call-event.ts";

/** Takes in what was said of a call. */
export type TakeCall = (ctx: TenantContext, event: CallEvent) => Promise<void>;
/** Called with the instant up to which all is recorded, as soon as there is a later one. */
export type Mark = (until: Date) => Promise<void>;

/** A conversation may appear in the list a little after it began. */
const overlapMs = 10 * 60_000;
/** What is not over by then, or cannot be read, is waited for no longer: no call lasts longer than a day. */
const waitedForMs = 25 * 3_600_000;
/** For one request and what is written after it. */
const neededMs = 8000;

const unfinished = new Set(["initiated", "in-progress", "processing"]);

/**
 * Records those conversations of a voice provider that have ended since `from` and that no webhook has told. The platform's
 * account may hold agents of others: a conversation is asked for only where its agent is assigned here. Stops where the time
 * is up; what it has marked as recorded stays so.
 * AppErrors of ListAgents, connectionTo and `take`.
 */
export async function reconcileProvider(ctx: TenantContext, providerId: string, from: Date, take: TakeCall, mark: Mark): Promise<void> {
  const connection = await connectionTo(ctx, providerId);
  const begunAt = ctx.clock();
  const after = new Date(from.getTime() - overlapMs);
  let held: string | undefined;
  let last = after.toISOString();
  let inOrder = true;
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    if (ctx.deadline.remainingMs() < neededMs) return;
    const { conversations, next } = await listConversations(connection, outboundFetch, { after, cursor });
    if (next !== undefined && next === cursor) return;
    for (const conversation of await missing(ctx, providerId, onceEach(conversations))) {
      if (ctx.deadline.remainingMs() < neededMs) return;
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
