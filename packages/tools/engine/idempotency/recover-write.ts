import type { TaskAbout, TaskFinding } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import { zoneOf } from "@vitaline/offices";
import { type IdempotencyRow, keys, knowRetention, put, type TenantRow, type Write } from "@vitaline/store";
import { createTask, noteFinding } from "@vitaline/tasks";
import { auditOf, type Outcome } from "../run/audit.ts";
import { limitTime } from "../run/deadline.ts";
import type { Intent, Run } from "../../sdk/run.ts";
import type { Tool } from "../../sdk/define-tool.ts";
import type { ToolCall, ToolContext } from "../../sdk/context.ts";
import { aboutIntent, type FirstAnswer, intentIn, sealAnswer } from "./sealed-result.ts";
import { verifiedIn, withOpenChart } from "../../patient/chart.ts";
import { wishKeyOf } from "./request-key.ts";
import { stepOf } from "./request-states.ts";
import { tools } from "../../tools.ts";

/** A write that has not shown up by now never will: no server works on one request for so long. */
const hopelessAfterMs = 60_000;

/**
 * For the minute probe: looks in the EHR for a write of which nobody knew whether it happened. "done" when it is settled
 * (it was found and is now the answer to every repetition, or it did not happen); "open" when it must be looked for again.
 * Throws what the EHR throws while it cannot be asked.
 */
export async function resolveUnknown(ctx: ToolContext, idempotencyId: string): Promise<"done" | "open"> {
  const startedAtMs = ctx.clock().getTime();
  const key = keys.idempotency(idempotencyId);
  const [tenant, kept] = await ctx.store.batchGet([keys.tenantConfig(), key]);
  knowRetention(ctx.tenantId, tenant, startedAtMs);
  const row: IdempotencyRow | undefined = kept;
  const tool = row && tools[row.tool];
  const intent = row && (await intentIn(ctx.tenantId, row));
  const step = row && stepOf({ row, claim: "request", requestId: row.requestId }, "looked up");
  if (!tenant || !row || !tool || !step || !intent) return "done";
  const call: ToolCall = {
    platform: intent["platform"] ?? "",
    callId: "",
    callKey: row.callKey,
    officeId: intent["officeId"],
    name: row.tool,
    args: undefined,
  };
  const patientId = intent["patientId"] || undefined;
  const known = { row, intent, providerId: intent["providerId"], step };

  const ran = await search(ctx, tool, tenant, call, intent, wishKeyOf(idempotencyId, row.after));
  if (ran && ran !== "elsewhere") {
    await settle(ran, "happened");
    return "done";
  }
  if (startedAtMs - row.startedAtMs < hopelessAfterMs) return "open";
  await settle({ code: "ehr_unavailable", patientId }, ran === "elsewhere" ? undefined : "did_not_happen");
  return "done";

  /** Its audit row is of no second run of the tool: the counters take from it only what was booked. */
  async function settle(outcome: Outcome & FirstAnswer, finding: TaskFinding | undefined): Promise<void> {
    const { providerId, step: lookedUp } = known;
    const settled: IdempotencyRow = {
      ...known.row,
      status: "done",
      sealedAnswer: await sealAnswer(ctx.tenantId, outcome),
      sealedIntent: undefined,
      intent: undefined,
    };
    const { writes, detail } = await taskOf(finding);
    const audit = auditOf(
      call,
      startedAtMs,
      ctx.clock().getTime(),
      { patientRecord: true },
      { ...outcome, providerId, detail: { ...outcome.detail, ...detail } },
    );
    await ctx.store.commit([put(key, settled, lookedUp.when), ...writes], { ...audit, action: "tool.settle" });
  }

  /** The caller was told that it is being checked: staff learn what came of it, also where their task could not be made at the time. */
  async function taskOf(finding: TaskFinding | undefined): Promise<{ writes: Write[]; detail: { taskId?: string } }> {
    const { taskId } = known.row;
    if (taskId) return { writes: finding ? [noteFinding(taskId, finding)] : [], detail: {} };
    const made = newId(startedAtMs);
    const about: TaskAbout = {
      tool: known.row.tool,
      patientId,
      fhirProviderId: known.providerId || undefined,
      ...aboutIntent(known.intent),
    };
    const task = { kind: "unconfirmed_action", about, finding, callKey: known.row.callKey, officeId: call.officeId } as const;
    return { writes: [await createTask(ctx, made, task)], detail: { taskId: made } };
  }
}

async function search(ctx: ToolContext, tool: Tool, tenant: TenantRow, call: ToolCall, intent: Intent, requestKey: string) {
  const ehr = await ctx.openEhr(tenant, { officeId: call.officeId, scopes: tool.scopes });
  // The tenant has moved to another EHR: there is nowhere left to look.
  if (ehr.providerId !== intent["providerId"]) return "elsewhere";
  const { signal, writeSignal, within } = limitTime(ctx.deadline, ctx.patience);
  const state: Run["state"] = { level: 1, patientId: intent["patientId"], providerId: ehr.providerId, tries: 0, expiresAt: 0 };
  // What was begun while the chart was open is settled also when it is closed by now.
  const { chart } = withOpenChart(ehr, verifiedIn(ctx.tenantId, state), signal);
  return within(
    tool.recover(
      {
        ctx,
        call,
        tenant,
        timeZone: zoneOf(tenant),
        state,
        providerId: ehr.providerId,
        ehr,
        chart,
        requestKey,
        signal,
        writeSignal,
        intend: () => {},
      },
      intent,
    ),
  );
}
