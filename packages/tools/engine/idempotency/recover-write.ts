import type { TaskFinding } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import { hoursOf } from "@vitaline/offices";
import { cacheRetentionAndZone, type CallStateRow, type IdempotencyRow, keys, put, type TenantRow, type Write } from "@vitaline/store";
import { addFinding } from "@vitaline/tasks";
import { auditEntry, type Outcome, taskWrite, taskWrites } from "../run/audit.ts";
import { startTimeLimit } from "../run/run-context.ts";
import type { PlannedWrite, RunResult, ToolCall, ToolContext } from "../../sdk/run.ts";
import type { Tool } from "../../sdk/define-tool.ts";
import { executionKeyOf, readPlannedWrite, type SealedResult, sealResult, taskAboutWrite, transitionOf } from "./request-row.ts";
import { verifiedPatientIn, withChartCheck } from "../../patient/chart.ts";
import { loadTool } from "../../tools.ts";

/** No server works longer on one request. */
const giveUpAfterMs = 60_000;

/**
 * Called by `events/retry`: searches the EHR for a write of unknown outcome. "done" when it was found, did not happen or cannot be
 * recovered; "open" to search again later. Throws the EHR's errors.
 */
export async function recoverWrite(ctx: ToolContext, idempotencyId: string): Promise<"done" | "open"> {
  const startedAtMs = ctx.clock().getTime();
  const key = keys.idempotency(idempotencyId);
  const [tenant, stored] = await ctx.store.batchGet([keys.tenantConfig(), key]);
  cacheRetentionAndZone(ctx.tenantId, tenant, startedAtMs);
  const row: IdempotencyRow | undefined = stored;
  const tool = row && (await loadTool(row.tool));
  const plannedWrite = row && (await readPlannedWrite(ctx.tenantId, row));
  const transition = row && transitionOf({ row, deduplication: "requestRow", requestId: row.requestId }, "looked up");
  if (!tenant || !row || !tool || !transition || !plannedWrite) return "done";
  const call: ToolCall = {
    platform: plannedWrite["platform"] ?? "",
    callId: "",
    callKey: row.callKey,
    officeId: plannedWrite["officeId"],
    ...(row.isTest ? { isTest: true } : {}),
    name: row.tool,
    args: undefined,
  };
  const patientId = plannedWrite["patientId"] || undefined;
  const known = { row, plannedWrite, tool, providerId: plannedWrite["providerId"], transition };
  const state: CallStateRow = {
    ...{ level: 1, patientId, providerId: known.providerId, tries: 0, expiresAt: 0 },
    ...(row.actsFor ? { actsFor: row.actsFor } : {}),
    ...(plannedWrite["interpreter"] ? { interpreter: plannedWrite["interpreter"] } : {}),
  };

  const ran = await recoverAtEhr(ctx, tool, tenant, call, {
    plannedWrite,
    state,
    executionKey: executionKeyOf(idempotencyId, row.repeatOfRequestId),
  });
  if (ran && ran !== "elsewhere") {
    await settle(ran, "happened");
    return "done";
  }
  if (startedAtMs - row.startedAtMs < giveUpAfterMs) return "open";
  await settle({ code: "ehr_unavailable", patientId }, ran === "elsewhere" ? undefined : "did_not_happen");
  return "done";

  /** Audited as `tool.settle`, because counters take only bookings from it. */
  async function settle(
    outcome: Outcome & SealedResult & Pick<RunResult<unknown>, "task">,
    finding: TaskFinding | undefined,
  ): Promise<void> {
    const { providerId } = known;
    const { actsFor } = known.row;
    const settled: IdempotencyRow = {
      ...known.row,
      status: "done",
      sealedAnswer: await sealResult(ctx.tenantId, outcome),
      sealedWrite: undefined,
      plannedWrite: undefined,
      actsFor: undefined,
    };
    const promised = await taskWrites({ ctx, call, tool: known.tool, state }, providerId, outcome);
    const unconfirmed = await taskOf(finding, outcome.task?.about?.interpreter);
    const tasks =
      unconfirmed.detail.taskId && promised.detail.taskId
        ? { ...unconfirmed.detail, promisedTaskId: promised.detail.taskId }
        : { ...promised.detail, ...unconfirmed.detail };
    const audit = auditEntry(
      call,
      startedAtMs,
      ctx.clock().getTime(),
      { patientRecord: true },
      { ...outcome, providerId, actsFor, detail: { ...outcome.detail, ...tasks } },
    );
    const writes = [put(key, settled, known.transition.condition), ...promised.writes, ...unconfirmed.writes];
    await ctx.store.commit(writes, { ...audit, action: "tool.settle" });
  }

  /** `interpreter`: as far as the promised task tells, where the write does not. */
  async function taskOf(
    finding: TaskFinding | undefined,
    interpreter: string | undefined,
  ): Promise<{ writes: Write[]; detail: { taskId?: string } }> {
    const { taskId } = known.row;
    if (call.isTest) return { writes: [], detail: {} };
    if (taskId) return { writes: finding ? [addFinding(taskId, finding)] : [], detail: {} };
    const newTaskId = newId(startedAtMs);
    const about = { ...(interpreter ? { interpreter } : {}), ...taskAboutWrite(known.plannedWrite) };
    const task = { kind: "unconfirmed_action", finding, providerId: known.providerId, about } as const;
    return { writes: [await taskWrite({ ctx, call, tool: known.tool, state }, newTaskId, task)], detail: { taskId: newTaskId } };
  }
}

async function recoverAtEhr(
  ctx: ToolContext,
  tool: Tool,
  tenant: TenantRow,
  call: ToolCall,
  { plannedWrite, state, executionKey }: { plannedWrite: PlannedWrite; state: CallStateRow; executionKey: string },
) {
  const ehr = await ctx.openEhr(tenant, { officeId: call.officeId, scopes: tool.scopes });
  // The tenant has moved to another EHR.
  if (ehr.providerId !== plannedWrite["providerId"]) return "elsewhere";
  const { signal, writeSignal, within } = startTimeLimit(ctx.deadline, ctx.timeLimits);
  const hours = hoursOf(tenant);
  // The chart may have been closed since; the write is settled anyway.
  const { chart } = withChartCheck(ehr, verifiedPatientIn(ctx.tenantId, state), signal);
  return within(
    tool.recover(
      {
        ctx,
        call,
        tenant,
        hours,
        timeZone: hours.timezone,
        language: "en",
        namedLanguage: undefined,
        state,
        providerId: ehr.providerId,
        ehr,
        chart,
        executionKey,
        signal,
        writeSignal,
        notePlannedWrite: () => {},
        markLanguageStored: () => {},
      },
      plannedWrite,
    ),
  );
}
