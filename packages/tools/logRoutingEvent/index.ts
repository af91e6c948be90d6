import type { RoutingReason } from "@vitaline/contract";
import { reserveLead } from "@vitaline/leads";
import type { Write } from "@vitaline/store";
import { findEmergency } from "../emergency/find-emergency.ts";
import { defineTool } from "../sdk/define-tool.ts";
import { isRetry, type Run, type RunResult } from "../sdk/run.ts";
import { withinHourlyLimit } from "../patient/caller-limits.ts";
import { examples, questions } from "./examples.ts";
import { Input, isLead, Output } from "./schema.ts";
import { speak } from "./speak.ts";
import { nextOpeningOf, staffOfCall } from "../routing/on-duty.ts";
import { leadReasonOf, reasonFrom } from "../routing/reasons.ts";

export const logRoutingEvent = defineTool({
  name: "logRoutingEvent",
  description: [
    "Call this before a call is put through to staff, or when it ends otherwise, to count why and how; for outcome transferred it answers",
    "who is on duty for the reason: transfer the call to the first destination, then the next. When no one is, offer a callback.",
    "For a callback, or a caller who is not a patient yet, send callerName and callbackNumber (or email), leadReason and a short note:",
    "the clinic's staff find them in their list.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: "write",
  // Nothing is sent, so there is nothing to lock.
  deduplication: "ownLock",
  level: 0,
  patientRecord: isLead,
  scopes: [],
  requests: [],
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: routeCall,
  // The staff on duty may change; a lead's own row recognizes a late retry.
  isStillValid: async (run, _input, _output, askedAtMs) => isRetry(run, askedAtMs),
  runsInEmergency: true,
  speak,
  questions,
  examples,
});

async function routeCall(run: Run, input: Input): Promise<RunResult<Output>> {
  const reason = reasonFrom(input.reason);
  const { destination } = input;
  const tellsOfEmergency = findEmergency([input.reason, input.note, destination].filter(Boolean).join(" . ")) !== undefined;
  const outcome = tellsOfEmergency ? "emergency" : input.outcome;
  const onDuty = await staffOfCall(run, { said: input.reason, reason, destination });
  const { office } = onDuty;
  const destinations = outcome === "transferred" ? onDuty.destinations : [];
  const opening = nextOpeningOf(run, office);
  // No one is on duty to take the call.
  const became = outcome === "transferred" && destinations.length === 0 ? "callback" : outcome;
  const isKept = isLead(input) && !run.call.isTest;
  const { lead, full } = isKept ? await createLead(run, input, reason, office?.id) : {};
  // Transfers and emergencies go through even if no lead can be stored.
  const isFull = isKept && !lead && became !== "transferred" && became !== "emergency";
  return {
    ...(isFull ? { code: "too_many_requests" as const } : {}),
    output: {
      reason,
      outcome: became,
      destinations,
      opensAt: opening ? { at: opening.at.toISOString(), timeZone: opening.timeZone } : null,
      noted: isKept ? lead !== undefined : isLead(input),
      ...(isFull ? { full } : {}),
    },
    detail: { action: "route", reason, outcome: became, ...(lead ? { leadId: lead.leadId } : {}) },
    ...(lead ? { insteadOfIdempotencyRow: lead.write } : {}),
  };
}

async function createLead(
  run: Run,
  { callerName = "", callbackNumber, email, leadReason, note }: Input,
  reason: RoutingReason,
  officeId?: string,
): Promise<{ lead?: { leadId: string; write: Write }; full?: "call" | "hour" }> {
  const lead = await reserveLead(
    run.ctx,
    {
      reason: leadReason ?? leadReasonOf(reason),
      contact: { name: callerName, phone: callbackNumber, email, note },
      officeId,
      callKey: run.call.callKey,
    },
    run.executionKey,
  );
  if (!lead) return { full: "call" };
  return (await withinHourlyLimit(run, "leads")) ? { lead } : { full: "hour" };
}
