import { randomBytes } from "node:crypto";
import { readEmbeddedMetrics, type RecordMetric } from "../aws/cloudwatch/index.ts";
import type { FunctionSpec } from "../template/functions.ts";
import type { Outcome } from "./environment.ts";
import type { Logs } from "./logs.ts";
import { runFunction, type Running, splitArn } from "./function-versions.ts";
import type { Usage } from "./pool.ts";
import { payloadLimitBytes } from "./protocol.ts";

/** A function used the network between invocations, when Lambda freezes it. */
type Violation = { functionName: string; target: string };

type Invoked = Outcome & { requestId: string; executedVersion?: string };

export type Lambda = {
  /** Rejects an event over 6 MB, as Lambda does. */
  invoke(functionArn: string, event: unknown, traceId?: string): Promise<Invoked>;
  violations: Violation[];
  environments(): Record<string, number>;
  usage(functionName: string): Usage;
  /** Publishes a version, of other code unless `codeDir` is left out, and returns its number. It is invoked once an alias has a share for it. */
  publish(functionName: string, codeDir?: string): string;
  /** Divides the invocations of an alias among versions. */
  route(functionName: string, alias: string, shares: Record<string, number>): void;
  recycle(): Promise<void>;
  close(): Promise<void>;
};

/** Format of X-Ray. The SDK sends it with every call, which ties costs to a request. */
export const newTraceId = (): string => `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-${randomBytes(12).toString("hex")}`;

type Options = { awsUrl: string; logs: Logs; record: RecordMetric; clock: () => number };

export function startLambda(specs: FunctionSpec[], { awsUrl, logs, record, clock }: Options): Lambda {
  const readMetrics = readEmbeddedMetrics(record);
  const violations: Violation[] = [];
  const running = new Map<string, Running>(
    specs.map((spec) => {
      const events = {
        clock,
        onOutput(text: string) {
          logs.write(spec.name, text);
          readMetrics(spec.name, text);
        },
        onIdleNetwork(target: string) {
          const violation = { functionName: spec.name, target };
          violations.push(violation);
          logs.write(spec.name, `error: used the network with no invocation in flight: ${target}\n`);
        },
      };
      return [spec.arn, runFunction(spec, { awsUrl, events })];
    }),
  );
  const named = (functionName: string): Running => {
    const found = [...running.values()].find(({ name }) => name === functionName);
    if (!found) throw new Error(`There is no function ${functionName}.`);
    return found;
  };
  let closed = false;

  return {
    violations,
    async invoke(invokedArn, event, traceId = newTraceId()) {
      const [functionArn, qualifier] = splitArn(invokedArn);
      const found = running.get(functionArn);
      const chosen = found?.choose(qualifier);
      if (!found || !chosen || closed)
        return {
          ok: false,
          reason: "error",
          message: closed ? "The platform is stopping." : `There is no function ${invokedArn}.`,
          requestId: "",
        };
      const payload = JSON.stringify(event);
      const size = Buffer.byteLength(payload);
      if (size > payloadLimitBytes)
        return { ok: false, reason: "too-large", message: `Request of ${size} bytes exceeds 6 MB.`, requestId: "" };
      const { ms, ...outcome } = await chosen.pool.invoke(payload, invokedArn, traceId);
      if (!closed)
        for (const dimensions of dimensionsOf(found.name, qualifier, chosen.version))
          for (const [name, value] of metricsOf(outcome, ms)) record({ namespace: "AWS/Lambda", dimensions, name, value });
      if (!outcome.ok && outcome.reason !== "throttled" && !closed)
        logs.write(found.name, `${outcome.requestId} ${outcome.reason}: ${outcome.message}\n`);
      return { ...outcome, executedVersion: chosen.version };
    },
    usage: (functionName) => ({ ...named(functionName).usage }),
    publish: (functionName, codeDir) => named(functionName).publish(codeDir),
    route: (functionName, alias, shares) => named(functionName).route(alias, shares),
    environments: () =>
      Object.fromEntries([...running.values()].map(({ name, pools }) => [name, pools().reduce((sum, pool) => sum + pool.size(), 0)])),
    recycle: async () => void (await Promise.all([...running.values()].flatMap(({ pools }) => pools().map((pool) => pool.recycle())))),
    async close() {
      closed = true;
      await Promise.all([...running.values()].flatMap(({ pools }) => pools().map((pool) => pool.close())));
    },
  };
}

/** Source: "Dimensions for Lambda metrics" in the Lambda Developer Guide. */
function dimensionsOf(FunctionName: string, qualifier: string | undefined, ExecutedVersion: string): Record<string, string>[] {
  if (qualifier === undefined) return [{ FunctionName }];
  const Resource = `${FunctionName}:${qualifier}`;
  return [{ FunctionName }, { FunctionName, Resource }, { FunctionName, Resource, ExecutedVersion }];
}

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
