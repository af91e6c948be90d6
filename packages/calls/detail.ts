import { getSealedFile } from "@vitaline/aws";
import { CallTexts, type CallDetail } from "@vitaline/contract";
import { allDone, notFound } from "@vitaline/core";
import { keys, type CallRow, type TenantContext, type ToolRunRow } from "@vitaline/store";
import * as z from "zod/mini";
import { readFollowUp } from "./follow-up.ts";
import { asListedCall, asToolRun } from "./present.ts";
import { textFiles } from "./texts.ts";

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
  const [texts, followUp] = await allDone([textsOf(ctx, row), readFollowUp(ctx, row.followUp)]);
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
    toolRuns: runs.rows.map(asToolRun),
    followUp,
  };
}

const latencyOf = ({ latencyP50Ms: p50Ms, latencyP95Ms: p95Ms }: CallRow): CallDetail["latency"] =>
  p50Ms === undefined && p95Ms === undefined ? null : { p50Ms: p50Ms ?? null, p95Ms: p95Ms ?? null };

/** Of what stands in several files the richest one's word counts, mostly the report's. */
const textsOf = async (ctx: TenantContext, row: CallRow): Promise<CallTexts> => {
  const files = textFiles.flatMap((name) => row[name] ?? []);
  const texts: CallTexts[] = await allDone(files.map((file) => readTexts(ctx, file)));
  return Object.assign({}, ...texts) as CallTexts;
};

const readTexts = async (ctx: TenantContext, file: { key: string; sha256: string }): Promise<CallTexts> =>
  z.parse(CallTexts, JSON.parse(await getSealedFile("phi", ctx.tenantId, file)));
