import { randomUUID } from "node:crypto";
import type { Coverage, CoverageEligibilityRequest } from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runTool } from "../index.ts";
import { sentences } from "../test/sentences.fixture.ts";
import { startTools, type Tools } from "../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterEach(() => t.heal());
afterAll(() => t.close());

const tool = "verifyInsurance";
const memberIdOf = async (index: number): Promise<string> => {
  const [coverage] = await (await t.ehr(0)).search<Coverage>("Coverage", { patient: `Patient/${t.patients[index]!.id}` });
  return coverage?.subscriberId ?? "";
};
const questions = async (index: number): Promise<CoverageEligibilityRequest[]> =>
  (await t.ehr(0)).search<CoverageEligibilityRequest>("CoverageEligibilityRequest", { patient: `Patient/${t.patients[index]!.id}` });

describe("verifyInsurance", () => {
  it("reports the coverage on file and the insurer's answer, for two write units and its declared requests", async () => {
    const caller = await t.verified(0, 0, 2);
    await caller.use(tool);
    const { answer, requests } = await t.ehrRequests(() => caller.use(tool));
    const ending = (await memberIdOf(0)).slice(-4);
    expect(answer).toEqual({
      ok: true,
      speech: `On file I have Sampleton Mutual Health Choice PPO with a member ID ending in ${ending}. The insurer confirms that it is in force today.`,
      output: {
        coverages: [
          {
            ...{ payer: "Sampleton Mutual Health", plan: "Choice PPO", memberIdEndsIn: ending, period: "current" },
            ...{ startsOn: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/), insurerSays: "in_force" },
          },
        ],
      },
    });
    expect(JSON.stringify(answer)).not.toContain(await memberIdOf(0));
    expect(requests).toEqual(t.declaredRequests(tool));
    const { writes } = await t.cost(() => caller.use(tool));
    expect(writes).toBeLessThanOrEqual(2);
  });

  it("names an expired one as such, by the clock, and does not ask about it", async () => {
    const caller = await t.verified(0, 2, 2);
    const { answer, requests } = await t.ehrRequests(() => caller.use(tool));
    expect(answer.speech).toMatch(
      /^On file I have Exampleville Basic Insurance Basic Care, which expired on [^,]+, \d+, with a member ID ending in .{4}\. The office can update it\.$/,
    );
    expect(answer.output).toMatchObject({ coverages: [{ period: "expired", insurerSays: "not_checked" }] });
    expect(requests).toEqual(["read Patient", "search Coverage"]);
    expect((await (await t.verified(0, 4, 2)).use(tool)).speech).toBe("I don't see any insurance on file. The office can add it.");
  });

  it("never calls anything eligible or in force that the insurer has not confirmed", async () => {
    const caller = await t.verified(0, 0, 2);
    const unchecked = /^On file I have Sampleton [^.]+\. I haven't checked that with the insurance company\.$/;
    const without = await caller.use(tool, {}, { without: ["CoverageEligibilityRequest"] });
    expect([without.ok, without.speech]).toEqual([true, expect.stringMatching(unchecked)]);
    for (const fault of [
      { kind: "503", match: { path: "/r4/CoverageEligibilityResponse" } },
      { kind: "503", match: { path: "/r4/CoverageEligibilityRequest" } },
      { kind: "hang", match: { path: "/r4/CoverageEligibilityRequest" } },
      { kind: "html", match: { path: "/r4/CoverageEligibilityResponse" } },
    ]) {
      await t.fault(0, fault);
      const { ok, speech, output } = await caller.use(tool);
      expect([ok, speech], fault.kind).toEqual([true, expect.stringMatching(unchecked)]);
      expect(output).toMatchObject({ coverages: [{ insurerSays: "not_checked" }] });
      expect(speech).not.toMatch(/eligible|covered|in force/);
      await t.heal();
    }
  });

  it("asks the insurer once for one request, also when it is sent again or its answer was lost", async () => {
    const caller = await t.verified(0, 5, 2);
    const toolCallId = randomUUID();
    await t.fault(0, { kind: "hang", times: 1, match: { path: "/r4/CoverageEligibilityRequest" } });
    const first = await caller.use(tool, {}, { toolCallId });
    const second = await caller.use(tool, {}, { toolCallId });
    const third = await caller.use(tool, {}, { toolCallId });
    expect(
      [first, second, third].map(({ output }) => (output as { coverages: { insurerSays: string }[] }).coverages[0]?.insurerSays),
    ).toEqual(["not_checked", "in_force", "in_force"]);
    expect(await questions(5)).toHaveLength(1);
  });

  it("compares the caller's details and reveals nothing stored", async () => {
    const caller = await t.verified(0, 1, 2);
    const memberId = await memberIdOf(1);
    const right = await caller.use(tool, { payerName: "mockford care", memberId: memberId.toLowerCase().split("").join(" ") });
    expect(right.output).toMatchObject({ payerMatches: true, memberIdMatches: true, coverages: [{ payer: "Mockford Care Plan" }] });
    expect(right.speech).toContain(" The member ID you gave matches.");
    const wrongNumber = await caller.use(tool, { memberId: "ABC 123" });
    expect(wrongNumber.output).toMatchObject({ memberIdMatches: false });
    expect(JSON.stringify(wrongNumber)).not.toContain(memberId.slice(-4));
    expect(wrongNumber.speech).toContain(" The member ID you gave doesn't match what's on file.");
    expect(await caller.use(tool, { payerName: "Acme", memberId })).toEqual({
      ok: true,
      speech: "That isn't the insurance company I have on file. The office can update it.",
      output: { coverages: [], payerMatches: false },
    });
  });

  it("is refused to a stranger, to who gave one detail, and at another tenant", async () => {
    const once = await t.verified(0, 0);
    for (const [caller, speech] of [
      [t.phone(0), sentences.identity_required],
      [once, expect.stringMatching(/^For that I need one more detail: /) as string],
    ] as const) {
      const { answer, requests } = await t.ehrRequests(() => caller.use(tool));
      expect([answer, requests]).toEqual([{ ok: false, code: "identity_required", speech }, []]);
    }
    const caller = await t.verified(0, 2, 2);
    expect(await runTool(t.context(1), caller.call(tool, {}))).toMatchObject({ ok: false, code: "identity_required" });
    expect((await caller.use(tool, { patientId: t.patients[0]!.id })).output).toMatchObject({ coverages: [{ plan: "Basic Care" }] });
  });

  it("is one sentence when the EHR is down, and another when it keeps no insurance", async () => {
    const caller = await t.verified(1, 0, 2);
    await caller.use(tool);
    await t.fault(1, { kind: "503" });
    expect(await caller.use(tool)).toEqual({ ok: false, code: "ehr_unavailable", speech: sentences.ehr_unavailable });
    await t.heal();
    const { answer, requests } = await t.ehrRequests(() => caller.use(tool, {}, { without: ["Coverage"] }));
    expect([answer, requests]).toEqual([{ ok: false, code: "ehr_unsupported", speech: sentences.ehr_unsupported }, []]);
  });
});
