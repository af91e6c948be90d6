import { settleAll } from "@vitaline/core";
import { findOfficeByNumber } from "@vitaline/offices";
import {
  type AgentAssignmentRow,
  type CallStateRow,
  type IdempotencyRow,
  keys,
  type OfficeRow,
  type TenantRow,
  type VoiceProviderRow,
} from "@vitaline/store";
import { type Binding, guessBinding, cacheBinding, withoutExpiredBinding } from "../patient/binding.ts";
import type { ToolCall, ToolContext } from "../sdk/context.ts";

type Place = Pick<AgentAssignmentRow, "voiceProviderId" | "officeId">;
type PlaceRows = [provider: VoiceProviderRow | undefined, office?: OfficeRow];

/** The office of each agent's last call: a guess for the first read, always verified. */
const placeCache = new Map<string, Place>();
const maxCachedAgents = 5000;
const cachePlace = (agent: string, { voiceProviderId, officeId }: Place): void => {
  if (placeCache.size >= maxCachedAgents) placeCache.clear();
  placeCache.set(agent, { voiceProviderId, officeId });
};

const rowsOf = ({ voiceProviderId, officeId }: Place) => [
  keys.voiceProvider(voiceProviderId),
  ...(officeId === undefined ? [] : [keys.office(officeId)]),
];

export type LoadedCall = {
  tenant?: TenantRow;
  state?: CallStateRow;
  earlier?: IdempotencyRow;
  /** With the office of its agent or of the called number. */
  call: ToolCall;
  office?: OfficeRow | undefined;
  /** The assigned agent, its voice provider or its office is inactive. */
  isSwitchedOff: boolean;
};

/** undefined for a request that is not stored. */
type KeyFor = (bound: Binding | undefined) => string | undefined;

/**
 * Reads everything needed before a run in one trip; one more if the agent or the call's patient is not as cached, and one to find the
 * office by its number.
 */
export async function loadCall(
  ctx: ToolContext,
  call: ToolCall,
  { keyFor, scopes }: { keyFor: KeyFor; scopes: readonly string[] },
): Promise<LoadedCall> {
  const { agentId } = call;
  const agent = agentId === undefined ? "" : `${ctx.tenantId}/${call.platform}/${agentId}`;
  const guess = placeCache.get(agent);
  const guessedKey = keyFor(guessBinding(ctx.tenantId, call.callKey));
  const asked = [
    keys.tenantConfig(),
    keys.callState(call.callKey),
    ...(guessedKey === undefined ? [] : [keys.idempotency(guessedKey)]),
    ...(call.officeId === undefined ? [] : [keys.office(call.officeId)]),
    ...(agentId === undefined ? [] : [keys.agentAssignment(call.platform, agentId)]),
  ] as const;
  const [rows] = await settleAll([
    ctx.store.batchGet([...asked, ...(guess ? rowsOf(guess) : [])]),
    scopes.length === 0 ? undefined : ctx.prefetchEhr({ hint: call.officeId ?? placeOf(call), scopes }),
  ]);
  const [tenant, kept] = rows as [TenantRow | undefined, CallStateRow | undefined];
  const state = kept && withoutExpiredBinding(kept, ctx.clock().getTime());
  if (state) cacheBinding(ctx.tenantId, call.callKey, state);
  const requestKey = keyFor(state);
  const guessed = guessedKey === undefined ? undefined : (rows[2] as IdempotencyRow | undefined);
  const earlier =
    requestKey === undefined || requestKey === guessedKey ? guessed : await ctx.store.get<IdempotencyRow>(keys.idempotency(requestKey));
  const claim = agentId === undefined ? undefined : (rows[asked.length - 1] as AgentAssignmentRow | undefined);
  const named = call.officeId === undefined ? undefined : (rows[guessedKey === undefined ? 2 : 3] as OfficeRow | undefined);
  if (!claim) return { tenant, state, earlier, ...(await withOffice(ctx, call, named)), isSwitchedOff: false };

  const isAsGuessed = guess?.voiceProviderId === claim.voiceProviderId && guess.officeId === claim.officeId;
  const place = (isAsGuessed ? rows.slice(asked.length) : await ctx.store.batchGet(rowsOf(claim))) as PlaceRows;
  cachePlace(agent, claim);
  const isSwitchedOff = !claim.isActive || !place.every((row) => row?.isActive);
  return { tenant, state, earlier, ...(await withOffice(ctx, call, call.officeId === undefined ? place[1] : named)), isSwitchedOff };
}

/** Cache hint for calls without a known office. */
const placeOf = ({ agentId, calledNumber }: ToolCall): string => [agentId, calledNumber].filter((part) => part !== undefined).join("/");

type InOffice = Pick<LoadedCall, "call" | "office">;

async function withOffice(ctx: ToolContext, call: ToolCall, known: OfficeRow | undefined): Promise<InOffice> {
  const { calledNumber, officeId = known?.id } = call;
  if (officeId !== undefined || calledNumber === undefined) return { call: { ...call, officeId }, office: known };
  const office = await findOfficeByNumber(ctx, calledNumber);
  return { call: { ...call, officeId: office?.id }, office };
}
