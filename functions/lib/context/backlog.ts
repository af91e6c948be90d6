import type { Context } from "@vitaline/core";

/** How long the oldest due row, or the connection or audit chain that was not looked at longest, has waited at the start of a run; 0 without one. */
export function logBacklog(
  ctx: Pick<Context, "log" | "clock">,
  operation: "remind" | "retry" | "health" | "verify",
  dueAts: readonly string[],
): void {
  const [oldest] = dueAts.toSorted();
  const ageMs = oldest === undefined ? 0 : ctx.clock().getTime() - Date.parse(oldest);
  ctx.log("info", "backlog.found", { operation, ageSeconds: Math.max(0, Math.round(ageMs / 1000)) });
}
