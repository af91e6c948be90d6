import type { ToolAnswer, ToolCall, ToolContext } from "./define-tool.ts";
import { runTool } from "./run-tool.ts";
import { failure } from "./work.ts";

/** With less time than this a tool could hardly ask an EHR, and the answers of those before it must still leave. */
const leastToolMs = 2000;

/**
 * The tool calls of one request, one after the other, as a booking may stand behind the identity check that it needs; one answer
 * each, in their order. For which no time is left is not begun: `deadline_exceeded`, and no audit row. Never throws.
 */
export async function runTools(ctx: ToolContext, calls: readonly ToolCall[]): Promise<ToolAnswer[]> {
  const answers: ToolAnswer[] = [];
  for (const call of calls) answers.push(await (ctx.deadline.remainingMs() < leastToolMs ? notBegun(ctx, call) : runTool(ctx, call)));
  return answers;
}

const notBegun = (ctx: ToolContext, { platform, callKey }: ToolCall): ToolAnswer => {
  ctx.log("warn", "tool.not_begun", { code: "deadline_exceeded", platform, callKey });
  return failure("deadline_exceeded");
};
