import type { CallDetail } from "@vitaline/contract";
import { awaitAllThenThrow, notFound } from "@vitaline/core";
import { keys, type CallRow, type TenantContext } from "@vitaline/store";
import { readContent } from "../events/sealed-content.ts";
import { toListedCall } from "./call-view.ts";
import { readFollowUp } from "./follow-up.ts";
import { toolRunsOfCall, withTools } from "./tool-runs.ts";

/**
 * One call with its content and tool runs. The audit row is written before the answer is sent; if that fails, so does the read.
 * AppError `not_found`.
 */
export async function readCall(ctx: TenantContext, callKey: string): Promise<CallDetail> {
  const [row, { runs, patients }] = await awaitAllThenThrow([ctx.store.get<CallRow>(keys.call(callKey)), toolRunsOfCall(ctx, callKey)]);
  if (!row || row.erasedAt) throw notFound();
  const [{ content, removedAt }, followUp] = await awaitAllThenThrow([readContent(ctx, row), readFollowUp(ctx, row.followUp)]);
  await ctx.store.commit([], {
    category: "patient_access",
    action: "call.read",
    resourceType: "Call",
    resourceId: callKey,
    callKey,
    ...(patients.length > 0 ? { patients } : {}),
  });
  return {
    ...toListedCall(
      withTools(
        row,
        runs.map(({ toolName }) => toolName),
      ),
      ctx.clock(),
    ),
    platformCallId: row.platformCallId ?? null,
    endedAt: row.endedAt ?? null,
    cost: row.costAmount === undefined ? null : { amount: row.costAmount, currency: row.costCurrency ?? null },
    sentiment: row.sentiment ?? null,
    latency: latencyOf(row),
    callerNumber: content.callerNumber ?? null,
    calledNumber: content.calledNumber ?? null,
    forwardedTo: content.forwardedTo ?? null,
    analysis: content.analysis ?? null,
    scores: content.scores ?? [],
    rating: row.rating ?? null,
    language: row.language ?? null,
    recordingConsent: consentOf(row),
    summary: content.summary ?? null,
    transcript: content.transcript ?? null,
    textsRemovedAt: removedAt ?? null,
    toolRuns: runs,
    followUp,
  };
}

const latencyOf = ({ latencyP50Ms: p50Ms, latencyP95Ms: p95Ms }: CallRow): CallDetail["latency"] =>
  p50Ms === undefined && p95Ms === undefined ? null : { p50Ms: p50Ms ?? null, p95Ms: p95Ms ?? null };

const consentOf = ({ recordingConsentType: type, recordingConsentAt: grantedAt }: CallRow): CallDetail["recordingConsent"] =>
  type === undefined && grantedAt === undefined ? null : { type: type ?? null, grantedAt: grantedAt ?? null };
