import { expect, test } from "vitest";
import { isChange, whatOf } from "./what.ts";

const did = (action: string, resourceType = "Call") => ({ action, resourceType, success: true });

test("what was only looked at is no change, and what was sent to the patient is one", () => {
  for (const action of [
    "call.read",
    "call.found",
    "call.search",
    "task.read",
    "toDo.read",
    "lead.send",
    "patient.search",
    "tool.getPatientInfo",
  ])
    expect([action, isChange(did(action))]).toEqual([action, false]);
  for (const action of ["message.send", "reminder.send", "toDo.update", "call.followUp", "task.close", "tool.scheduleAppointment"])
    expect([action, isChange(did(action))]).toEqual([action, true]);
});

test("an act on a call that showed an excerpt says so", () => {
  expect(whatOf(did("call.found"))).toBe("Call: excerpt of the summary");
});

test("an act in a test call says so, and what such a call does not send is no change", () => {
  const inTest = (action: string) => ({ ...did(action, "Patient"), detail: { testCall: true } });
  expect(whatOf(inTest("tool.scheduleAppointment"))).toBe("Appointments; in a test call");
  expect(["tool.sendSMS", "tool.logRoutingEvent", "tool.updatePatientFhir"].map((action) => isChange(inTest(action)))).toEqual([
    false,
    false,
    true,
  ]);
  expect(isChange(did("tool.sendSMS", "Patient"))).toBe(true);
});

test("a search by phone number, which opens no summary, is not reported as a look at summaries", () => {
  const byNumber = (action: string) => ({ ...did(action), detail: { by: "number" } });
  expect(["call.search", "call.found"].map((action) => whatOf(byNumber(action)))).toEqual([
    "Calls of a phone number",
    "Call: found by its phone number",
  ]);
});
