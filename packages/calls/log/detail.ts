import { getSealedFile } from "@vitaline/aws";
import { type CallDetail, CallTexts } from "@vitaline/contract";
import { allDone, isAppError, notFound } from "@vitaline/core";
import { type CallRow, keys, type TenantContext, type ToolRunRow } from "@vitaline/store";
import * as z from "zod/mini";
import { textsOverAt } from "../events/call-row.ts";
import { readFollowUp } from "./follow-up.ts";
import { asListedCall } from "./call-view.ts";
import { asToolRun } from "./tool-runs.ts";
import { filesOf } from "../events/sealed-content.ts";

const mostRuns = 500;

/**
 * One call with what was said and the runs of its tools. Whoever reads it sees a patient's words, so the audit row is written
 * before the answer leaves; where that fails, so does the reading. AppError `not_found`.
 */
export async function readCall(ctx: TenantContext, callKey: string): Promise<CallDetail> {
  const [row, runs] = await allDone([
    ctx.store.get<CallRow>(keys.call(callKey)),
    ctx.store.query<ToolRunRow>(keys.tenantPartitions.callRuns(ctx.tenantId, callKey), { prefix: "RUN#", limit: mostRuns }),
  ]);
  if (!row || row.erasedAt) throw notFound();
  const [{ texts, removedAt }, followUp] = await allDone([textsOf(ctx, row), readFollowUp(ctx, row.followUp)]);
  await ctx.store.commit([], { category: "patient_access", action: "call.read", resourceType: "Call", resourceId: callKey, callKey });
  return {
    ...asListedCall(row),
    platformCallId: row.platformCallId ?? null,
    endedAt: row.endedAt ?? null,
    cost: row.costAmount === undefined ? null : { amount: row.costAmount, currency: row.costCurrency ?? null },
    agentName: row.agentName ?? null,
    sentiment: row.sentiment ?? null,
    latency: latencyOf(row),
    callerNumber: texts.callerNumber ?? null,
    calledNumber: texts.calledNumber ?? null,
    forwardedTo: texts.forwardedTo ?? null,
    analysis: texts.analysis ?? null,
    summary: texts.summary ?? null,
    transcript: texts.transcript ?? null,
    textsRemovedAt: removedAt ?? null,
    toolRuns: runs.rows.map(asToolRun),
    followUp,
  };
}

const latencyOf = ({ latencyP50Ms: p50Ms, latencyP95Ms: p95Ms }: CallRow): CallDetail["latency"] =>
  p50Ms === undefined && p95Ms === undefined ? null : { p50Ms: p50Ms ?? null, p95Ms: p95Ms ?? null };

type Shown = { texts: CallTexts; removedAt?: string | undefined };

/**
 * Of what stands in several files the richest one's word counts, mostly the report's. The clock decides when they are over, also
 * while the bucket still has them; where it has them no more, they were over under a former period.
 */
const textsOf = async (ctx: TenantContext, row: CallRow): Promise<Shown> => {
  const files = filesOf(row);
  const overAt = files.length === 0 ? undefined : textsOverAt(row, ctx.clock());
  if (overAt !== undefined) return { texts: {}, removedAt: overAt };
  const texts: (CallTexts | undefined)[] = await allDone(files.map((file) => readTexts(ctx, file)));
  return { texts: Object.assign({}, ...texts) as CallTexts, removedAt: texts.includes(undefined) ? ctx.clock().toISOString() : undefined };
};

const readTexts = async (ctx: TenantContext, file: { key: string; sha256: string }): Promise<CallTexts | undefined> => {
  try {
    return z.parse(CallTexts, JSON.parse(await getSealedFile("phi", ctx.tenantId, file)));
  } catch (error) {
    if (isAppError(error, "not_found")) return undefined;
    throw error;
  }
};
