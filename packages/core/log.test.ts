import { afterEach, describe, expect, it, vi } from "vitest";
import { errorFields, log } from "./log.ts";
import { metricLines } from "./metrics.ts";

describe("log", () => {
  it("removes text that is not an id or a code", () => {
    const written: string[] = [];
    const spy = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => (written.push(String(chunk)), true));
    log("info", "call.ended", { tenantId: "01abc", code: "Zoë Müller, born 1980" });
    spy.mockRestore();
    expect(written.join("")).toContain("01abc");
    expect(written.join("")).not.toContain("1980");
  });

  describe("as a metric", () => {
    afterEach(() => vi.unstubAllEnvs());
    const lineOf = (...given: Parameters<typeof log>): Record<string, unknown> => {
      const written: string[] = [];
      const spy = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => (written.push(String(chunk)), true));
      log(...given);
      spy.mockRestore();
      return JSON.parse(written.join("")) as Record<string, unknown>;
    };
    const answered = [
      "info",
      "tool.answered",
      { tool: "bookAppointment", outcome: "failed", failed: 1, ms: 900, tenantId: "01abc" },
    ] as const;

    it("A03: counts a tool's answer by tool and outcome, under its stage, and never by tenant", () => {
      vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "vitaline-production-voice");
      vi.stubEnv("AWS_LAMBDA_FUNCTION_VERSION", "7");
      const { _aws, ...line } = lineOf(...answered);
      expect(line).toMatchObject({ tool: "bookAppointment", outcome: "failed", ToolFailed: 1, ToolDuration: 900 });
      expect(line).toMatchObject({ functionName: "vitaline-production-voice", functionVersion: "7" });
      expect(_aws).toMatchObject({
        CloudWatchMetrics: [
          {
            Namespace: "Vitaline/production",
            Dimensions: [[], ["tool", "outcome"], ["functionName", "functionVersion"]],
            Metrics: [
              { Name: "ToolFailed", Unit: "Count" },
              { Name: "ToolDuration", Unit: "Milliseconds" },
            ],
          },
        ],
      });
    });

    it("is nothing but a line for another event, and outside a function of a stage", () => {
      vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "vitaline-production-voice");
      expect(lineOf("info", "request.answered", { ms: 1 })).not.toHaveProperty("_aws");
      vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "");
      expect(lineOf(...answered)).not.toHaveProperty("_aws");
    });

    it("has only dimensions with few values", () => {
      const dimensions = new Set(Object.values(metricLines).flatMap(({ dimensions: sets }) => sets.flat()));
      expect([...dimensions].toSorted()).toEqual(["channel", "functionName", "functionVersion", "operation", "outcome", "tool"]);
    });
  });

  it("logs an error by its name and code, not its message", () => {
    expect(errorFields(Object.assign(new TypeError("Ada Lovelace"), { code: "X1" }))).toEqual({ errorName: "TypeError", code: "X1" });
  });
});
