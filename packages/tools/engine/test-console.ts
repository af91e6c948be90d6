import type { ListedTool, TestedTool } from "@vitaline/contract";
import { AppError, newId, notFound } from "@vitaline/core";
import { countWithin, keys } from "@vitaline/store";
import { testPlatform } from "./run/audit.ts";
import type { ToolAnswer, ToolCall, ToolContext } from "../sdk/run.ts";
import { parseArguments } from "../sdk/arguments.ts";
import { runTool } from "./run-tool.ts";
import { toolSchemas } from "./tool-schemas.ts";
import { loadTool, loadTools } from "../tools.ts";

export async function listTools(): Promise<ListedTool[]> {
  const [schemas, tools] = await Promise.all([toolSchemas(), loadTools()]);
  return schemas.flatMap((schema) => {
    const tool = tools[schema.name];
    return tool ? [{ ...schema, effect: tool.effect, level: tool.level }] : [];
  });
}

export type ToolTest = { name: string; arguments: Record<string, unknown>; sessionId?: string; confirm: boolean };

type Tested = Omit<TestedTool, "modelTexts"> & { answer: ToolAnswer };

/**
 * Runs a tool for a console user, with the checks and audit of a call; the user's session takes the call's place. AppError `not_found`
 * for an unknown tool, `confirmation_required` for a write without `confirm`, `too_many_requests` above 30 a minute per user.
 */
export async function tryTool(ctx: ToolContext, { name, arguments: args, sessionId = newId(), confirm }: ToolTest): Promise<Tested> {
  const tool = await loadTool(name);
  if (!tool) throw notFound();
  await requireTestQuota(ctx);
  const { request } = tool.parse(parseArguments(args) ?? {});
  if (request?.effect === "write" && !confirm)
    throw new AppError("confirmation_required", "This changes the patient's record. Please confirm that you mean it.", {
      fields: { confirm: "Must be true for a tool that changes the record" },
    });
  const startedAtMs = ctx.clock().getTime();
  const answer = await runTool(ctx, callOf(ctx, name, args, sessionId));
  return {
    ok: answer.ok,
    code: answer.code ?? null,
    speech: answer.speech,
    output: answer.output ?? null,
    requestId: ctx.requestId,
    ms: Math.max(0, ctx.clock().getTime() - startedAtMs),
    sessionId,
    answer,
  };
}

/** The session is bound to its user, so that no one takes over another user's verified identity. */
const callOf = (ctx: ToolContext, name: string, args: unknown, sessionId: string): ToolCall => {
  const callId = `${ctx.actor.id}/${sessionId}`;
  return { platform: testPlatform, callId, callKey: keys.callKeyOf(testPlatform, callId), isTest: true, name, args };
};

const minuteMs = 60_000;
const testsAMinute = 30;

const requireTestQuota = async (ctx: ToolContext): Promise<void> => {
  const nowMs = ctx.clock().getTime();
  const minute = Math.floor(nowMs / minuteMs);
  const endSeconds = ((minute + 1) * minuteMs) / 1000;
  const counter = keys.counter("test-console", ctx.actor.id, `M${minute}`);
  if (!(await countWithin(ctx.store, counter, { limits: { count: testsAMinute }, expiresAt: endSeconds + 60 })))
    throw new AppError("too_many_requests", "Too many tests in one minute. Please wait a moment and try again.", {
      retryAfterSeconds: Math.max(1, endSeconds - nowMs / 1000),
    });
};
