import { dayMs, errorFields, isAppError, newId } from "@vitaline/core";
import { cacheRetentionAndZone, takeQuotaUnit, keys, type Write } from "@vitaline/store";
import { createTask } from "@vitaline/tasks";
import { type Emergency, lineOf } from "../emergency/find-emergency.ts";
import { callerNumberOf } from "../patient/caller-limits.ts";
import { parseArguments } from "../sdk/arguments.ts";
import type { ToolAnswer, ToolCall, ToolContext } from "../sdk/run.ts";
import { isTool, loadTool } from "../tools.ts";
import { loadCall, type LoadedCall } from "./load-call.ts";
import { auditEntry } from "./run/audit.ts";
import { startTimeLimit } from "./run/run-context.ts";

/** A caller in an emergency waits no longer for the answer. */
const timeLimits = { answerMs: 3000, writeMs: 2000 };

/**
 * The answer to arguments that tell of an emergency: one line and nothing after it. The clinic gets a task, one per call and kind of
 * emergency. Only tools that tell the clinic run. Never throws.
 */
export async function answerEmergency(
  ctx: ToolContext,
  call: ToolCall,
  emergency: Emergency,
  run: (ctx: ToolContext) => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  const runs = await runsInEmergency(call);
  const told = startTimeLimit(ctx.deadline, timeLimits)
    .within(tellClinic(ctx, call, emergency, runs))
    .catch((error: unknown) =>
      ctx.log("error", "tool.emergency_not_recorded", { ...errorFields(error), platform: call.platform, callKey: call.callKey }),
    );
  await Promise.all([told, runs ? run({ ...ctx, timeLimits }) : undefined]);
  return { ok: true, speech: lineOf(emergency) };
}

async function runsInEmergency({ name, args }: ToolCall): Promise<boolean> {
  const tool = await loadTool(name);
  const given = parseArguments(args);
  return tool?.runsInEmergency === true && given !== undefined && tool.parse(given).request !== undefined;
}

/** One commit with the audit row: of the run, or of the task alone if the tool runs and writes its own. */
async function tellClinic(ctx: ToolContext, received: ToolCall, { kind }: Emergency, runs: boolean): Promise<void> {
  const startedAtMs = ctx.clock().getTime();
  const loaded = await loadCall(ctx, received, { requestKeyFor: () => undefined, scopes: [] });
  const { tenant, state, call, isSwitchedOff } = loaded;
  if (!tenant?.isActive || state?.callEndedAt || isSwitchedOff) return;
  cacheRetentionAndZone(ctx.tenantId, tenant, startedAtMs);
  const isKnown = isTool(call.name);
  const commit = async (task: { id: string; write: Write } | undefined): Promise<void> => {
    if (runs && !task) return;
    const detail = { action: kind, ...(task ? { taskId: task.id } : {}) };
    const audited = isKnown ? call : { ...call, name: "unknown" };
    const entry = auditEntry(audited, startedAtMs, ctx.clock().getTime(), undefined, { ...(runs ? {} : { code: "emergency" }), detail });
    await ctx.store.commit(task ? [task.write] : [], runs || !isKnown ? { ...entry, action: "tool.emergency" } : entry);
  };
  try {
    await commit(call.isTest ? undefined : await taskOf(ctx, loaded, kind));
  } catch (error) {
    // The clinic was told before.
    if (!isAppError(error, "duplicate")) throw error;
    await commit(undefined);
  }
}

const kinds = 3;
/** The same id for the same call and kind, so that only the first commit creates it. */
async function taskOf(
  ctx: ToolContext,
  { call, state }: LoadedCall,
  kind: Emergency["kind"],
): Promise<{ id: string; write: Write } | undefined> {
  const nowMs = ctx.clock().getTime();
  const place = await takeQuotaUnit(ctx.store, keys.callRequests(call.callKey, "emergencies"), {
    ...{ name: "request", owner: kind, limit: kinds },
    ...{ attempt: ctx.requestId, nowMs, lifeMs: dayMs, staleAfterMs: 0 },
    ...{ value: newId(nowMs), settled: true },
  });
  const id = typeof place === "string" ? undefined : place.value;
  if (id === undefined) return undefined;
  const phone = callerNumberOf(call);
  const about = {
    tool: isTool(call.name) ? call.name : "unknown",
    action: kind,
    urgent: true,
    ...(state?.patientId ? { patientId: state.patientId } : {}),
    ...(state?.patientId && state.providerId ? { fhirProviderId: state.providerId } : {}),
    ...(state?.interpreter ? { interpreter: state.interpreter } : {}),
    ...(phone ? { phone } : {}),
  };
  return { id, write: await createTask(ctx, id, { kind: "emergency", about, callKey: call.callKey, officeId: call.officeId }) };
}
