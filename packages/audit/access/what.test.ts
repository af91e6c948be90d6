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
