import { randomBytes } from "node:crypto";
import { readEmbeddedMetrics, type RecordMetric } from "../aws/cloudwatch/index.ts";
import type { FunctionSpec } from "../template/functions.ts";
import type { Outcome } from "./environment.ts";
import type { Logs } from "./logs.ts";
import { createPool, type Pool, type Usage } from "./pool.ts";
import { payloadLimitBytes } from "./protocol.ts";

/** A function used the network between invocations, when Lambda freezes it. */
type Violation = { functionName: string; target: string };

type Invoked = Outcome & { requestId: string };

export type Lambda = {
  /** Rejects an event over 6 MB, as Lambda does. */
  invoke(functionArn: string, event: unknown, traceId?: string): Promise<Invoked>;
  violations: Violation[];
  environments(): Record<string, number>;
  usage(functionName: string): Usage;
  recycle(): Promise<void>;
  close(): Promise<void>;
};

/** Format of X-Ray. The SDK sends it with every call, which ties costs to a request. */
export const newTraceId = (): string => `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-${randomBytes(12).toString("hex")}`;

type Options = { awsUrl: string; logs: Logs; record: RecordMetric; clock: () => number };

export function startLambda(specs: FunctionSpec[], { awsUrl, logs, record, clock }: Options): Lambda {
  const readMetrics = readEmbeddedMetrics(record);
  const violations: Violation[] = [];
  const pools = new Map<string, { name: string; pool: Pool }>(
    specs.map((spec) => {
      const pool = createPool(spec, awsUrl, {
        clock,
        onOutput(text) {
          logs.write(spec.name, text);
          readMetrics(spec.name, text);
        },
        onIdleNetwork(target) {
          const violation = { functionName: spec.name, target };
          violations.push(violation);
          logs.write(spec.name, `error: used the network with no invocation in flight: ${target}\n`);
        },
      });
      return [spec.arn, { name: spec.name, pool }];
    }),
  );
  let closed = false;

  return {
    violations,
    async invoke(functionArn, event, traceId = newTraceId()) {
      const found = pools.get(functionArn);
      if (!found || closed)
        return {
          ok: false,
          reason: "error",
          message: closed ? "The platform is stopping." : `There is no function ${functionArn}.`,
          requestId: "",
        };
      const payload = JSON.stringify(event);
      const size = Buffer.byteLength(payload);
      if (size > payloadLimitBytes)
        return { ok: false, reason: "too-large", message: `Request of ${size} bytes exceeds 6 MB.`, requestId: "" };
      const { ms, ...outcome } = await found.pool.invoke(payload, traceId);
      if (!closed) for (const [name, value] of metricsOf(outcome, ms)) record({ ...ofFunction(found.name), name, value });
      if (!outcome.ok && outcome.reason !== "throttled" && !closed)
        logs.write(found.name, `${outcome.requestId} ${outcome.reason}: ${outcome.message}\n`);
      return outcome;
    },
    usage(functionName) {
      const found = [...pools.values()].find(({ name }) => name === functionName);
      if (!found) throw new Error(`There is no function ${functionName}.`);
      return found.pool.usage();
    },
    environments: () => Object.fromEntries([...pools.values()].map(({ name, pool }) => [name, pool.size()])),
    recycle: async () => void (await Promise.all([...pools.values()].map(({ pool }) => pool.recycle()))),
    async close() {
      closed = true;
      await Promise.all([...pools.values()].map(({ pool }) => pool.close()));
    },
  };
}

const ofFunction = (FunctionName: string) => ({ namespace: "AWS/Lambda", dimensions: { FunctionName } });

/** A throttled request is no invocation. Source: "Types of metrics for Lambda functions" in the Lambda Developer Guide. */
const metricsOf = (outcome: Outcome, ms: number): [name: string, value: number][] =>
  !outcome.ok && outcome.reason === "throttled"
    ? [["Throttles", 1]]
    : [
        ["Invocations", 1],
        ["Errors", outcome.ok ? 0 : 1],
        ["Throttles", 0],
        ["Duration", ms],
      ];
