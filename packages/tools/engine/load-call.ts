import { awaitAllThenThrow, errorFields } from "@vitaline/core";
import { findOfficeIdByNumber, officeNumberKeys, type OfficeNumberRows, officeWithNumber } from "@vitaline/offices";
import {
  type AgentAssignmentRow,
  type CallStateRow,
  type IdempotencyRow,
  keys,
  type OfficeRow,
  type TenantLoadRow,
  type TenantRow,
  type VoiceProviderRow,
} from "@vitaline/store";
import type { TenantKey } from "@vitaline/store/keys.ts";
import { type CallPatient, cachedCallPatient, cacheCallPatient, withoutExpiredVerification } from "../patient/call-patient.ts";
import type { ToolCall, ToolContext } from "../sdk/context.ts";
import type { Language } from "@vitaline/contract";
import { parseArguments } from "../sdk/arguments.ts";
import { callLanguage, requestLanguage } from "./run/call-language.ts";

type CachedAssignment = Pick<AgentAssignmentRow, "voiceProviderId" | "officeId">;
type AssignmentRows = [provider: VoiceProviderRow | undefined, office?: OfficeRow];

/** The assignment found in each agent's last call, so that the first read can include its rows; the read verifies it. */
const assignmentCache = new Map<string, CachedAssignment>();
const maxCachedAgents = 5000;
const cacheAssignment = (agent: string, { voiceProviderId, officeId }: CachedAssignment): void => {
  if (assignmentCache.size >= maxCachedAgents) assignmentCache.clear();
  assignmentCache.set(agent, { voiceProviderId, officeId });
};

/** The office found by each called number last, so that the first read can include its row; the read verifies it. */
const numberCache = new Map<string, string>();

const assignmentKeys = ({ voiceProviderId, officeId }: CachedAssignment) => [
  keys.voiceProvider(voiceProviderId),
  ...(officeId === undefined ? [] : [keys.office(officeId)]),
];

export type LoadedCall = {
  tenant?: TenantRow;
  load?: TenantLoadRow;
  state?: CallStateRow;
  requestRow?: IdempotencyRow;
  /** With the office of its agent or of the called number. */
  call: ToolCall;
  office?: OfficeRow | undefined;
  /** The assigned agent, its voice provider or its office is inactive. */
  isSwitchedOff: boolean;
};

/** undefined for a tool whose requests are not recorded. */
type RequestKeyFor = (patient: CallPatient | undefined) => string | undefined;

/**
 * Reads everything needed before a run in one trip; one more if the agent or the call's patient is not as cached, and two the first
 * time that an office is found by its number.
 */
