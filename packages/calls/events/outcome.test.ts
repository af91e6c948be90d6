import { expect, test } from "vitest";
import { outcomeSignalsOf, isAbandoned, isCutShort, isResolved, type OutcomeFacts } from "./outcome.ts";

const ended: OutcomeFacts = { status: "completed", forwarded: false, hasSignals: true };
const judged = (more: Partial<OutcomeFacts>) => ({
  resolved: isResolved({ ...ended, ...more }),
  abandoned: isAbandoned({ ...ended, ...more }),
});

test.each<[string, Partial<OutcomeFacts>, { resolved: boolean; abandoned: boolean }]>([
  ["without a tool or a verdict", {}, { resolved: false, abandoned: false }],
  ["with a successful tool", { helped: true }, { resolved: true, abandoned: false }],
  ["with the platform's success", { success: true }, { resolved: true, abandoned: false }],
  ["that the platform calls unsuccessful", { helped: true, success: false }, { resolved: false, abandoned: false }],
  ["cut short", { cutShort: true }, { resolved: false, abandoned: true }],
  ["cut short after a successful tool", { cutShort: true, helped: true, success: true }, { resolved: false, abandoned: true }],
  ["whose caller asked for a person and got none", { soughtStaff: true, helped: true }, { resolved: false, abandoned: true }],
  ["put through", { soughtStaff: true, forwarded: true, success: true }, { resolved: false, abandoned: false }],
  ["left while being put through", { soughtStaff: true, forwarded: true, cutShort: true }, { resolved: false, abandoned: true }],
  ["stated as resolved", { statedResolved: true, success: true, cutShort: true }, { resolved: true, abandoned: false }],
  ["that failed", { status: "failed", helped: true, success: true }, { resolved: false, abandoned: false }],
  ["of before, without evidence", { hasSignals: false, cutShort: true }, { resolved: true, abandoned: false }],
])("V05: a call %s", (_name, more, wanted) => expect(judged(more)).toEqual(wanted));

test.each([
  ...["silence-timed-out", "exceeded-max-duration", "customer-ended-call-during-transfer", "customer-ended-call-before-warm-transfer"],
  ...["customer-ended-call-after-warm-transfer-attempt", "call.forwarding.no-answer", "call.forwarding.operator-busy"],
  ...["inactivity", "max_duration_reached", "transfer_cancelled", "manual_stopped"],
  ...["Inactivity timeout", "Silence timeout", "exceeded maximum duration", "exceeds your quota limit"],
])("V05: %s ends a conversation before the caller was done", (reason) => expect(isCutShort(reason)).toBe(true));

test.each([
  ...["customer-ended-call", "assistant-ended-call", "assistant-forwarded-call", "assistant-said-end-call-phrase"],
  ...["user_hangup", "agent_hangup", "call_transfer", "transfer_bridged", "end_call tool was called.", "Client disconnected", "other"],
])("V05: %s does not", (reason) => expect(isCutShort(reason)).toBe(false));

test.each([
  [
    { tool: "scheduleAppointment", success: true },
    { helped: true, soughtStaff: false },
  ],
  [
    { tool: "scheduleAppointment", success: false },
    { helped: false, soughtStaff: false },
  ],
  [
    { tool: "verifyPatientIdentity", success: true },
    { helped: false, soughtStaff: false },
  ],
  [
    { tool: "logRoutingEvent", success: true, outcome: "callback" },
    { helped: false, soughtStaff: true },
  ],
  [
    { tool: "logRoutingEvent", success: true, outcome: "transferred" },
    { helped: false, soughtStaff: true },
  ],
  [
    { tool: "logRoutingEvent", success: false, outcome: "transferred" },
    { helped: false, soughtStaff: false },
  ],
  [
    { tool: "logRoutingEvent", success: true, outcome: "resolved" },
    { helped: true, soughtStaff: false },
  ],
  [
    { tool: "logRoutingEvent", success: true, outcome: "emergency" },
    { helped: false, soughtStaff: false },
  ],
])("V05: the run %o is evidence of %o", (run, evidence) => expect(outcomeSignalsOf(run)).toEqual(evidence));
