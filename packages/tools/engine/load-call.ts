import { allDone } from "@vitaline/core";
import { findOfficeByNumber } from "@vitaline/offices";
import {
  type CallStateRow,
  type ExternalAgentRow,
  type IdempotencyRow,
  keys,
  type OfficeRow,
  type TenantRow,
  type VoiceProviderRow,
} from "@vitaline/store";
import { type Bound, guessBound, rememberBound, withoutEnded } from "../patient/binding.ts";
import type { ToolCall, ToolContext } from "../sdk/context.ts";

type Place = Pick<ExternalAgentRow, "voiceProviderId" | "officeId">;
type PlaceRows = [provider: VoiceProviderRow | undefined, office?: OfficeRow];

/** For whom an agent answered when it last called here: only a guess of what to read in the first trip, and never believed. */
const usual = new Map<string, Place>();
const mostAgents = 5000;
const remember = (agent: string, { voiceProviderId, officeId }: Place): void => {
  if (usual.size >= mostAgents) usual.clear();
  usual.set(agent, { voiceProviderId, officeId });
};

const rowsOf = ({ voiceProviderId, officeId }: Place) => [
  keys.voiceProvider(voiceProviderId),
  ...(officeId === undefined ? [] : [keys.office(officeId)]),
];

export type About = {
  tenant?: TenantRow;
  state?: CallStateRow;
  earlier?: IdempotencyRow;
  /** With the office that its agent answers for, or whose number was called. */
  call: ToolCall;
  office?: OfficeRow | undefined;
  /** The agent was assigned here and is not any more to answer: it, its voice provider or its office is inactive. */
  isSwitchedOff: boolean;
};

/** Under which key a request is kept, in a call that is bound to this patient; none for one that is not kept. */
type KeyFor = (bound: Bound | undefined) => string | undefined;

/**
 * All that is known before a tool runs, in one trip; in two when an agent calls from elsewhere than it last did, or a call was bound
 * elsewhere; one more where the called number alone can say which office it is.
 */
export async function readAbout(
  ctx: ToolContext,
  call: ToolCall,
  { keyFor, scopes }: { keyFor: KeyFor; scopes: readonly string[] },
): Promise<About> {
  const { agentId } = call;
  const agent = agentId === undefined ? "" : `${ctx.tenantId}/${call.platform}/${agentId}`;
  const guess = usual.get(agent);
  const guessedKey = keyFor(guessBound(ctx.tenantId, call.callKey));
  const asked = [
    keys.tenantConfig(),
    keys.callState(call.callKey),
    ...(guessedKey === undefined ? [] : [keys.idempotency(guessedKey)]),
    ...(call.officeId === undefined ? [] : [keys.office(call.officeId)]),
    ...(agentId === undefined ? [] : [keys.externalAgent(call.platform, agentId)]),
  ] as const;
  const [rows] = await allDone([
    ctx.store.batchGet([...asked, ...(guess ? rowsOf(guess) : [])]),
    scopes.length === 0 ? undefined : ctx.foreseeEhr({ hint: call.officeId ?? placeOf(call), scopes }),
  ]);
  const [tenant, kept] = rows as [TenantRow | undefined, CallStateRow | undefined];
  const state = kept && withoutEnded(kept, ctx.clock().getTime());
  if (state) rememberBound(ctx.tenantId, call.callKey, state);
  const requestKey = keyFor(state);
  const guessed = guessedKey === undefined ? undefined : (rows[2] as IdempotencyRow | undefined);
  const earlier =
    requestKey === undefined || requestKey === guessedKey ? guessed : await ctx.store.get<IdempotencyRow>(keys.idempotency(requestKey));
  const claim = agentId === undefined ? undefined : (rows[asked.length - 1] as ExternalAgentRow | undefined);
  const named = call.officeId === undefined ? undefined : (rows[guessedKey === undefined ? 2 : 3] as OfficeRow | undefined);
  if (!claim) return { tenant, state, earlier, ...(await inOffice(ctx, call, named)), isSwitchedOff: false };

  const isAsGuessed = guess?.voiceProviderId === claim.voiceProviderId && guess.officeId === claim.officeId;
  const place = (isAsGuessed ? rows.slice(asked.length) : await ctx.store.batchGet(rowsOf(claim))) as PlaceRows;
  remember(agent, claim);
  const isSwitchedOff = !claim.isActive || !place.every((row) => row?.isActive);
  return { tenant, state, earlier, ...(await inOffice(ctx, call, call.officeId === undefined ? place[1] : named)), isSwitchedOff };
}

/** Where no office is known yet, the same agent at the same number mostly answers for the same one. */
const placeOf = ({ agentId, calledNumber }: ToolCall): string => [agentId, calledNumber].filter((part) => part !== undefined).join("/");

type InOffice = Pick<About, "call" | "office">;

/** In the office that is known already, else in the one whose number was called. */
async function inOffice(ctx: ToolContext, call: ToolCall, known: OfficeRow | undefined): Promise<InOffice> {
  const { calledNumber, officeId = known?.id } = call;
  if (officeId !== undefined || calledNumber === undefined) return { call: { ...call, officeId }, office: known };
  const office = await findOfficeByNumber(ctx, calledNumber);
  return { call: { ...call, officeId: office?.id }, office };
}
