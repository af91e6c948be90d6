import type { CallReport } from "@vitaline/contract";
import type { Ending, Connection } from "./phone-call.ts";
import type { Request } from "./platforms/request.ts";
import { byKey } from "./platforms/request.ts";
import type { SpokenLines } from "./spoken-lines.ts";

type Ended = Ending &
  Pick<CallReport, "platform" | "callId"> &
  Pick<Connection, "apiKey" | "caller" | "called"> & { startedMs: number; spoken: SpokenLines; transferredTo: string | undefined };

/** The end report that the tenant's client sends where the platform sends none. */
export function reportOf({
  apiKey,
  platform,
  callId,
  startedMs,
  caller,
  called,
  spoken,
  transferredTo,
  summary,
  success,
}: Ended): Request & { body: CallReport } {
  const durationSeconds = Math.round(spoken.seconds());
  const body: CallReport = {
    platform,
    callId,
    status: "completed",
    startedAt: new Date(startedMs).toISOString(),
    endedAt: new Date(startedMs + durationSeconds * 1000).toISOString(),
    durationSeconds,
    endedReason: transferredTo === undefined ? "caller hung up" : "transferred",
    forwarded: transferredTo !== undefined,
    forwardedTo: transferredTo,
    callerNumber: caller,
    calledNumber: called,
    cost: { amount: 0.12, currency: "USD" },
    latency: { p50Ms: 800, p95Ms: 1400 },
    success,
    direction: "inbound",
    summary,
    transcript: {
      text: spoken.asText({ patient: "Caller", assistant: "Assistant" }),
      messages: spoken.lines.map(({ who, text, from }) => ({ role: who === "patient" ? "caller" : "assistant", text, atSeconds: from })),
    },
  };
  return { path: "/api/calls", headers: byKey(apiKey), body };
}
