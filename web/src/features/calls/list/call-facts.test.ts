import { expect, test } from "vitest";
import { intentName, resultsOf } from "./call-facts.ts";

type Facts = Parameters<typeof resultsOf>[0];
const call: Facts = { results: [], forwarded: false, outcome: null, abandoned: false, status: "completed", resolved: false };

test("what came of a call is what tools did and who took over; without either, how it ended", () => {
  const cases: [more: Partial<Facts>, said: string[]][] = [
    [{ results: ["booked", "refill_requested"], outcome: "other", resolved: true }, ["Appointment booked", "Refill requested"]],
    [{ results: ["callback_promised"], abandoned: true }, ["Callback promised"]],
    [{ results: ["emergency"] }, ["Emergency: told whom to call"]],
    [{ forwarded: true, outcome: "other" }, ["Transferred to a person"]],
    [{ outcome: "left_message" }, ["Left message"]],
    [{ status: "no_answer" }, ["Not answered"]],
    [{ abandoned: true }, ["Caller gave up"]],
    [{ resolved: true }, ["Answered by the agent"]],
    [{ status: "failed" }, ["No action taken"]],
    [{}, ["No action taken"]],
    [{ status: "in_progress" }, []],
  ];
  for (const [more, said] of cases) expect(resultsOf({ ...call, ...more })).toEqual(said);
});

test("a reason that no one logged is said to be unknown", () => {
  expect(intentName({ intent: null })).toBe("Unknown reason");
  expect(intentName({ intent: "new_patient" })).toBe("New patient");
});
