import { expect, test } from "vitest";
import { intentOf, resultsOf, type RunFacts } from "./call-results.ts";

const run = (tool: string, more: Partial<RunFacts> = {}) =>
  resultsOf({ tool, success: true, booked: false, made: false, canceled: false, ...more });

test("a tool's result is told by what it did, and a run that failed or only looked has none", () => {
  expect(run("scheduleAppointment", { action: "book", booked: true, made: true })).toEqual(["booked"]);
  expect(run("scheduleAppointment", { action: "book", made: true })).toEqual(["visit_requested"]);
  expect(run("scheduleAppointment", { action: "reschedule", made: true, canceled: true })).toEqual(["rescheduled"]);
  expect(run("scheduleAppointment", { action: "reschedule", made: true })).toEqual(["visit_requested"]);
  expect(run("scheduleAppointment", { action: "cancel", canceled: true })).toEqual(["canceled"]);
  for (const action of ["find", "list", "book", "reschedule", "cancel"]) expect(run("scheduleAppointment", { action })).toEqual([]);
  expect(run("sendCommunicationFhir", { action: "refill_request" })).toEqual(["refill_requested"]);
  expect(run("sendCommunicationFhir", { action: "callback_request" })).toEqual(["callback_promised"]);
  expect(run("sendCommunicationFhir", { action: "clinical_question" })).toEqual(["message_taken"]);
  expect(run("createPatientFhir", { action: "create" })).toEqual(["registered"]);
  expect(run("updatePatientFhir", { action: "update" })).toEqual(["details_changed"]);
  expect(run("updatePatientFhir", { action: "compare" })).toEqual([]);
  expect(run("logRoutingEvent", { outcome: "callback" })).toEqual(["callback_promised"]);
  expect(run("logRoutingEvent", { outcome: "transferred" })).toEqual([]);
  expect(run("logRoutingEvent", { outcome: "emergency" })).toEqual(["emergency"]);
  expect(run("getPatientInfo", { success: false, code: "emergency" })).toEqual(["emergency"]);
  for (const tool of ["scheduleAppointment", "sendCommunicationFhir", "verifyInsurance"])
    expect(run(tool, { success: false, code: "ehr_timeout", action: "refill_request", booked: true, made: true })).toEqual([]);
});

test("the reason is what the agent logged, else what the tools were for", () => {
  const toolsUsed = new Set(["verifyPatientIdentity", "scheduleAppointment"]);
  expect(intentOf({ intent: "billing", toolsUsed })).toBe("billing");
  expect(intentOf({ toolsUsed, results: new Set(["refill_requested"]) })).toBe("prescription");
  expect(intentOf({ toolsUsed })).toBe("appointment");
  expect(intentOf({ toolsUsed: new Set(["verifyPatientIdentity"]) })).toBeUndefined();
  expect(intentOf({})).toBeUndefined();
});
