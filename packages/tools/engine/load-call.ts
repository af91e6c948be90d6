import type { Language, ProxyScope } from "@vitaline/contract";
import { awaitAllThenThrow, errorFields } from "@vitaline/core";
import { findOfficeIdByNumber, officeNumberKeys, type OfficeNumberRows, officeWithNumber, defaultLanguageOf } from "@vitaline/offices";
import {
  type AgentAssignmentRow,
  batchGetNamed,
  type CallStateRow,
  type IdempotencyRow,
  keys,
  type OfficeRow,
  type ProxyRow,
  type TenantContext,
  type TenantRow,
  type ToolRunCountsRow,
  update,
} from "@vitaline/store";
import { emergencyLineFor } from "../emergency/find-emergency.ts";
import { readLanguage } from "../nlu/language.ts";
import {
  cacheCallPatient,
  cachedCallPatient,
  type CallPatient,
  withoutExpiredVerification,
  withoutVerification,
} from "../patient/call-patient.ts";
import { parseArguments } from "../sdk/arguments.ts";
import type { ToolCall, ToolContext } from "../sdk/run.ts";
import { callLine, type CallLine } from "../speech/call-lines.ts";

type Sources = {
  argument: unknown;
  call: ToolCall;
  state: CallStateRow | undefined;
  tenant: TenantRow | undefined;
  office: OfficeRow | undefined;
};

/**
 * The language of the call. `namedLanguage`: by the voice agent, in this request or an earlier one; else the platform's, the verified
 * patient's, the office's, the tenant's, English.
 */
export function callLanguage({ argument, call, state, tenant, office }: Sources): {
  language: Language;
  namedLanguage: Language | undefined;
} {
  const namedLanguage = readLanguage(argument) ?? state?.language;
  return { language: namedLanguage ?? call.language ?? state?.patientLanguage ?? defaultLanguageOf(tenant, office), namedLanguage };
}

/** As far as the request itself tells. */
export const requestLanguage = ({ args, language }: Pick<ToolCall, "args" | "language">): Language | undefined =>
  readLanguage(parseArguments(args)?.["language"]) ?? language;

/** For a request that is not run: an emergency's line goes first. */
export const emergencyOrRefusal = (line: CallLine, request: Pick<ToolCall, "args" | "language">): string =>
  emergencyLineFor(request.args) ?? callLine(line, requestLanguage(request));

const keptSeconds = 4 * 3600;

/** Also for a platform that hears which language the caller has changed to. One write unit. */
export async function keepSpokenLanguage(ctx: TenantContext, callKey: string, language: Language): Promise<void> {
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + keptSeconds;
  const change = { set: { language }, setOnce: { level: 0 as const, expiresAt } };
  await ctx.store.writeUnaudited(update<CallStateRow>(keys.callState(callKey), change, { absent: ["callEndedAt"] }));
}

/** How the language that the agent names is kept for the rest of the call, also before the caller is verified. */
type LanguageKeeping = {
  /** A write of the tool has kept it. */
  markStored(): void;
  /** After the run; never throws. */
  end(): Promise<void>;
};

/**
 * Keeps the language at once or, with `byTool`, leaves it to the writes of a tool, and keeps it at the end if the tool made none. One
 * write unit, only for another language than before.
 */
export async function keepNamedLanguage(
  ctx: ToolContext,
  { callKey }: ToolCall,
  { state, named, byTool }: { state: CallStateRow | undefined; named: Language | undefined; byTool: boolean },
): Promise<LanguageKeeping> {
  let isStored = named === undefined || named === state?.language;
  const keep = async () => {
    if (isStored || named === undefined) return;
    isStored = true;
    await keepSpokenLanguage(ctx, callKey, named).catch((error: unknown) =>
      ctx.log("warn", "tool.language_not_kept", { ...errorFields(error), callKey }),
    );
  };
  if (!byTool) await keep();
  return { markStored: () => void (isStored = true), end: keep };
}

type CachedAssignment = Pick<AgentAssignmentRow, "voiceProviderId" | "officeId">;

/** The assignment found in each agent's last call, so that the first read can include its rows; the read verifies it. */
const assignmentCache = new Map<string, CachedAssignment>();
const maxCached = 5000;
const cacheAssignment = (agent: string, { voiceProviderId, officeId }: CachedAssignment): void => {
  if (assignmentCache.size >= maxCached) assignmentCache.clear();
  assignmentCache.set(agent, { voiceProviderId, officeId });
};

/** The office found by each called number last, so that the first read can include its row; the read verifies it. */
const numberCache = new Map<string, string>();

const assignedKeys = ({ voiceProviderId, officeId }: CachedAssignment) => ({
  assignedProvider: keys.voiceProvider(voiceProviderId),
  assignedOffice: officeId === undefined ? undefined : keys.office(officeId),
});