export async function loadCall(
  ctx: ToolContext,
  received: ToolCall,
  { requestKeyFor, scopes }: { requestKeyFor: RequestKeyFor; scopes: readonly string[] },
): Promise<LoadedCall> {
  const { agentId } = received;
  const agentKey = agentId === undefined ? "" : `${ctx.tenantId}/${received.platform}/${agentId}`;
  const cachedLocation = assignmentCache.get(agentKey);
  const guessedRequestKey = requestKeyFor(cachedCallPatient(ctx.tenantId, received.callKey));
  const tenantKey = keys.tenantConfig();
  const loadKey = keys.tenantLoad();
  const stateKey = keys.callState(received.callKey);
  const guessedKey = guessedRequestKey === undefined ? undefined : keys.idempotency(guessedRequestKey);
  const officeKey = received.officeId === undefined ? undefined : keys.office(received.officeId);
  const assignmentKey = agentId === undefined ? undefined : keys.agentAssignment(received.platform, agentId);
  const { calledNumber } = received;
  // The state of a test call ends before the call's row does.
  const testKey = received.callId.startsWith(keys.testCallPrefix) ? keys.call(received.callKey) : undefined;
  const numberKeys = received.officeId !== undefined || calledNumber === undefined ? undefined : await officeNumberKeys(calledNumber);
  const guessedOfficeId = numberKeys && numberCache.get(`${ctx.tenantId}/${calledNumber}`);
  const guessedOfficeKey = guessedOfficeId === undefined ? undefined : keys.office(guessedOfficeId);
  const wanted: TenantKey<unknown>[] = [
    ...[tenantKey, loadKey, stateKey, guessedKey, officeKey, assignmentKey],
    ...[...(numberKeys ?? []), guessedOfficeKey, testKey],
  ].filter((key) => key !== undefined);
  const [rows] = await awaitAllThenThrow([
    ctx.store.batchGet([...wanted, ...(cachedLocation ? assignmentKeys(cachedLocation) : [])]),
    scopes.length === 0 ? undefined : ctx.prefetchEhr({ hint: received.officeId ?? prefetchHint(received), scopes }),
  ]);
  /** A row has the type of its key. */
  const rowOf = <Row>(key: (TenantKey<unknown> & { row?: Row }) | undefined): Row | undefined =>
    key && (rows[wanted.indexOf(key)] as Row | undefined);
  const [tenant, load, storedState] = [rowOf(tenantKey), rowOf(loadKey), rowOf(stateKey)];
  const call: ToolCall = (storedState?.isTest ?? rowOf(testKey)?.isTest) ? { ...received, isTest: true } : received;
  const state = storedState && withoutExpiredVerification(storedState, ctx.clock().getTime());
  if (state) cacheCallPatient(ctx.tenantId, call.callKey, state);
  const requestKey = requestKeyFor(state);
  const requestRow =
    requestKey === undefined || requestKey === guessedRequestKey ? rowOf(guessedKey) : await ctx.store.get(keys.idempotency(requestKey));
  const assignment = rowOf(assignmentKey);
  const namedOffice = rowOf(officeKey);
  const numberRows = numberKeys && ([rowOf(numberKeys[0]), rowOf(numberKeys[1])] as const);
  const byNumber = { rows: numberRows, guessed: rowOf(guessedOfficeKey) };
  if (!assignment)
    return { tenant, load, state, requestRow, ...(await withOffice(ctx, call, namedOffice, byNumber)), isSwitchedOff: false };

  const isAsCached = cachedLocation?.voiceProviderId === assignment.voiceProviderId && cachedLocation.officeId === assignment.officeId;
  const location = (isAsCached ? rows.slice(wanted.length) : await ctx.store.batchGet(assignmentKeys(assignment))) as AssignmentRows;
  cacheAssignment(agentKey, assignment);
  const isSwitchedOff = !assignment.isActive || !location.every((row) => row?.isActive);
  return {
    tenant,
    load,
    state,
    requestRow,
    ...(await withOffice(ctx, call, call.officeId === undefined ? location[1] : namedOffice, byNumber)),
    isSwitchedOff,
  };
}

/** Cache hint for calls without a known office. */
const prefetchHint = ({ agentId, calledNumber }: ToolCall): string =>
  [agentId, calledNumber].filter((part) => part !== undefined).join("/");

type InOffice = Pick<LoadedCall, "call" | "office">;

type ByNumber = { rows: OfficeNumberRows | undefined; guessed: OfficeRow | undefined };

async function withOffice(ctx: ToolContext, call: ToolCall, known: OfficeRow | undefined, byNumber: ByNumber): Promise<InOffice> {
  const { calledNumber, officeId = known?.id } = call;
  if (officeId !== undefined || calledNumber === undefined) return { call: { ...call, officeId }, office: known };
  const found = await findOfficeIdByNumber(ctx, calledNumber, byNumber.rows);
  if (found === undefined) return { call: { ...call, officeId: undefined }, office: undefined };
  if (numberCache.size >= maxCachedAgents) numberCache.clear();
  numberCache.set(`${ctx.tenantId}/${calledNumber}`, found);
  const row = byNumber.guessed?.id === found ? byNumber.guessed : await ctx.store.get(keys.office(found));
  const office = row && (await officeWithNumber([row], calledNumber));
  return { call: { ...call, officeId: office?.id }, office };
}

/** As a tool of the call would answer now, for a line that no tool says. Never throws. */
export async function languageOfCall(ctx: ToolContext, received: ToolCall): Promise<Language> {
  try {
    const { call, state, tenant, office } = await loadCall(ctx, received, { requestKeyFor: () => undefined, scopes: [] });
    return callLanguage({ argument: parseArguments(call.args)?.["language"], call, state, tenant, office }).language;
  } catch (error) {
    ctx.log("warn", "tool.language_unknown", { ...errorFields(error), callKey: received.callKey });
    return requestLanguage(received) ?? "en";
  }
}
