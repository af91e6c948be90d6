import { expect, test } from "vitest";
import { clinicDate } from "../../packages/sandbox-ehr/store/clinic-time.ts";
import { planCalls } from "./calendar.ts";
import type { Job } from "./job.ts";

const account = { webhookUrl: "http://localhost/hook", webhookSecret: "s", agentId: "a", calledNumber: "+14155550111" };
const clinic = (number: number, id = `clinic-${number}`): Job["clinic"] => ({
  ...{ number, id, kind: number === 0 ? "family" : "children", apiKey: "", adminId: "", officeNumbers: ["+14155550111", "+14155550112"] },
  accounts: { vapi: account, retell: account, elevenlabs: account },
});
const size = { startDay: "2026-11-28", days: 90, calls: 640 };
const drawn = ({ random, ...call }: ReturnType<typeof planCalls>[number]) => ({ ...call, number: random() });

test("the same clinic has the same past at every start, and another one another", () => {
  const [one, again, other] = [clinic(0), clinic(0), clinic(1)].map((of) => planCalls({ ...size, clinic: of }).map(drawn));
  expect(again).toEqual(one);
  expect(other!.map(({ startsAtMs }) => startsAtMs)).not.toEqual(one!.map(({ startsAtMs }) => startsAtMs));
  expect(new Set(one!.map(({ id }) => id)).size).toBe(size.calls);
});

test("a past on another day is the same past, moved by whole days", () => {
  const short = { clinic: clinic(0), days: 20, calls: 100 };
  const week = 7 * 86_400_000;
  expect(planCalls({ ...short, startDay: "2026-12-05" }).map(({ startsAtMs, story }) => [startsAtMs - week, story])).toEqual(
    planCalls({ ...short, startDay: "2026-11-28" }).map(({ startsAtMs, story }) => [startsAtMs, story]),
  );
});

test("calls come in order, in the ninety days before the start, more on workdays than at weekends, more by day than at night, and more each month", () => {
  for (const number of [0, 1]) {
    const starts = planCalls({ ...size, clinic: clinic(number) }).map(({ startsAtMs }) => new Date(startsAtMs));
    expect(starts).toEqual(starts.toSorted((a, b) => a.getTime() - b.getTime()));
    const days = starts.map((at) => clinicDate(at));
    const [first, last] = [days[0] ?? "", days.at(-1) ?? ""];
    expect([first >= "2026-08-30", last <= "2026-11-27"]).toEqual([true, true]);
    const share = (is: (at: Date) => boolean) => starts.filter(is).length / starts.length;
    expect(share((at) => [0, 6].includes(new Date(`${clinicDate(at)}T00:00:00Z`).getUTCDay()))).toBeLessThan(0.1);
    expect(share((at) => [13, 14, 15, 16].includes(at.getUTCHours()))).toBeGreaterThan(
      share((at) => at.getUTCHours() > 20 || at.getUTCHours() < 2),
    );
    const third = size.calls / 3;
    const middle = clinicDate(new Date("2026-11-28T17:00:00Z"), -45);
    expect(days.filter((day) => day >= middle).length).toBeGreaterThan(days.filter((day) => day < middle).length + third / 10);
  }
});

test("every platform and story of the clinic's kind happens", () => {
  const plans = [0, 1].map((number) => planCalls({ ...size, clinic: clinic(number) }));
  for (const plan of plans) expect(new Set(plan.map(({ platform }) => platform))).toEqual(new Set(["vapi", "retell", "elevenlabs"]));
  const [family, children] = plans.map((plan) => new Set(plan.map(({ story }) => story)));
  for (const story of [
    "book",
    "refill",
    "spanish",
    "emergency",
    "silent",
    "cut-off",
    "my-details",
    "new-patient",
    "person",
    "wrong-person",
  ] as const)
    expect(family).toContain(story);
  expect(children).toContain("for-child");
  expect(family).not.toContain("for-child");
});