export type LoadedCall = {
  tenant?: TenantRow;
  runCounts?: ToolRunCountsRow;
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
  const { agentId, calledNumber } = received;
  const agentKey = agentId === undefined ? "" : `${ctx.tenantId}/${received.platform}/${agentId}`;
  const cached = assignmentCache.get(agentKey);
  const guessedRequestKey = requestKeyFor(cachedCallPatient(ctx.tenantId, received.callKey));
  const numberKeys = received.officeId !== undefined || calledNumber === undefined ? undefined : await officeNumberKeys(calledNumber);
  const guessedOfficeId = numberKeys && numberCache.get(`${ctx.tenantId}/${calledNumber}`);
  const [rows] = await awaitAllThenThrow([
    batchGetNamed(ctx.store, {
      tenant: keys.tenantConfig(),
      runCounts: keys.toolRunCounts(),
      state: keys.callState(received.callKey),
      request: guessedRequestKey === undefined ? undefined : keys.idempotency(guessedRequestKey),
      namedOffice: received.officeId === undefined ? undefined : keys.office(received.officeId),
      assignment: agentId === undefined ? undefined : keys.agentAssignment(received.platform, agentId),
      officeNumbersVersion: numberKeys?.version,
      officesOfNumber: numberKeys?.offices,
      guessedOffice: guessedOfficeId === undefined ? undefined : keys.office(guessedOfficeId),
      // The state of a test call ends before the call's row does.
      testCall: received.callId.startsWith(keys.testCallPrefix) ? keys.call(received.callKey) : undefined,
      ...(cached ? assignedKeys(cached) : {}),
    }),
    scopes.length === 0 ? undefined : ctx.prefetchEhr({ cacheKey: received.officeId ?? prefetchCacheKey(received), scopes }),
  ]);
  const call: ToolCall = (rows.state?.isTest ?? rows.testCall?.isTest) ? { ...received, isTest: true } : received;
  const state = rows.state && (await withStandingApproval(ctx, withoutExpiredVerification(rows.state, ctx.clock().getTime())));
  if (state) cacheCallPatient(ctx.tenantId, call.callKey, state);
  const requestKey = requestKeyFor(state);
  const isAsGuessed = requestKey === undefined || requestKey === guessedRequestKey;
  const { tenant, runCounts, assignment } = rows;
  const loaded = { tenant, runCounts, state, requestRow: isAsGuessed ? rows.request : await ctx.store.get(keys.idempotency(requestKey)) };
  const byNumber = {
    rows: numberKeys && { version: rows.officeNumbersVersion, offices: rows.officesOfNumber },
    guessed: rows.guessedOffice,
  };
  if (!assignment) return { ...loaded, ...(await withOffice(ctx, call, rows.namedOffice, byNumber)), isSwitchedOff: false };

  const isAsCached = cached?.voiceProviderId === assignment.voiceProviderId && cached.officeId === assignment.officeId;
  const { assignedProvider, assignedOffice } = isAsCached ? rows : await batchGetNamed(ctx.store, assignedKeys(assignment));
  cacheAssignment(agentKey, assignment);
  const isOfficeActive = assignment.officeId === undefined || assignedOffice?.isActive === true;
  return {
    ...loaded,
    ...(await withOffice(ctx, call, call.officeId === undefined ? assignedOffice : rows.namedOffice, byNumber)),
    isSwitchedOff: !assignment.isActive || !assignedProvider?.isActive || !isOfficeActive,
  };
}

const widestFirst = ["all", "no_clinical", "appointments"] as const satisfies readonly ProxyScope[];

/**
 * A proxy whose approval staff revoked, put on hold or made smaller during the call has to be verified again. A revoked limit of a parent
 * takes nothing away. One read for a proxy of staff's.
 */
async function withStandingApproval(ctx: ToolContext, state: CallStateRow): Promise<CallStateRow> {
  const { proxyId, basis, scope } = state.actsFor ?? {};
  if (proxyId === undefined || scope === undefined) return state;
  const approval = await ctx.store.get<ProxyRow>(keys.proxy(proxyId));
  const stands = approval ? !approval.onHold && widestFirst.indexOf(approval.scope) <= widestFirst.indexOf(scope) : basis !== "proxy";
  return stands ? state : withoutVerification(state);
}

/** For calls without a known office. */
const prefetchCacheKey = ({ agentId, calledNumber }: ToolCall): string =>
  [agentId, calledNumber].filter((part) => part !== undefined).join("/");

type InOffice = Pick<LoadedCall, "call" | "office">;

type ByNumber = { rows: OfficeNumberRows | undefined; guessed: OfficeRow | undefined };

async function withOffice(ctx: ToolContext, call: ToolCall, known: OfficeRow | undefined, byNumber: ByNumber): Promise<InOffice> {
  const { calledNumber, officeId = known?.id } = call;
  if (officeId !== undefined || calledNumber === undefined) return { call: { ...call, officeId }, office: known };
  const found = await findOfficeIdByNumber(ctx, calledNumber, byNumber.rows);
  if (found === undefined) return { call: { ...call, officeId: undefined }, office: undefined };
  if (numberCache.size >= maxCached) numberCache.clear();
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
