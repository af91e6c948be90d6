import type { Ehr } from "@vitaline/fhir-providers";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runTool, type ToolContext } from "../index.ts";
import { startTools, type Tools } from "../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterEach(() => t.heal());
afterAll(() => t.close());

const answering = (answers: (request: string, patient: string) => object[], patientId: string): ToolContext => {
  const ctx = t.context(0);
  return {
    ...ctx,
    openEhr: async (...args) => {
      const ehr = await ctx.openEhr(...args);
      const search: Ehr["search"] = async (type, params, ...more) =>
        (type as string) === "CoverageEligibilityResponse"
          ? (answers(String(params.request), `Patient/${patientId}`) as never)
          : ehr.search(type, params, ...more);
      return { ...ehr, search };
    },
  };
};
const response = (request: string, patient: string, insurance: object[], more: object = {}) => ({
  ...{ resourceType: "CoverageEligibilityResponse", status: "active", outcome: "complete", request: { reference: request } },
  ...{ patient: { reference: patient }, insurance, ...more },
});

type Answers = (request: string, patient: string) => object[];
const coverage = {};
const answers: [string, Answers][] = [
  ["of another coverage", (...of) => [response(...of, [{ coverage: { reference: "Coverage/another-plan" }, inforce: true }])]],
  [
    "that a later one corrects",
    (...of) => [
      response(...of, [{ coverage, inforce: true }], { created: "2026-11-29T10:00:00Z" }),
      response(...of, [{ coverage, inforce: false }], { created: "2026-11-29T11:00:00Z" }),
    ],
  ],
  [
    "of benefits that have ended",
    (...of) => [response(...of, [{ coverage, inforce: true, benefitPeriod: { start: "2024-01-01", end: "2024-12-31" } }])],
  ],
];

describe("an insurance", () => {
  it.each(answers)("is not confirmed by an insurer's answer %s", async (_, given) => {
    const caller = await t.verified(0, 0, 2);
    const { speech } = await runTool(answering(given, caller.patientId), caller.call("verifyInsurance", {}));
    expect(speech).not.toMatch(/confirms that it is in force/);
  });

  it("is confirmed by the insurer's answer about it, for today", async () => {
    const caller = await t.verified(0, 0, 2);
    const given: Answers = (...of) => [response(...of, [{ coverage, inforce: true }])];
    const { speech } = await runTool(answering(given, caller.patientId), caller.call("verifyInsurance", {}));
    expect(speech).toMatch(/confirms that it is in force/);
  });
});
